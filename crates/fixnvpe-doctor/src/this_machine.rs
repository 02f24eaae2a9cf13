//! The machine that this program runs on.

use crate::facts::MachineFacts;

impl MachineFacts {
    /// What can be told about this machine. Nothing is started and nothing
    /// written; what cannot be told stays open.
    #[must_use]
    pub fn this() -> Self {
        let logical = std::thread::available_parallelism().ok();
        let mut facts = Self {
            logical_processors: logical.and_then(|count| u32::try_from(count.get()).ok()),
            ..Self::default()
        };
        fill(&mut facts);
        facts
    }
}

#[cfg(windows)]
fn fill(facts: &mut MachineFacts) {
    use crate::facts::PageFiles;
    use crate::win32;

    facts.windows = true;
    facts.physical_memory = win32::physical_memory().ok();
    facts.commit = win32::commit().ok();
    facts.cores = win32::cores();
    facts.page_files = win32::paging_files();
    facts.app_control = win32::app_control();
    facts.system_drive = system_drive();
    let listed = match &facts.page_files {
        PageFiles::Listed(files) => files.iter().filter_map(|file| file.drive).collect(),
        _ => Vec::new(),
    };
    let mut letters: Vec<char> = facts.system_drive.into_iter().chain(listed).collect();
    letters.sort_unstable();
    letters.dedup();
    facts.drives = letters
        .into_iter()
        .filter_map(|letter| win32::drive_space(letter).ok())
        .collect();
    if let Some((gpus, driver)) = win32::gpus() {
        facts.gpus = Some(gpus);
        facts.driver = driver;
    }
}

/// The drive of the Windows folder, by the system's own API.
#[cfg(windows)]
fn system_drive() -> Option<char> {
    crate::win32::windows_folder()
        .and_then(|folder| folder.chars().next())
        .filter(char::is_ascii_alphabetic)
        .map(|letter| letter.to_ascii_uppercase())
}

#[cfg(target_os = "linux")]
fn fill(facts: &mut MachineFacts) {
    if let Ok(text) = fs_err::read_to_string("/proc/meminfo") {
        read_meminfo(&text, facts);
    }
    if let Ok(text) = fs_err::read_to_string("/proc/cpuinfo") {
        facts.cores = cores_of(&text);
    }
}

#[cfg(not(any(windows, target_os = "linux")))]
fn fill(_facts: &mut MachineFacts) {}

/// Memory and commit of a Linux machine (proc(5)). Its limit binds only where
/// overcommitting is off.
#[cfg(any(target_os = "linux", test))]
fn read_meminfo(text: &str, facts: &mut MachineFacts) {
    let value = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name))?;
        let number = line.trim_start_matches(':').split_whitespace().next()?;
        number.parse::<u64>().ok()?.checked_mul(1024)
    };
    facts.physical_memory = value("MemTotal");
    facts.commit = value("CommitLimit")
        .zip(value("Committed_AS"))
        .map(|(limit, used)| crate::facts::SystemCommit::new(limit, used));
}

/// Cores of a Linux machine: pairs of physical id and core id.
#[cfg(any(target_os = "linux", test))]
fn cores_of(cpuinfo: &str) -> Option<u32> {
    let value = |block: &str, name: &str| {
        block.lines().find_map(|line| {
            let (key, value) = line.split_once(':')?;
            (key.trim() == name).then(|| value.trim().to_owned())
        })
    };
    let cores: std::collections::BTreeSet<_> = cpuinfo
        .split("\n\n")
        .filter_map(|block| Some((value(block, "physical id")?, value(block, "core id")?)))
        .collect();
    u32::try_from(cores.len()).ok().filter(|count| *count > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_and_cores_of_a_linux_machine_are_read_from_proc() {
        let mut facts = MachineFacts::default();
        let text = "MemTotal:       16384 kB\nMemFree:  1 kB\nCommitLimit:    8192 kB\nCommitted_AS:    4096 kB\n";
        read_meminfo(text, &mut facts);
        assert_eq!(facts.physical_memory, Some(16 << 20));
        assert_eq!(facts.commit.unwrap().headroom(), 4 << 20);
        let cpu = |core| format!("processor : 0\nphysical id : 0\ncore id : {core}\n\n");
        let text = [0, 0, 1, 1].map(cpu).concat();
        assert_eq!(cores_of(&text), Some(2));
        assert_eq!(cores_of("processor : 0\n"), None);
    }

    #[test]
    fn this_machine_is_told_without_a_fault() {
        let facts = MachineFacts::this();
        assert_eq!(facts.windows, cfg!(windows));
        assert!(facts.logical_processors.unwrap_or(1) > 0);
    }
}
