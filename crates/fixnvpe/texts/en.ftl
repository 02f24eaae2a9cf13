# Every sentence that people read. The same ids, with the same values, stand in
# the file of each other language; tests compare them with the code.
# Words of the field stay as they are: commit, fat binary, ASLR, CheckSum.

### Labels

label-error = error:
label-warning = warning:
label-note = note:
label-hint = hint:

### Errors of the command line

usage-unknown-option = There is no option `{ $option }`.
usage-unknown-command = There is no command `{ $command }`.
usage-no-command = No command is given.
usage-needs-value = `{ $option }` needs a value.
usage-bad-value = `{ $value }` is no value for `{ $option }`.
usage-not-one-of = `{ $value }` is no value for `{ $option }`; it takes { $known }.
usage-missing = `{ $arguments }` is missing.
usage-conflict = `{ $option }` and `{ $other }` exclude each other.
usage-twice = `{ $option }` may be given only once.
usage-takes-no-value = `{ $option }` takes no value, and got `{ $value }`.
usage-other = The command line is not understood: { $detail }
usage-did-you-mean = Did you mean `{ $meant }`?
usage-see-help = `{ $command }` tells more.

### Selection

patch-nothing-selected = Nothing is selected: `patch` changes only what you name.
select-a-folder-to-patch = look first with `fixnvpe scan FOLDER`, then run `fixnvpe patch FOLDER`
restore-nothing-selected = Nothing is selected: name files or folders, or a run.
select-to-restore = `fixnvpe restore --last` undoes the last run, `fixnvpe history` lists all of them
pattern-is-invalid = `{ $pattern }` is no valid pattern.
pattern-matches-nothing = Nothing matches the pattern `{ $pattern }`.
list-is-empty = The list `{ $list }` names no file.
list-is-unreadable = The list `{ $list }` cannot be read.
exclusion-matches-nothing = `--exclude { $exclusion }` excluded nothing: is it spelled right?

### Output and state

output-failed = The result could not be written.
output-is-an-image = `{ $file }` is a program or DLL and is not overwritten.
output-takes-the-report = `-o` names the file for the report; images are patched where they are
output-cannot-be-written = The result cannot be written to `{ $file }`.
no-threads = The threads for the work cannot be started.
no-state-folder = There is no place for the undo data.
no-state-folder-hint = name a folder that you may write to with `--state-dir FOLDER`
state-is-locked = Another fixnvpe is patching or restoring; nothing was changed.
state-cannot-be-used = The state folder cannot be used, so nothing was changed.
state-is-exposed = Others than administrators could change what `{ $folder }` says, so nothing was changed.
state-is-exposed-hint = look at what is in `{ $folder }`, move it away, and run again: the folder is then made with the right access
journal-is-unreadable = The journal cannot be read.
job-failed = The work could not be started.
no-such-run = The journal knows no run `{ $run }`.
no-run-id = `{ $run }` is no run id.
no-run = The journal knows no run that could be undone.
see-history = `fixnvpe history` lists the runs that can be undone.
cannot-inspect = `{ $file }` cannot be inspected: { $cause }.

### The older script's command line

older-script-keeps-aslr = unlike fixNvPe.py, ASLR is kept: clearing it saves no memory (`--aslr clear` clears it all the same)

press-enter = Press Enter to close this window.

### Progress

progress-folders = { $count ->
    [one] Looking: { $count } folder
   *[other] Looking: { $count } folders
}
progress-files = Working
progress-measuring = Measuring processes
progress-in-use = { $count ->
    [one] 1 file in use, trying again
   *[other] { $count } files in use, trying again
}
progress-waiting = Waiting for another fixnvpe to finish
interrupting = Interrupted: finishing the files in hand. Press Ctrl-C again to stop at once.
interrupted = Interrupted: not all files were looked at.

### Columns

column-now = Commit now
column-before = Before
column-after = After
column-condition = Condition
column-file = File
column-place = Environment or folder
column-outcome = Result
column-run = Run
column-action = Action
column-changed = Changed
column-standing = In force
column-by = By
column-section = Section
column-access = Access
column-memory = In memory
column-on-disk = In file
column-commit = Commit
column-relocations = Relocs
column-flags = Flags
column-architecture = Architecture
column-elements = Elements
column-size = Size

### Conditions and outcomes

condition-writable = writable
condition-read-only = read-only
condition-patched = patched
condition-no-fatbin = no GPU code
condition-refused = refused
condition-damaged = damaged
outcome-patched = patched
outcome-restored = restored
outcome-already = already done
outcome-refused = refused
outcome-skipped = left alone
outcome-failed = failed
outcome-would-patch = would patch
outcome-would-restore = would restore
state-done = in force
state-restored = undone
state-undone = not done
state-unsettled = unsettled
state-stale = replaced since
action-patch = patch
action-restore = restore
word-unknown = { $word }

### Scan

scan-no-images = { $files ->
    [0] There is no DLL, .pyd or .exe file here.
    [one] None of the one file here is a Windows program or DLL.
   *[other] None of the { $files } files here is a Windows program or DLL.
}
scan-summary = { $images ->
    [one] 1 image: { $writable } writable, { $read_only } read-only, { $refused } refused.
   *[other] { $images } images: { $writable } writable, { $read_only } read-only, { $refused } refused.
}
cost-of-one-place = A process that loads the writable ones pays { $now } of commit at load, after a patch { $after }.
cost-by-place = What a process pays that loads the writable ones of one environment (figures of different environments do not add up):
next-patch = To make them read-only:
nothing-writable = No fat binary is writable: these DLLs are fine as they are.
nothing-to-patch-but-refused = There is nothing to patch here.
other-causes = If Python still fails with error 1455 (the paging file is too small), the cause is another:
cause-page-file = - a page file that is off or too small for the rest;
cause-workers = - more DataLoader workers than memory allows (num_workers);
cause-threads = - thread buffers of OpenBLAS or MKL: try OPENBLAS_NUM_THREADS=1.
scan-look-for-cause = To look for it here:
check-found = The check found writable images (exit code 3). A patch is one answer; to weigh it against an upgrade or a larger page file:
and-more = { $count ->
    [one] and { $count } more (--verbose lists all)
   *[other] and { $count } more (--verbose lists all)
}

### Patch and restore

patched = { $count ->
    [one] 1 file is patched, and its new bytes were read back.
   *[other] { $count } files are patched, and their new bytes were read back.
}
cost-after-patch = A process that loads them paid { $before } of commit at load, and pays { $now } now.
cost-by-place-after-patch = What a process pays that loads those of one environment (figures of different environments do not add up):
restart-python = Restart Python: a running process keeps what it has loaded.
undo = To undo it:
undo-elevated = To undo it, in a terminal with administrator rights:
would-patch = { $count ->
    [one] 1 file would be patched. Nothing was changed.
   *[other] { $count } files would be patched. Nothing was changed.
}
would-restore = { $count ->
    [one] 1 file would be restored. Nothing was changed.
   *[other] { $count } files would be restored. Nothing was changed.
}
do-it = To do it:
names-keep-the-original = { $count ->
    [one] 1 file has names (hard links) outside the selection, in a cache or another environment: they keep the original, the selected ones share a copy ({ $size }).
   *[other] { $count } files have names (hard links) outside the selection, in a cache or another environment: they keep the original, the selected ones share a copy ({ $size }).
}
names-changed-too = { $count ->
    [one] 1 file has names (hard links) outside the selection, which changed as well.
   *[other] { $count } files have names (hard links) outside the selection, which changed as well.
}
in-use-replaced = { $count ->
    [one] 1 file was in use and got a successor: running programs keep the old one, and a later run removes it.
   *[other] { $count } files were in use and got successors: running programs keep the old ones, and a later run removes them.
}
same-base = With ASLR cleared, these { $count } images share the address { $base }: where a process loads two of them, one is moved and costs its full size again. Keep ASLR (the default) instead.
already-patched = { $count ->
    [one] Already done: the fat binaries of 1 file are read-only.
   *[other] Already done: the fat binaries of { $count } files are read-only.
}
patch-look-for-answer = A patch cannot help there; to find what does:
restored = { $count ->
    [one] 1 file has its original bytes again; they were read back.
   *[other] { $count } files have their original bytes again; they were read back.
}
already-restored = { $count ->
    [one] Already done: 1 file has its original bytes.
   *[other] Already done: { $count } files have their original bytes.
}
nothing-restored = Nothing was restored.

### What was not done

refused = Refused, left as they are:
left-undone = Left alone, and you can change that:
left-alone = Left alone:
skipped = Not looked at:
skipped-count = { $count } × { $reason }
failures = { $count ->
    [one] 1 failure; all the rest was done:
   *[other] { $count } failures; all the rest was done:
}
failure-cause = { $cause }, while { $step }
failure-of-file = `{ $file }`: { $cause }
reason-line = { $word }: { $sentence }

reason-malformed = The file breaks the rules of the format; it may be damaged.
reason-driver = It is a driver, whose checksum and signature Windows checks.
reason-integrity-checked = Windows checks its signature whenever it is loaded.
reason-shared-or-code = The section is shared between processes or holds code.
reason-packed = Its GPU code is compressed and unpacked in place at load: read-only, it would crash.
reason-not-fatbin = The section does not hold GPU code from start to end, so something may write to it.
reason-written-at-load = Windows itself writes into the section when it loads the image.
reason-signed = A change would break its signature; `--allow-signed` patches it all the same.

left-links-outside = Other names (hard links) outside the selection share the file: select those too, or let `--links break` make a copy.
left-in-use = A program uses it: close Python and whatever loaded it, then try again; or add `--in-use replace`.
left-in-use-by = In use by { $holders }: close that, then try again; or add `--in-use replace`.
holder = { $name } ({ $pid })
holders-and = { $first }, { $next }
left-access-denied = You may not change it: run this again as the owner of the file, or with sudo.
left-access-denied-windows = You may not change it: run this in a terminal started as administrator.
left-read-only-attribute = Its read-only attribute is set: `--force` changes it all the same.
left-no-space = The disk has no room for a copy: free some space, or let `--links share` change the shared file itself.
left-unsettled = A run that ended early left it half done, and it could not be settled.
left-stale = It is not the file that was patched any more (updated or replaced since): not touched.
left-patched-later = A later run patched it again: undo that run first.
left-nothing-to-restore-from = Nothing tells what its original bytes were; `--infer` makes its GPU code writable again without proof.
left-not-found = It is gone.
left-backup-exists = Another file stands where its backup would go: move that away, or leave out `--backup`.

skipped-link = link inside a folder (not followed; name it to include it)
skipped-placeholder = file that is only in the cloud
skipped-vanished = vanished meanwhile
skipped-special = neither file nor folder
skipped-unsettled = left unsettled by a run that ended early (the next patch or restore settles it)
skipped-bad-record = journal with lines that are not understood (kept; see `fixnvpe history`)

code-access-denied = access denied
code-in-use = in use by another program
code-read-only = read-only file or disk
code-no-space = no space left on the disk
code-not-found = no such file or folder
code-malformed = damaged image
code-not-pe = no Windows program or DLL
code-unsupported = a kind of image that is not supported
code-changed = changed by someone else meanwhile
code-bad-record = a line of the journal is not understood
code-io = the system reports an error

step-collect = looking for files
step-open = opening it
step-read = reading it
step-judge = judging it
step-journal = keeping the journal
step-copy = copying it
step-write = writing it
step-sync = making it durable
step-read-back = reading it back
step-rename = renaming it
step-link = linking it
step-remove = removing a leftover
step-attributes = setting its attributes
step-settle = settling an earlier run
step-hash = hashing it
step-map = mapping it into a process

### History

history-is-empty = Nothing was patched yet.
history-unsettled = A run that ended early is unsettled: the next patch or restore settles it.
history-undo = To undo the last patch that is in force:
runs-files = { $count ->
    [one] { $count } file
   *[other] { $count } files
}

### Inspect

kind-dll-32 = DLL, 32 bits, { $machine }
kind-dll-64 = DLL, 64 bits, { $machine }
kind-program-32 = program, 32 bits, { $machine }
kind-program-64 = program, 64 bits, { $machine }
inspect-what = { $kind }, { $size } ({ $bytes } bytes)
inspect-aslr-on = ASLR on, preferred address { $base }
inspect-aslr-off = ASLR off, preferred address { $base }
inspect-signed = signed
inspect-unsigned = not signed
inspect-guard-cf = control flow guard on
checksum-unset = CheckSum not set
checksum-set = CheckSum { $value } (not verified: `--checksum` reads the whole file)
checksum-impossible = CheckSum { $value }, which no file of this size has
checksum-valid = CheckSum { $value }, right
checksum-wrong = CheckSum { $value }, wrong: it should be { $right }
inspect-writable = Writable: every process pays for GPU code that is never written. `fixnvpe patch` ends that.
inspect-read-only = Read-only: its GPU code costs a process no commit. There is nothing to do.
inspect-no-fatbin = No GPU code: there is nothing to patch.
inspect-refused = Refused: it must stay as it is.
inspect-commit = A process that loads it pays { $now } of commit, after a patch { $after }.
inspect-commit-now = A process that loads it pays { $now } of commit.
inspect-bytes = { $count ->
    [one] A patch would change 1 byte.
   *[other] A patch would change { $count } bytes.
}
inspect-code = GPU code in { $section }: modules { $modules }, elements { $elements }, size { $bytes }, compression { $compression }.
inspect-gaps = { $count ->
    [one] One run of zeros between them: { $bytes }.
   *[other] { $count } runs of zeros between them: { $bytes }, the largest { $largest }.
}
compression-none = none
inspect-imports = Imports: { $names }
inspect-delay-imports = Imports on first use: { $names }
inspect-no-imports = Imports nothing.
inspect-imports-unreadable = The table of imports is damaged.

### Help

help-heading-usage = Usage:{" "}
help-heading-commands = Commands
help-heading-arguments = Arguments
help-heading-options = Options
help-heading-selection = Selection
help-heading-policy = What may be changed
help-heading-work = Work
help-heading-output = Output

help-fixnvpe =
    Make the GPU code in CUDA DLLs read-only, so that Python processes no longer
    pay memory for it (Windows error 1455, "the paging file is too small").
help-after-fixnvpe =
    Examples:
      fixnvpe doctor
      fixnvpe scan C:\Users\me\miniconda3\envs\yolo
      fixnvpe patch C:\Users\me\miniconda3\envs\yolo
      fixnvpe restore --last

    The older script's command line works too, as `patch` with ASLR kept:
      fixnvpe --input "C:\path\*.dll" [-r] [--backup B]

    Sizes: 1 KB is 1,024 bytes, 1 MB 1,024 KB, 1 GB 1,024 MB, as Windows counts.
    JSON always has bytes.

    Exit codes:
      0    done, or nothing to do
      1    a file failed, or a named path does not exist; the rest was done
      2    the command line cannot be followed; nothing was started
      3    scan --check found a writable image, or verify a modified file
      4    something was left undone, and you can change that
      130  interrupted
help-scan = Show what is there and what it costs
help-after-scan =
    Examples:
      fixnvpe scan C:\envs\yolo
      fixnvpe scan "D:\ai\**\torch\lib\*.dll" --exclude old
      fixnvpe scan C:\envs --check && echo nothing to patch
      fixnvpe scan C:\envs --json -o report.json --redact
help-patch = Make fat binaries read-only
help-after-patch =
    Examples:
      fixnvpe patch C:\envs\yolo --dry-run
      fixnvpe patch C:\envs\yolo
      fixnvpe patch "D:\my envs\yolo\Lib\site-packages\torch\lib"

    A few bytes of each file change, in place. Undo data goes to the state
    folder, nothing is left beside the files. `fixnvpe restore` gives back every
    byte.
help-restore = Give back the originals
help-after-restore =
    Examples:
      fixnvpe restore --last
      fixnvpe restore --run 20261130T172900123Z-5f0c2a91
      fixnvpe restore C:\envs\yolo
help-inspect = Show one image in full
help-after-inspect =
    Example:
      fixnvpe inspect C:\envs\yolo\Lib\site-packages\torch\lib\torch_cuda_cu.dll
help-history = Show what was done, by run
help-completions = Print the completions for a shell
help-after-completions =
    Examples:
      fixnvpe completions powershell >> $PROFILE
      fixnvpe completions bash > ~/.local/share/bash-completion/completions/fixnvpe
help-man = Print the manual page
help-schema = Print the JSON Schema of a document

help-arg-help = Show this help
help-arg-version = Show the version
help-arg-paths = Files, folders (searched to the bottom for .dll, .pyd and .exe) and patterns (*, ?, **, [ab], {"{"}a,b{"}"}); a path that exists is taken as it is
help-arg-files-from = Work on the paths in FILE, one a line, or from standard input
help-arg-exclude = Leave out files and folders of this name, path or pattern (repeatable)
help-arg-check = End with code 3 if an image is writable
help-arg-dry-run = Say what would happen, and change nothing
help-arg-last = Undo the last run that patched
help-arg-run = Undo the run with this id
help-arg-everything = Undo every run
help-arg-aslr = Keep the ASLR flag (the default), or clear it as the older script did; that saves nothing, and is not done where Windows needs the flag
help-arg-allow-signed = Patch signed images too, which breaks their signature
help-arg-threads = Work on N files at a time [default: one for each processor]
help-arg-state-dir = Keep undo data in DIR [default: FIXNVPE_STATE_DIR, else a folder of the user or, with administrator rights, of the machine]
help-arg-no-progress = Show no progress bar
help-arg-json = Print one JSON document (ASCII)
help-arg-jsonl = Print one JSON value a line, as things happen
help-arg-output = Write the result to FILE (UTF-8)
help-arg-redact = Write homes as ~, and host and user as hashes
help-arg-lang = Language of the texts [default: the user's]
help-arg-quiet = Say nothing but warnings and errors
help-arg-verbose = Show full paths, all of them, and details
help-arg-color = Colours: auto, always, never [default: auto]
help-arg-file = A DLL, .pyd or .exe file
help-arg-checksum = Verify the CheckSum, which reads the whole file
help-arg-shell = bash, elvish, fish, powershell or zsh
help-arg-document = scan, patch, restore, verify, inspect, history, envs, doctor, explain, measure, events or error
help-arg-input = Files to patch, as a pattern
help-arg-recursive = Let ** stand for any number of folders
help-arg-backup = Leave a copy of the original beside each file, as NAME_bak [default: none]
help-arg-links = Files with names (hard links) outside the selection: auto and break give the selected names a copy, share changes the file for all, skip leaves it alone [default: auto]
help-arg-in-use = Files that a program uses: leave them alone, or put a successor in their place [default: skip]
help-arg-force = Change files whose read-only attribute is set, and set it again
help-arg-infer = Where nothing tells the original bytes, make the GPU code writable again, unproven
help-arg-remove-backups = Remove each NAME_bak that is the same as the restored file

### Environments

root-is-no-folder = `--root`: there is no folder `{ $root }`.
roots-are-wrong = `--root` is not understood.
no-such-kind = There is no kind of environment `{ $kind }`.
no-environment-of-kind = No environment of the kind { $kind } was found.
no-such-environment = No environment is called `{ $name }`.
environment-name-is-shared = Several environments are called `{ $name }`: give the prefix of one.
use-prefix = `--env "{ $prefix }"`
no-active-environment = No environment is active in this terminal.
scan-finds-nothing = a scan of all environments finds nothing to patch
scan-finds = a scan finds { $images } writable images in { $environments } environments; a process in the dearest, { $name }, pays { $now }
likely-command = `{ $command }`
likely-command-cmd = in cmd: `{ $command }`
likely-command-powershell = in PowerShell: `{ $command }`
shell-cmd = in cmd:
shell-powershell = in PowerShell:
see-envs = `fixnvpe envs` lists the environments; `--deep` looks on whole drives.
progress-environments = Looking for environments
column-kind = Kind
column-name = Name
column-python = Python
column-cuda = CUDA packages
environments-found = { $count ->
    [0] No Python environment was found.
    [one] 1 Python environment.
   *[other] { $count } Python environments.
}
environments-scanned = { $count ->
    [0] No Python environment is among them.
    [one] They are those of 1 Python environment.
   *[other] They are those of { $count } Python environments.
}
caches-found = { $count ->
    [one] 1 package cache:
   *[other] { $count } package caches:
}
toolkits-found = { $count ->
    [one] 1 CUDA toolkit:
   *[other] { $count } CUDA toolkits:
}
looked-in = Looked in { $places } known places and { $folders } folders.
places-skipped = { $count ->
    [one] 1 place could not be looked at:
   *[other] { $count } places could not be looked at:
}
place-skipped = { $path }: { $reason }
place-access-denied = you may not read it
place-path-too-long = the path is too long for the system
place-cloud-placeholder = it is only in the cloud
place-drive-missing = its drive is not here
place-network = it is on another computer
place-malformed = it is not understood
place-too-large = it is larger than such a file should be
place-unreadable = the system could not read it
help-heading-place = Where to look
help-envs = List the Python environments of this machine
help-after-envs =
    Examples:
      fixnvpe envs
      fixnvpe envs --kind conda,venv --deep
      fixnvpe envs --root C=/mnt/c --root D=/mnt/d
      fixnvpe envs --places
help-arg-environments = The environment of this name or prefix (repeatable)
help-arg-this-env = The environment that is active in this terminal
help-arg-kind = All environments of these kinds: conda, venv, uv, portable, ...
help-arg-all-envs = Every environment of this machine
help-arg-caches = The package caches too (conda pkgs, uv, rattler)
help-arg-toolkits = The installed CUDA toolkits too
help-arg-root = Look on a Windows disk that is mounted in DIR (repeatable) [drive C without LETTER]
help-arg-deep = Look on whole drives, not only in the places where environments usually lie
help-arg-places = Print where environments are looked for

### Verify

column-state = State
column-record = Recorded by
file-state-pristine = pristine
file-state-patched = patched
file-state-modified = MODIFIED
file-state-unknown = unknown
verify-no-images = There is no image with GPU code here. A file that is named is verified whatever it holds.
verify-all-pristine = { $count ->
    [one] 1 file has exactly the bytes that its package installed.
   *[other] All { $count } files have exactly the bytes that their packages installed.
}
verify-summary = { $pristine } pristine, { $patched } patched, { $modified } modified, { $unknown } unknown.
verify-modified = { $count ->
    [one] Modified: 1 file has neither the recorded bytes nor those of a patch. Something else changed or damaged it. Its package can be installed again, in its environment and from where it came (packages of pytorch.org need their `--index-url`):
   *[other] Modified: { $count } files have neither the recorded bytes nor those of a patch. Something else changed or damaged them. Their packages can be installed again, in their environment and from where they came (packages of pytorch.org need their `--index-url`):
}
verify-modified-cache = If the same bytes come back, the package cache shares them: empty it first (`conda clean --packages`, `uv cache clean PACKAGE`).
verify-unknown = { $count ->
    [one] Unknown: no package manager recorded a hash of 1 file, so nothing tells what it was. It lies in no environment, or what installed it keeps no hashes.
   *[other] Unknown: no package manager recorded a hash of { $count } files, so nothing tells what they were. They lie in no environment, or what installed them keeps no hashes.
}
verify-patched = { $count ->
    [one] Patched: 1 file has the recorded bytes once the patch is undone. To undo it:
   *[other] Patched: { $count } files have the recorded bytes once the patch is undone. To undo it:
}
help-verify = Compare files with the hashes that their packages recorded
help-after-verify =
    Examples:
      fixnvpe verify C:\envs\yolo
      fixnvpe verify C:\envs\yolo\Lib\site-packages\torch --json

    Each file is read whole, compared with the RECORD of pip or uv or with
    conda-meta, and called pristine, patched (pristine once a patch is undone,
    whichever tool patched it), modified or unknown.

backups-freed = Backups (`_bak`) of the same bytes were removed: { $size } are free again.
backups-would-free = Backups (`_bak`) of the same bytes would be removed, which frees { $size }.

### Advice

list-separator = ,{" "}
doctor-label = { $severity }:{" "}
doctor-label-of = { $severity }, { $name }:{" "}
doctor-more = { $count ->
    [one] One more that is good to know: --verbose shows it, with reasons and every step.
   *[other] { $count } more that are good to know: --verbose shows them, with reasons and every step.
}
doctor-others = { $count ->
    [one] One other environment has writable DLLs:
   *[other] { $count } other environments have writable DLLs:
}
doctor-others-next = To look at the first of them:
doctor-nothing = Nothing to mend was found: no DLL here makes a process pay for GPU code that it never writes. If Python fails all the same, the text of the error says more; give it, or the file that it is in:
facts-machine = This machine: { $parts }.
facts-environment = { $name }: { $parts }.
facts-memory = { $size } RAM
facts-commit = commit { $used } of { $limit }
facts-page-file-off = no page file
facts-page-file-automatic = page file managed by Windows
facts-page-file-fixed = page file of at most { $size }
facts-cores = { $count ->
    [one] 1 core
   *[other] { $count } cores
}
facts-gpu = { $name } (compute capability { $capability })
facts-gpu-alone = { $name }
facts-driver = NVIDIA driver { $version }
facts-torch-cuda = torch { $version } (CUDA { $cuda })
facts-package = { $name } { $version }
explain-copied = The clipboard was read: it shows { $kind }.
explain-copied-nothing = The clipboard was read: it shows no error that is known here.
explain-unreadable = `{ $file }` cannot be read.
explain-no-file = there is no file `{ $file }`; it was taken as the text of an error.
kind-missing-main-guard = a script without a main guard
kind-model-loading = the commit limit while a model was loaded (1455)
kind-commit-limit = the commit limit (1455)
kind-thread-buffers = thread buffers of OpenBLAS
kind-allocation = a refused allocation on the CPU
kind-policy-blocked = a file that a policy blocks (4551)
kind-not-an-image = a file that is no valid program (193)
kind-init-failed = a DLL whose own start failed (1114)
kind-missing-function = a missing function (127)
kind-missing-file = a missing DLL (126)
kind-cuda-out-of-memory = GPU memory that is used up
kind-dll-load-failed = a DLL that could not be loaded
help-doctor = Say what is wrong, which answer is best, and what to type
help-after-doctor =
    Examples:
      fixnvpe doctor
      fixnvpe doctor --workers 8
      fixnvpe doctor --env yolo --verbose
      fixnvpe doctor C:\portable\ComfyUI --pinned

    Nothing is started and nothing changed. Without a selection every
    environment is examined; the one that pays most is shown in full.
help-explain = Say what an error text means here, and what to do
help-after-explain =
    Examples:
      fixnvpe explain 1455
      fixnvpe explain train.log
      python train.py 2>&1 | fixnvpe explain -

    Logs may be UTF-8, UTF-16 or in the code page of the country. Without an
    argument the text is read from standard input; in a terminal from the
    clipboard if that shows an error, else it is pasted and ends at an empty line.
help-arg-workers = Reckon with N worker processes (num_workers) beside the main one
help-arg-pinned = The versions of the packages have to stay as they are
help-arg-imports = Reckon with processes that import these modules [default: the CUDA frameworks that are installed]
help-arg-text = An error text or number, a file that holds it, or - for standard input

### Measure

column-system = System
column-more = More
column-each-process = Each process
column-measured = Measured
column-calculated = Calculated
column-today = Now
column-saved = Saved
measure-nothing-hint = name an environment (`--env NAME`), files or a folder, or a Python with `--python NAME --import torch`
measure-several = The selection holds images of { $count } environments: no process loads them all, so that no figure would be true. Measure one:
measure-no-program = No Python program was found for `{ $name }`.
measure-no-module = Nothing tells what Python should import: name it with `--import`.
measure-failed = Nothing could be measured.
measure-ended-hint = does the import work in a terminal where the environment is active? Run this in that terminal
measure-interrupted = Interrupted before anything was measured; all processes were ended.
measure-not-all = Interrupted: not all processes were started, and all of them were ended.
against-unreadable = `--against`: `{ $file }` cannot be read.
against-is-another = `--against`: `{ $file }` is a `{ $schema }` document, not one of `fixnvpe measure`.
against-is-broken = `--against`: `{ $file }` is no whole document of `fixnvpe measure -o`.
help-measure = Measure what processes really cost (on Windows)
help-after-measure =
    Examples:
      fixnvpe measure --env yolo --workers 8 -o before.json
      fixnvpe patch --env yolo
      fixnvpe measure --env yolo --workers 8 --against before.json
      fixnvpe measure --python yolo --import torch,cv2
      fixnvpe measure C:\envs\yolo\Lib\site-packages\torch\lib --each

    Processes map the selected images that hold GPU code, and every file that is
    named, as Windows does when it loads them; nothing of them runs. With
    --python the environment's own Python imports, as a training script does.
    All processes end with the command. With -o the file takes the JSON document,
    and the table is still shown.
help-measured-process = Be a process that `measure` looks at
help-arg-worker-processes = Start N worker processes beside the main one [default: 1]
help-arg-each = Show what each image costs
help-arg-python = Measure the Python of this environment instead
help-arg-modules = What it imports [default: the CUDA frameworks that are installed]
help-arg-against = Compare with the measurement that `-o` or --json kept in FILE

first-commands = Commands to try next:
