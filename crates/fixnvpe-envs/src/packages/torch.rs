//! What `torch/version.py` says.

use std::path::Path;

use super::record::may_be_image;
use crate::disk::reader::Reader;

/// The longest `version.py` that is read, in bytes.
const LIMIT: u64 = 64 << 10;

/// The facts about an installed PyTorch that need no Python.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Torch {
    /// Its version: `1.12.1+cu113`.
    pub version: String,
    /// The CUDA version that it was built for: `11.3`; `None` for a build for
    /// processors alone.
    pub cuda: Option<String>,
    /// The HIP version that it was built for.
    pub hip: Option<String>,
    /// The DLLs that lie in `torch/lib`, by name.
    pub libraries: Vec<String>,
}

/// Reads `torch/version.py` below a `site-packages`.
pub(super) fn read(reader: &Reader<'_>, site: &Path) -> Option<Torch> {
    let torch = reader.child(site, "torch")?;
    let file = reader.child(&torch, "version.py")?;
    let text = reader.text(&file, LIMIT)?;
    let mut told = parse(&text)?;
    if let Some(folder) = reader
        .resolve(&torch, ["lib"])
        .and_then(|lib| reader.folder(&lib))
    {
        let names = folder
            .entries
            .iter()
            .filter_map(|entry| entry.name.to_str());
        let images = names.filter(|name| may_be_image(name));
        told.libraries = images.map(str::to_owned).collect();
    }
    Some(told)
}

fn parse(text: &str) -> Option<Torch> {
    let value = |wanted: &str| {
        let mut lines = text.lines().filter_map(|line| line.split_once('='));
        let (_, value) = lines.find(|(left, _)| {
            // Newer releases annotate: `cuda: Optional[str] = '11.8'`.
            let name = left.split(':').next().unwrap_or(left);
            name.trim() == wanted
        })?;
        let value = value.trim();
        let quote = value.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
        let inside = &value[1..];
        Some(inside[..inside.find(quote)?].to_owned())
    };
    Some(Torch {
        version: value("__version__")?,
        cuda: value("cuda"),
        hip: value("hip"),
        libraries: Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_of_the_file_is_understood() {
        let old = parse(
            "__version__ = '1.12.1+cu113'\ndebug = False\ncuda = '11.3'\ngit_version = 'x'\nhip = None\n",
        );
        let old = old.unwrap();
        assert_eq!(old.version, "1.12.1+cu113");
        assert_eq!(old.cuda.as_deref(), Some("11.3"));
        assert_eq!(old.hip, None);
        let new = parse(
            "from typing import Optional\n__all__ = ['__version__', 'cuda']\n\
             __version__ = \"2.4.0\"\ncuda: Optional[str] = None\nhip: Optional[str] = '6.1'\n",
        );
        let new = new.unwrap();
        assert_eq!(
            (new.cuda.as_deref(), new.hip.as_deref()),
            (None, Some("6.1"))
        );
        for odd in ["", "cuda = '11.3'", "__version__ = 2", "__version__ = '1"] {
            assert_eq!(parse(odd), None, "{odd}");
        }
    }
}
