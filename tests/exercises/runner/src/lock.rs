//! A folder that one process uses at a time. The lock ends with its process, however that
//! ends.

use std::fs::{self, File};
use std::io;
use std::path::Path;

/// A folder that is locked until this is dropped.
#[derive(Debug)]
pub struct Lock(#[allow(dead_code)] File);

impl Lock {
    /// Makes the folder if it is missing, and waits until nothing else has locked it.
    /// Calls `waits` once before it has to wait.
    pub fn of(folder: &Path, waits: impl FnOnce()) -> io::Result<Lock> {
        fs::create_dir_all(folder)?;
        locked(&folder.join("lock"), waits).map(Lock)
    }
}

#[cfg(unix)]
fn locked(path: &Path, waits: impl FnOnce()) -> io::Result<File> {
    use rustix::fs::{FlockOperation, flock};
    use rustix::io::Errno;
    let file = File::create(path)?;
    match flock(&file, FlockOperation::NonBlockingLockExclusive) {
        Err(Errno::WOULDBLOCK) => {
            waits();
            flock(&file, FlockOperation::LockExclusive)?;
        }
        result => result?,
    }
    Ok(file)
}

/// Windows lets a file be opened once only, if asked to. It cannot wait for that.
#[cfg(windows)]
fn locked(path: &Path, waits: impl FnOnce()) -> io::Result<File> {
    use std::os::windows::fs::OpenOptionsExt;
    use std::time::Duration;
    /// `ERROR_SHARING_VIOLATION`: it is open elsewhere.
    const IS_OPEN: i32 = 32;
    let mut waits = Some(waits);
    loop {
        let mut options = File::options();
        options.write(true).create(true).truncate(false).share_mode(0);
        match options.open(path) {
            Err(error) if error.raw_os_error() == Some(IS_OPEN) => {
                if let Some(waits) = waits.take() {
                    waits();
                }
                std::thread::sleep(Duration::from_millis(100));
            }
            result => return result,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;
    use std::thread;

    #[test]
    fn a_folder_is_locked_once_at_a_time() {
        let folder = tempfile::tempdir().expect("temporary files are possible");
        let unlocked = || unreachable!("it is free");
        let first = Lock::of(folder.path(), unlocked).expect("it can be locked");
        let (sender, waits) = channel();
        let path = folder.path().to_path_buf();
        let second = thread::spawn(move || {
            Lock::of(&path, || sender.send(()).expect("the test listens"))
        });
        // It waits, and gets the lock only when the first one is gone.
        waits.recv().expect("it says that it waits");
        drop(first);
        let second = second.join().expect("it does not panic");
        drop(second.expect("it can be locked"));
        Lock::of(folder.path(), unlocked).expect("it is free again");
    }
}
