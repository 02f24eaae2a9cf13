//! Reading, and nothing but reading.

pub(crate) mod names;
pub(crate) mod reader;
pub(crate) mod text;

use std::fmt;
use std::io::{self, Read};
use std::path::Path;

use fixnvpe_files::{FileId, Folder, Kind};

/// Where folders and files are read from. The real one is [`LiveDisk`]; a test
/// puts its own in between, to refuse a folder or to count.
pub trait Disk: fmt::Debug + Send + Sync {
    /// Reads the entries of a folder, following no link below it.
    ///
    /// # Errors
    ///
    /// The system's error, when the folder cannot be listed.
    fn read_folder(&self, path: &Path) -> io::Result<Folder>;

    /// Opens a file for reading.
    ///
    /// # Errors
    ///
    /// The system's error; one of kind `InvalidInput` for what is no regular
    /// file, and of kind [`PLACEHOLDER`] for a file in cloud storage, which
    /// opening would download.
    fn open_file(&self, path: &Path) -> io::Result<Box<dyn Read + Send>>;

    /// The identity of the folder behind a path, links followed.
    ///
    /// # Errors
    ///
    /// The system's error, when there is none or it cannot be opened.
    fn identify(&self, folder: &Path) -> io::Result<FileId>;
}

/// The kind of error that [`Disk::open_file`] gives for a placeholder.
pub const PLACEHOLDER: io::ErrorKind = io::ErrorKind::Unsupported;

/// The disks of this machine, mounted ones included.
#[derive(Clone, Copy, Debug, Default)]
pub struct LiveDisk;

impl Disk for LiveDisk {
    fn read_folder(&self, path: &Path) -> io::Result<Folder> {
        fixnvpe_files::read_folder(path)
    }

    fn open_file(&self, path: &Path) -> io::Result<Box<dyn Read + Send>> {
        let stat = fixnvpe_files::stat_path(path)?;
        if stat.placeholder {
            return Err(io::Error::new(PLACEHOLDER, "it lies in cloud storage"));
        }
        // Opening a pipe would wait for someone to write into it.
        let regular = match stat.kind {
            Kind::File => true,
            Kind::Link => fs_err::metadata(path)?.is_file(),
            _ => false,
        };
        if !regular {
            let message = "it is no regular file";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
        Ok(Box::new(fixnvpe_files::open_read(path)?))
    }

    fn identify(&self, folder: &Path) -> io::Result<FileId> {
        let opened = fixnvpe_files::open_folder(folder)?;
        Ok(fixnvpe_files::stat(&opened)?.id)
    }
}
