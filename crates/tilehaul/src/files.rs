//! Output files, written whole or not at all.

use std::io::Write;
use std::path::Path;

/// Why a file cannot be read, in words that do not depend on the system.
#[must_use]
pub fn cannot_read(path: &Path, error: &std::io::Error) -> String {
    let why = match error.kind() {
        std::io::ErrorKind::NotFound => "there is no such file".to_owned(),
        std::io::ErrorKind::IsADirectory => "it is a folder".to_owned(),
        std::io::ErrorKind::PermissionDenied => "it may not be read".to_owned(),
        _ => error.to_string(),
    };
    format!("cannot read {}: {why}", path.display())
}

/// Writes `bytes` to a file beside `path` and renames it, so that nobody ever sees half of it.
///
/// # Errors
/// A sentence that names the file.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), String> {
    let cannot = |error: std::io::Error| {
        let why = match error.kind() {
            std::io::ErrorKind::NotFound => "its folder does not exist".to_owned(),
            std::io::ErrorKind::PermissionDenied => "it may not be written there".to_owned(),
            std::io::ErrorKind::IsADirectory => "it is a folder".to_owned(),
            _ => error.to_string(),
        };
        format!("cannot write {}: {why}", path.display())
    };
    // A pipe or a device is written to, not replaced.
    if std::fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir()) {
        return std::fs::OpenOptions::new()
            .write(true)
            .open(path)
            .and_then(|mut file| file.write_all(bytes))
            .map_err(cannot);
    }
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let Some(name) = path.file_name() else {
        return Err(format!("cannot write {}: it names no file", path.display()));
    };
    let mut hidden = std::ffi::OsString::from(".");
    hidden.push(name);
    hidden.push(format!(".{}.part", std::process::id()));
    let part = folder.join(hidden);
    let result = std::fs::File::create(&part)
        .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()))
        .and_then(|()| std::fs::rename(&part, path));
    result.map_err(|error| {
        // The half-written file is of no use; that it cannot be removed is no second error.
        let _ = std::fs::remove_file(&part);
        cannot(error)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_appears_whole_and_nothing_else_does() {
        let folder = std::env::temp_dir().join(format!("tilehaul-files-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("a.bin");
        write_whole(&path, b"one").unwrap();
        write_whole(&path, b"two").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"two");
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
        let error = write_whole(&folder.join("nowhere/a.bin"), b"x").unwrap_err();
        assert!(error.contains("nowhere"), "{error}");
        assert!(write_whole(&folder, b"x").is_err(), "a folder is no file");
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
