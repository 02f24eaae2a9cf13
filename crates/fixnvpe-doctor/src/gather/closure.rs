//! Which images a process maps that imports a module: by import tables alone,
//! without running anything.
//!
//! Windows looks for an imported DLL by its name; Python and the frameworks add
//! the folders of their own DLLs to the search. Here a name is looked up among
//! all images of the environment: beside the importing image first, as Windows
//! does, then wherever it lies. What is not found there is the system's own, and
//! costs a process nothing that a patch could change.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::image::Scanned;

/// The images that a process maps, by their place in the list.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Closure {
    pub(super) mapped: BTreeSet<usize>,
    /// Names that no image of the environment has, in lower case.
    pub(super) not_found: BTreeSet<String>,
}

/// Follows import tables from `roots` on. `imports_of` tells the names that an
/// image imports; what it cannot tell ends there.
pub(super) fn closure(
    images: &[Scanned],
    roots: impl IntoIterator<Item = usize>,
    imports_of: &mut dyn FnMut(&Scanned) -> Vec<String>,
) -> Closure {
    let mut by_name = BTreeMap::<String, Vec<usize>>::new();
    for (index, image) in images.iter().enumerate() {
        by_name.entry(image.name()).or_default().push(index);
    }
    let mut found = Closure::default();
    let mut pending: VecDeque<_> = roots.into_iter().collect();
    while let Some(index) = pending.pop_front() {
        if !found.mapped.insert(index) {
            continue;
        }
        let image = &images[index];
        for name in imports_of(image) {
            let name = name.to_lowercase();
            let candidates = by_name.get(&name).map_or(&[][..], Vec::as_slice);
            let beside = candidates
                .iter()
                .find(|other| images[**other].folder() == image.folder());
            match beside.or(candidates.first()) {
                Some(other) => pending.push_back(*other),
                // Names of API sets stand for functions, not for files.
                None if name.starts_with("api-ms-") || name.starts_with("ext-ms-") => {}
                None => {
                    found.not_found.insert(name);
                }
            }
        }
    }
    found
}

/// Folders below `site-packages` whose DLLs the package loads by name, without an
/// import table: torch all of them when it is imported (`torch/__init__.py`),
/// onnxruntime its providers when a session asks for them.
const LOADED_BY_NAME: &[&str] = &["torch/lib/", "onnxruntime/capi/"];

/// The images that importing `module` loads first: its extension modules below
/// the package's folder and beside it, the DLLs that it loads by name, and for packages without extension modules all their DLLs,
/// which they load through `ctypes`. A package loads some of its extension
/// modules only when they are needed: this is the most that it maps.
pub(super) fn roots(images: &[Scanned], module: &str) -> Vec<usize> {
    let module = module.to_lowercase();
    let mut own = Vec::new();
    let mut extensions = Vec::new();
    for (index, image) in images.iter().enumerate() {
        let Some(path) = image.below_site() else {
            continue;
        };
        let (first, rest) = path.split_once('/').unwrap_or((path, ""));
        // `torch/...`, or `_module.cp38-win_amd64.pyd` beside the packages.
        let is_own = if rest.is_empty() {
            first.split('.').next() == Some(module.as_str())
        } else {
            first == module
        };
        if !is_own {
            continue;
        }
        match path.rsplit('.').next() {
            Some("pyd") => extensions.push(index),
            Some("dll") => {
                own.push(index);
                if LOADED_BY_NAME.iter().any(|folder| path.starts_with(folder)) {
                    extensions.push(index);
                }
            }
            _ => {}
        }
    }
    if extensions.is_empty() {
        own
    } else {
        extensions
    }
}

#[cfg(test)]
mod tests {
    use fixnvpe_pe::{CommitCharge, Condition};

    use super::*;

    fn scanned(path: &str) -> Scanned {
        Scanned::new(
            format!("/e/Lib/site-packages/{path}"),
            Some(path),
            Condition::NoFatbin,
            CommitCharge::new(1, 1),
        )
    }

    fn names(images: &[Scanned], indices: impl IntoIterator<Item = usize>) -> Vec<String> {
        indices
            .into_iter()
            .map(|index| images[index].name())
            .collect()
    }

    #[test]
    fn imports_are_followed_beside_the_image_first_and_loops_end() {
        let images = [
            "a/one.pyd",
            "a/lib.dll",
            "b/lib.dll",
            "b/two.dll",
            "c/alone.dll",
        ];
        let images: Vec<_> = images.into_iter().map(scanned).collect();
        let found = closure(&images, [0], &mut |image| {
            let imports: &[&str] = match image.name().as_str() {
                "one.pyd" => &["LIB.dll", "python38.dll", "api-ms-win-crt-heap-l1-1-0.dll"],
                "lib.dll" => &["two.DLL"],
                "two.dll" => &["one.pyd"],
                _ => &[],
            };
            imports.iter().map(ToString::to_string).collect()
        });
        assert_eq!(found.mapped, BTreeSet::from([0, 1, 3]));
        assert_eq!(found.not_found, BTreeSet::from(["python38.dll".to_owned()]));
    }

    #[test]
    fn torch_loads_every_dll_of_its_lib_folder() {
        let images = [
            "torch/_c.cp38-win_amd64.pyd",
            "torch/lib/cudnn64_8.dll",
            "torch/lib/unused.dll",
            "torch/bin/protoc.dll",
            "torchvision/_c.pyd",
        ];
        let images: Vec<_> = images.into_iter().map(scanned).collect();
        assert_eq!(
            names(&images, roots(&images, "Torch")),
            ["_c.cp38-win_amd64.pyd", "cudnn64_8.dll", "unused.dll"]
        );
    }

    #[test]
    fn onnxruntime_loads_its_providers_by_name() {
        let images = [
            "onnxruntime/capi/onnxruntime_pybind11_state.pyd",
            "onnxruntime/capi/onnxruntime_providers_cuda.dll",
            "onnxruntime/other/helper.dll",
        ];
        let images: Vec<_> = images.into_iter().map(scanned).collect();
        assert_eq!(roots(&images, "onnxruntime"), [0, 1]);
    }

    #[test]
    fn a_package_without_extension_modules_loads_its_dlls() {
        let images = [
            "xgboost/lib/xgboost.dll",
            "faiss_cuda.cp38-win_amd64.pyd",
            "cupy/cuda/thrust.cp38-win_amd64.pyd",
            "cupy/.data/nvrtc.dll",
        ];
        let images: Vec<_> = images.into_iter().map(scanned).collect();
        assert_eq!(names(&images, roots(&images, "xgboost")), ["xgboost.dll"]);
        assert_eq!(
            names(&images, roots(&images, "faiss_cuda")),
            ["faiss_cuda.cp38-win_amd64.pyd"]
        );
        assert_eq!(
            names(&images, roots(&images, "cupy")),
            ["thrust.cp38-win_amd64.pyd"]
        );
        assert!(roots(&images, "torch").is_empty());
    }
}
