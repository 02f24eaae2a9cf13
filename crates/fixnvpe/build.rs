//! Puts the manifest and the version information into the Windows program.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=fixnvpe.exe.manifest");
    // Set for the system that the program is built for, not for the one that builds.
    if std::env::var_os("CARGO_CFG_WINDOWS").is_none() {
        return;
    }
    let mut resource = winresource::WindowsResource::new();
    resource
        .set_manifest_file("fixnvpe.exe.manifest")
        .set("FileDescription", env!("CARGO_PKG_DESCRIPTION"))
        .set("ProductName", "fixnvpe")
        .set("OriginalFilename", "fixnvpe.exe")
        .set(
            "LegalCopyright",
            "The fixnvpe developers; MIT OR Apache-2.0",
        );
    if let Err(error) = resource.compile_for("fixnvpe") {
        println!("cargo::error=cannot compile the program's resources: {error}");
    }
}
