# Sentences of `doctor`, `explain` and `measure`. The ids of findings, kinds and
# parts come from the crate fixnvpe-doctor, which also tests that both languages
# have each of them, with no other values than it gives.
# A finding has one sentence for the screen, and `-more` for those who ask.

### Severity

doctor-severity-high = now
doctor-severity-medium = worth doing
doctor-severity-low = good to know

### Findings: the stack

doctor-no-code-for-gpu = { $package } has no code for your GPU ({ $gpu }, compute capability { $capability }): it cannot use it.
doctor-no-code-for-gpu-more = The GPU code in its DLLs is for { $architectures }. Machine code runs on GPUs of the same major compute capability and an equal or higher minor one. Install a build that has code for this GPU.

doctor-upgrade = Upgrading is the best answer: torch { $torch } was built { $cuda_known ->
    [no] before the fix
   *[other] with CUDA { $cuda }, before the fix
}. The smallest step is { $smallest }{ $same ->
    [yes] {""}
   *[no] , the current one that keeps your Python{ $gpu_known ->
        [yes] {" "}and GPU
       *[no] {""}
    } is { $current }
}{ $gpu_known ->
    [yes] .
   *[no] {" "}(your GPU could not be asked: the check after it tells).
}
doctor-upgrade-more = CUDA 11.7 and later leave the GPU code of a DLL read-only, so that no process pays for it (here { $saved } each), and no file has to be changed.{ $stays_any ->
    [yes] {" "}DLLs of other packages stay writable ({ $stays } each): patch them, or upgrade those packages.
   *[no] {""}
} Builds as of { $as_of }. Try it in a fresh environment first; each command is followed by a check that the GPU is still found.

doctor-patch = { $situation ->
    [upgrade] Or keep your versions and patch: { $images ->
        [one] one DLL makes every process that loads it
       *[other] { $images } DLLs make every process that loads them
    } pay { $saved } for nothing.
    [bound] Patching is the answer, since something here was built for this torch ({ $bound }). It takes { $saved } off each process that loads { $images ->
        [one] the one writable DLL
       *[other] the { $images } writable DLLs
    }.
    [pinned] Patching is the answer while your versions stay: it takes { $saved } off each process that loads { $images ->
        [one] the one writable DLL
       *[other] the { $images } writable DLLs
    }.
    [no_upgrade] Patching is the answer here: it takes { $saved } off each process that loads { $images ->
        [one] the one writable DLL
       *[other] the { $images } writable DLLs
    }.
   *[other] { $images ->
        [one] One DLL makes every process that loads it pay { $saved } for nothing: patch it.
       *[other] { $images } DLLs make every process that loads them pay { $saved } for nothing: patch them.
    }
}
doctor-patch-more = All images of this environment together cost a process { $now } now and { $after } after a patch. The patch clears one bit in the header of each file, in place. Risks: an antivirus or a policy may object to a changed file, and a reinstall brings the original back. Environments that share the file by hard links keep the original (`--links share` changes it for all). `fixnvpe restore` gives back every byte.

doctor-upgrade-pinned = An upgrade to { $smallest } would end the problem as well, but { $bound_any ->
    [yes] { $bound } would have to be installed anew with it.
   *[no] your versions are to stay.
}
doctor-upgrade-pinned-more = Packages with compiled code are built for one version of torch; here it is { $torch }. { $same ->
    [yes] The step is { $smallest }.
   *[no] The smallest step is { $smallest }, the current one { $current }.
}{ $gpu_known ->
    [yes] {""}
   *[no] {" "}Your GPU could not be asked: the check after it tells.
} Builds as of { $as_of }. Try it in a fresh environment, and read their installation guides.

doctor-driver-too-old = An upgrade of torch { $torch } would help, but it needs an NVIDIA driver of version { $needed } or later; yours is { $driver }.
doctor-driver-too-old-more = Update the driver from NVIDIA's page, then run `fixnvpe doctor` again. Until then, patch.

doctor-no-upgrade-known = torch { $torch } is from before the fix, but no newer build { $conda ->
    [yes] of conda's channel `pytorch` {""}
   *[no] {""}
}is known that keeps { $python_known ->
    [yes] Python { $python }
   *[no] this Python (its version could not be read)
}{ $gpus_known ->
    [yes] {" "}and { $gpus }.
   *[no] .
}
doctor-no-upgrade-known-more = The table of builds is as of { $as_of }.{ $conda ->
    [yes] {" "}That channel ended with torch 2.5; wheels from pip beside a torch of conda would leave two of it, so that a newer one needs a new environment.
   *[no] {""}
} The page below lists what PyTorch offers; a newer Python or another GPU may have more.

doctor-signed-writable = { $images ->
    [one] One writable DLL is
   *[other] { $images } writable DLLs are
} left alone for a digital signature: { $bytes } in each process that loads { $file }.
doctor-signed-writable-more = Ordinary loading does not look at the signature. Smart App Control, WDAC and AppLocker may refuse the changed file (error 4551): look at what would happen first, and try one file.

doctor-refused = { $images ->
    [one] One DLL has
   *[other] { $images } DLLs have
} writable GPU code that must stay so ({ $reasons }): { $bytes }, most of it in { $file }.
doctor-refused-more = A patch would break them; `fixnvpe scan` says why for each. Only a newer version of the package helps.

doctor-refused-small = { $images ->
    [one] One DLL has
   *[other] { $images } DLLs have
} writable GPU code that must stay so ({ $reasons }): { $bytes }, most of it in { $file }.
doctor-refused-small-more = A patch would break them; `fixnvpe scan` says why for each. Only a newer version of the package helps.

### Findings: workers and budget

doctor-budget-exceeded = { $workers } workers do not fit: with the main process they need { $total } for DLLs alone, and { $headroom } are left. { $any_fits ->
    [yes] At most { $largest } fit now{ $fits_after ->
        [yes] ; after a patch all of them do, as far as DLLs go.
       *[no] , { $largest_after } after a patch.
    }
   *[no] Not even the main process fits now{ $fits_after ->
        [yes] ; after a patch all of them do, as far as DLLs go.
       *[no] .
    }
}{ $grows ->
    [yes] {" "}Windows may enlarge its page file to { $grows_to } by itself; what asks for much at once can be refused meanwhile.
   *[no] {""}
}
doctor-budget-exceeded-more = Each worker is a process of its own that loads what the main process loads: { $per_process } each, { $total } in all, { $total_after } after a patch. Python, your data and the CUDA driver come on top. { $page_file_known ->
    [yes] A page file of { $page_file } would make their DLLs fit as they are.
   *[no] How large the page file would have to be is not known.
}

doctor-workers-many = { $workers } workers are many for { $cores ->
    [one] one core
   *[other] { $cores } cores
}: try num_workers={ $suggested }.
doctor-workers-many-more = Each worker costs its DLLs, Python and its batches. Beyond half of the cores, or beyond 8, more of them rarely load faster; measure iterations per second before you add more.

doctor-persistent-workers = persistent_workers=True saves the restart of { $workers ->
    [one] the worker
   *[other] { $workers } workers
} in each epoch, and keeps their commit all the time{ $held_any ->
    [no] .
   *[other] : { $held } for DLLs.
}
doctor-persistent-workers-more = It helps where epochs are short, since starting a worker means importing everything again. It costs where two loaders (training and validation) keep their workers at once: then both sets are charged.

doctor-pin-memory = pin_memory=True can speed up copies to { $gpu }, at the price of RAM that Windows cannot page out.
doctor-pin-memory-more = It helps where batches are large and copied with non_blocking=True. It does not lower commit: if memory is short, leave it off first.

doctor-blas-threads = { $library } makes buffers for each of { $processors } threads in every process: set this variable before Python starts if commit is short.
doctor-blas-threads-more = Reported: 25 to 30 MB for each core in each process that imports numpy, and 4.3 GB for one program on 12 cores. Workers that only load data lose nothing with one thread.

### Findings: page file and commit

doctor-page-file-off = There is no page file: Windows can promise no more than the { $memory } of RAM, used or not. { $needed_known ->
    [yes] Let Windows manage one on { $drive }, or give it { $needed }.
   *[no] Let Windows manage one on { $drive }.
}
doctor-page-file-off-more = Error 1455 says that a promise was refused, not that RAM is full. A page file backs promises that are never used, so that little is ever written to it. It costs disk space of its size; on an SSD the wear is small as long as RAM suffices for what is really used.

doctor-page-file-small = The page file may grow to { $largest } only; { $workers ->
    [0] { $environment } needs
    [one] one worker of { $environment } needs
   *[other] { $workers } workers of { $environment } need
} { $needed }{ $helped ->
    [yes] . After a patch what you have is enough for the DLLs.
   *[no] , { $needed_after } after a patch.
}
doctor-page-file-small-more = Set it on { $drive } to system-managed, or its maximum to at least this size, and restart Windows. It costs disk space of its size; on an SSD the wear is small as long as RAM suffices for what is really used.

doctor-page-file-no-room = Windows can let the page file on { $drive } grow to { $largest } only{ $free_known ->
    [yes] {" "}({ $free } free)
   *[no] {""}
}; { $workers ->
    [0] { $environment } needs
    [one] one worker of { $environment } needs
   *[other] { $workers } workers of { $environment } need
} { $needed }{ $helped ->
    [yes] . After a patch what you have is enough for the DLLs.
   *[no] , { $needed_after } after a patch.
}
doctor-page-file-no-room-more = A system-managed page file grows to three times the RAM, but not beyond an eighth of its drive or what is free on it. Free space on { $drive }, or add a page file of a fixed size on another drive.

doctor-commit-nearly-full = { $used } of { $limit } of commit are in use: only { $headroom } can still be promised, whatever the RAM shows as free.
doctor-commit-nearly-full-more = Close what is not needed (the column "Commit size" of Task Manager's details shows who has it), or let the page file grow.

### Findings: files

doctor-signed-patched-blocked = Smart App Control is on, and { $images ->
    [one] a signed DLL was
   *[other] { $images } signed DLLs were
} patched: Windows may block { $file } (error 4551). Give the original back.
doctor-signed-patched-blocked-more = The patch changes the file, so that its signature no longer fits. Restoring brings it back, since it brings every byte back.

doctor-signed-patched = { $images ->
    [one] A signed DLL was
   *[other] { $images } signed DLLs were
} patched ({ $file }): if Windows ever blocks it (error 4551), give the original back.
doctor-signed-patched-more = Ordinary loading does not look at the signature. Smart App Control, WDAC and AppLocker may.

doctor-aslr-collisions = { $images } DLLs lost ASLR and want the same address ({ $base }): they collide, and Windows may charge them in full again. Restore, then patch again.
doctor-aslr-collisions-more = An older script clears ASLR. Of several DLLs linked for one address only the first gets it; the others are moved, and pages that are changed by that are private to each process. This project keeps ASLR: nothing is gained without it. Among them: { $files }.

doctor-script-leftovers = { $backups ->
    [0] { $unfinished ->
        [one] An unfinished copy (`_mod`) lies beside a DLL
       *[other] { $unfinished } unfinished copies (`_mod`) lie beside DLLs
    }
    [one] A backup (`_bak`) lies beside a DLL
   *[other] { $backups } backups (`_bak`) lie beside DLLs
}: { $bytes }{ $again ->
    [yes] . To free the space: restore, then patch again.
   *[no] .
}
doctor-script-leftovers-more = { $backups } `_bak` (the originals, kept by an older script or by `--backup copy`), { $unfinished } `_mod` (unfinished); together { $files } files. They keep the folder alive after an uninstall, and stop the older script from running again. Restoring uses a `_bak` only where it is this version's original, and then frees the space{ $again ->
    [yes] ; until the DLLs are patched again they are writable.
   *[no] .
}

doctor-pip-leftovers = pip left { $folders ->
    [one] a folder
   *[other] { $folders } folders
} that it could not remove ({ $first }): { $bytes } that nothing uses.
doctor-pip-leftovers-more = It happens when Python still ran during an upgrade. Close Python, then delete the folders whose names begin with `~`.

### Findings: other causes

doctor-writable-data = { $bytes } of other writable data stay in these DLLs, most of it in { $file } ({ $largest }): no patch can help there.
doctor-writable-data-more = That is memory which the DLL really may write. A process pays for it when it loads the DLL.

doctor-model-loading = { $application ->
    [comfyui] Loading a model maps the whole file and can meet the same limit: try ComfyUI with --disable-mmap. It helped some and not others.
    [comfyui_portable] Loading a model maps the whole file and can meet the same limit: add --disable-mmap to the line in `run_nvidia_gpu.bat`. It helped some and not others.
   *[other] Loading a model with safetensors maps the whole file, and can meet the same limit: then DLLs are probably not the cause.
}
doctor-model-loading-more = The error then reads "(os error 1455)". A larger page file helps where the model is larger than what can be promised; a smaller or quantised model always does.

doctor-dlls-fine = The DLLs here are fine: GPU code is read-only in { $images ->
    [one] the one image that has any
   *[other] all { $images } images that have any
}. If you see error 1455, its cause is another one.
doctor-dlls-fine-more = Paste the error text into `fixnvpe explain`. Likely causes: too many workers, a page file that is too small, thread buffers, a large model.

doctor-no-environment = No Python environment was found.
doctor-no-environment-more = `fixnvpe envs` shows where it looked; `--deep` looks through whole drives; a folder can be named directly.

doctor-not-windows = This system does not charge writable DLL pages in advance: the problem is one of Windows. The DLLs are examined all the same.
doctor-not-windows-more = To look at a Windows disk from here, name it with --root.

### Steps

doctor-step-upgrade-smallest = smallest upgrade
doctor-step-upgrade-current = current version
doctor-step-try-fresh = try it beside
doctor-step-check = check the GPU
doctor-step-preview-patch = what a patch would do
doctor-step-patch = patch
doctor-step-patch-again = patch again
doctor-step-restore = undo
doctor-step-free = free the space
doctor-step-look = look
doctor-step-set = set
doctor-step-read = read

doctor-action-open = Run `{ $program }`, then: Advanced tab > Virtual memory: Change > clear "Automatically manage" > pick the drive > "System managed size" or "Custom size" > Set > OK, and restart Windows.
doctor-action-declare = let { $tool } install { $packages } from { $from }, by the project's own file: what is installed past it, its next run undoes
doctor-action-conda = In Anaconda Prompt (or Miniforge Prompt):
doctor-action-page = { $url }
doctor-action-remove = delete `{ $path }` by hand, while no Python runs

### Budget

doctor-budget-title = Commit for DLLs
doctor-budget-imports = A process that imports { $modules } pays { $now } for { $images ->
    [one] one DLL
   *[other] { $images } DLLs
}; after a patch { $after }.
doctor-budget-everything = A process that loads every DLL of this environment pays { $now }; after a patch { $after }.
doctor-budget-workers = { $workers ->
    [one] One worker
   *[other] { $workers } workers
} and the main process: { $total }; after a patch { $total_after }.
doctor-budget-headroom = Windows can still promise { $headroom }: as far as DLLs go, enough for { $largest ->
    [one] one worker
   *[other] { $largest } workers
} now, { $many_after ->
    [yes] one on each of your { $cores } cores
   *[no] { $largest_after }
} after a patch.
doctor-budget-headroom-enough = Windows can still promise { $headroom }: as far as DLLs go, enough for a worker on each of your { $cores } cores.
doctor-budget-headroom-none = Windows can still promise { $headroom }: not enough for the main process now.
doctor-budget-grows = Windows may enlarge its page file to { $grows_to } by itself; what asks for much at once can be refused meanwhile.
doctor-budget-page-file = For their DLLs they need a page file of { $page_file } in all; after a patch { $enough_after ->
    [yes] the present one is enough for the DLLs
   *[no] { $page_file_after }
}.
doctor-unknown-modules = Not installed in any of these environments: { $modules }.
doctor-unknown-modules-hint = check the spelling, or leave `--import` out: it then goes by the CUDA frameworks that are installed
doctor-budget-not-counted = Not counted: { $parts }.
doctor-not-counted-python = Python itself
doctor-not-counted-data = your data and the model
doctor-not-counted-cuda-driver = the CUDA driver
doctor-not-counted-thread-buffers = thread buffers of OpenBLAS or MKL

### Comparison

doctor-compare-title = Three answers compared
doctor-compare-answer = answer
doctor-compare-gain = gain
doctor-compare-cost = cost
doctor-compare-when = when

doctor-compare-upgrade = upgrade
doctor-compare-upgrade-gain = { $saves } less in each process, the cause gone for good, and bugs with it{ $leaves_any ->
    [yes] ; DLLs of other packages stay writable ({ $leaves })
   *[no] {""}
}
doctor-compare-upgrade-cost = a download of 2 to 3 GB; other packages may have to follow; results may change
doctor-compare-upgrade-when = whenever your versions are free
doctor-compare-patch = patch
doctor-compare-patch-gain = { $saves } less in each process that loads these DLLs, in a second, undone at any time
doctor-compare-patch-cost = changed files: an update brings the originals back; a policy on signed files may object
doctor-compare-patch-when = the versions are pinned, or no newer build fits
doctor-compare-page-file = page file
doctor-compare-page-file-gain = Windows promises more; each process still pays the same
doctor-compare-page-file-cost = disk space: { $disk_known ->
    [no] as much as it grows by
   *[other] { $disk } more
}; writes to the disk once RAM is really full
doctor-compare-page-file-when = the DLLs are fine, or you may not change files

doctor-upgrades-as-of = Upgrades as of { $as_of }.

### Explanations

explain-missing-main-guard = The script starts worker processes while it is being imported by one. Windows starts each worker by running the script again, so that it needs a guard.
explain-missing-main-guard-todo = Put everything that runs below `if __name__ == "__main__":`. It has nothing to do with memory.

explain-model-loading = Windows refused to promise memory for a model file that is mapped as a whole (error 1455). It is the commit limit, RAM and page file together, not free RAM; DLLs are probably not the cause.
explain-model-loading-todo = Close what is not needed, let Windows manage the page file on a drive with room, use a smaller or quantised model, or the application's switch against mapping (ComfyUI: --disable-mmap, which helped some and not others).

explain-commit-limit = Windows refused to promise memory (error 1455): the commit limit, RAM and page file together, was reached, however much RAM is free. The DLL in the message is only the one that met the limit.
explain-commit-limit-todo = Look at the whole environment: DLLs whose GPU code is writable make each process pay for it. Then upgrade, patch, use fewer workers, or enlarge the page file; `fixnvpe doctor` says which.

explain-thread-buffers = OpenBLAS could not get buffers for its threads: it wants them for each core, in each process. With many cores and workers that reaches the commit limit.
explain-thread-buffers-todo = Set OPENBLAS_NUM_THREADS=1 (with MKL: MKL_NUM_THREADS=1) before Python starts, and use fewer workers.

explain-allocation = PyTorch or NumPy asked Windows for a block of memory on the CPU and was refused. Either the block is too large (the message says how large), or the commit limit was reached.
explain-allocation-todo = If the size in the message is absurd, the script makes too large a tensor or array: fix that. Else it is the commit limit: see what `fixnvpe doctor` says.

explain-policy-blocked = A policy of Windows blocks the file (error 4551): Smart App Control, WDAC or AppLocker. It looks at signatures and known files, and a changed or unsigned DLL may fail that.
explain-policy-blocked-todo = If the file was patched, give the original back. If it was not, the policy blocks the package itself: ask who set it, or see Windows Security > App & browser control.

explain-not-an-image = The file is not a valid program for this Windows (error 193): truncated by a broken download or a full disk, or 32-bit where Python is 64-bit. Memory is not the cause.
explain-not-an-image-todo = Look at the file, then install its package anew (pip: --force-reinstall --no-cache-dir).

explain-init-failed = The DLL was found and loaded, and its own start failed (error 1114). With torch's c10.dll it is mostly a Microsoft Visual C++ runtime that is too old; it can also be the commit limit.
explain-init-failed-todo = Install the current Visual C++ runtime (x64) and restart Python; then look at commit with `fixnvpe doctor`.

explain-missing-function = A DLL lacks a function that another one needs (error 127): two versions that do not belong together.
explain-missing-function-todo = Install torch, torchvision and torchaudio together in versions that belong together, best in a fresh environment; a DLL of the same name found earlier on PATH does the same.

explain-missing-file = The DLL, or one that it needs, is missing (error 126): the file that the message names may well be there. Memory is not the cause.
explain-missing-file-todo = Install the current Visual C++ runtime (x64), then the package anew; check that an antivirus did not remove a file.

explain-cuda-out-of-memory = The memory of the GPU is used up, which is another thing than commit and page file.
explain-cuda-out-of-memory-todo = Make the batch or the model smaller, use mixed precision, and end other programs on the GPU. A page file does not help, and neither does a patch.

explain-dll-load-failed = A DLL could not be loaded, and the text does not say why: the number is missing (WinError ...).
explain-dll-load-failed-todo = Look at the environment with `fixnvpe doctor`, and at the lines before and after: the number tells the cause.

explain-unknown = This text shows no error that is known here.
explain-unknown-todo = Give the whole traceback, above all the line with the number (WinError ..., os error ...). `fixnvpe doctor` looks at the machine in any case.

explain-dll = DLL: { $dll }
explain-environment = environment: { $prefix }
explain-others = The text also shows: { $kinds }.
explain-here = For this environment, `doctor` finds:
explain-not-here = That environment was not found on this machine.
explain-paste = Paste the error text, then press Enter on an empty line:
explain-nothing = There is no text to explain.

### Measurements

measure-images = Measured: { $processes ->
    [one] one process that maps
   *[other] { $processes } processes, each of which maps
} { $images ->
    [one] one image
   *[other] { $images } images
}; nothing of what is mapped runs.
measure-python = Measured: { $processes ->
    [one] one Python that imports
   *[other] { $processes } times the Python that imports
} { $modules } ({ $program }).
measure-before = Before
measure-with = { $processes ->
    [one] With 1 process
   *[other] With { $processes } processes
}
measure-after = Once they ended
measure-range = { $least } to { $most }
measure-not-windows = Commit is accounted on Windows only: there is nothing to measure here.
measure-nothing = Nothing was selected to measure.
measure-per-process = A process pays { $bytes } for what it loads; an idle one has { $idle }.
measure-calculated = By the headers of the images it should be { $calculated }: { $difference } beyond that.
measure-calculated-python = The DLLs account for { $calculated } of it by their headers; the rest ({ $difference }) is what Python and the modules make for themselves.
measure-error = error { $number }
measure-stopped = Only { $ready ->
    [one] one process
   *[other] { $ready } processes
} got ready; the next one met a limit:
measure-compared = Compared with the earlier measurement:
measure-one = A process, for what it loads
measure-all = The system, with { $processes ->
    [one] one process
   *[other] { $processes } processes
}
measure-not-same = The earlier measurement was of something else: the figures do not belong together.
measure-keep = To compare before and after a patch, keep this measurement:
measure-then = Next, patch and compare:
measure-is-compared = What is left is what these processes need: `fixnvpe doctor` says how many of them fit.
measure-nothing-writable = Nothing of this is writable: a patch would save nothing. `doctor` weighs the other answers:
