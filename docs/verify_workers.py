"""What DataLoader workers cost on this machine, before and after a change.

    python verify_workers.py                  8 workers, one short run
    python verify_workers.py --workers 4      another number of workers
    python verify_workers.py --json           one line of JSON, to keep and compare

Prints the commit of the main process and of each worker (on Windows: the
"Commit size" of Task Manager, where error 1455 is decided), and iterations per
second of an empty loop over the data. The data are synthetic and below 100 MB;
nothing is written to disk. Run it twice, once before and once after an upgrade
or `fixnvpe patch`, on a machine that does nothing else meanwhile.

Everything that starts processes stands below the guard at the end: Windows
starts each worker by running this file again.
"""

import argparse
import json
import os
import sys
import time

# 94 MB of numbers of 4 bytes.
ITEMS = 1920
CHANNELS = 3
SIDE = 64
BATCH = 32
ROUNDS = 3


def commit_of(pid):
    """Commit of a process in bytes, or None where it cannot be read."""
    if sys.platform == "win32":
        return _commit_on_windows(pid)
    try:
        with open("/proc/%d/status" % pid) as status:
            for line in status:
                # Private writable memory is the nearest that Linux counts.
                if line.startswith("VmData:"):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    return None


def _commit_on_windows(pid):
    import ctypes
    from ctypes import wintypes

    class Counters(ctypes.Structure):
        _fields_ = [
            ("cb", wintypes.DWORD),
            ("PageFaultCount", wintypes.DWORD),
            ("PeakWorkingSetSize", ctypes.c_size_t),
            ("WorkingSetSize", ctypes.c_size_t),
            ("QuotaPeakPagedPoolUsage", ctypes.c_size_t),
            ("QuotaPagedPoolUsage", ctypes.c_size_t),
            ("QuotaPeakNonPagedPoolUsage", ctypes.c_size_t),
            ("QuotaNonPagedPoolUsage", ctypes.c_size_t),
            ("PagefileUsage", ctypes.c_size_t),
            ("PeakPagefileUsage", ctypes.c_size_t),
            ("PrivateUsage", ctypes.c_size_t),
        ]

    kernel32 = ctypes.WinDLL("kernel32", use_last_error=True)
    kernel32.OpenProcess.argtypes = [wintypes.DWORD, wintypes.BOOL, wintypes.DWORD]
    kernel32.OpenProcess.restype = wintypes.HANDLE
    kernel32.K32GetProcessMemoryInfo.argtypes = [
        wintypes.HANDLE,
        ctypes.POINTER(Counters),
        wintypes.DWORD,
    ]
    kernel32.CloseHandle.argtypes = [wintypes.HANDLE]
    query_limited_information = 0x1000
    process = kernel32.OpenProcess(query_limited_information, False, pid)
    if not process:
        return None
    try:
        counters = Counters()
        counters.cb = ctypes.sizeof(counters)
        done = kernel32.K32GetProcessMemoryInfo(
            process, ctypes.byref(counters), counters.cb
        )
        return counters.PrivateUsage if done else None
    finally:
        kernel32.CloseHandle(process)


def shown(size):
    """A size as people read it: 1 MB is 1,048,576 bytes, as Windows counts."""
    if size is None:
        return "unknown"
    if size < 1 << 30:
        return "%d MB" % round(size / (1 << 20))
    return "%.2f GB" % (size / (1 << 30))


class Synthetic:
    """Items of zeros, made when they are asked for: no worker holds a data set."""

    def __len__(self):
        return ITEMS

    def __getitem__(self, index):
        import torch

        return torch.zeros(CHANNELS, SIDE, SIDE)


def measure(workers, pin_memory):
    """Runs the loop and reads the processes while all of them are alive."""
    import torch
    from torch.utils.data import DataLoader

    loader = DataLoader(
        Synthetic(),
        batch_size=BATCH,
        num_workers=workers,
        persistent_workers=workers > 0,
        pin_memory=pin_memory,
    )
    # The first round starts the workers; it does not count.
    for _ in loader:
        pass
    batches = 0
    began = time.perf_counter()
    for _ in range(ROUNDS):
        for _ in loader:
            batches += 1
    seconds = time.perf_counter() - began
    iterator = getattr(loader, "_iterator", None)
    children = [worker.pid for worker in getattr(iterator, "_workers", [])]
    return {
        "torch": torch.__version__,
        "cuda": torch.version.cuda,
        "cuda_available": torch.cuda.is_available(),
        "python": sys.version.split()[0],
        "platform": sys.platform,
        "workers": workers,
        "main_commit": commit_of(os.getpid()),
        "worker_commits": [commit_of(pid) for pid in children],
        "iterations_per_second": batches / seconds,
        "batch_size": BATCH,
    }


def report(result):
    print("torch %(torch)s, CUDA %(cuda)s, GPU found: %(cuda_available)s" % result)
    print("main process  %s" % shown(result["main_commit"]))
    known = [size for size in result["worker_commits"] if size is not None]
    for number, size in enumerate(result["worker_commits"]):
        print("worker %-6d %s" % (number, shown(size)))
    if known and result["main_commit"] is not None:
        print("together      %s" % shown(sum(known) + result["main_commit"]))
    print(
        "%.1f iterations per second (batches of %d, empty loop)"
        % (result["iterations_per_second"], result["batch_size"])
    )
    if result["platform"] != "win32":
        print("This is not Windows: private memory is shown in place of commit.")


def main():
    parser = argparse.ArgumentParser(description="Commit and speed of DataLoader workers.")
    parser.add_argument("--workers", type=int, default=8)
    parser.add_argument("--pin-memory", action="store_true")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if options.workers < 0:
        parser.error("--workers is a number of processes, 0 or more")
    try:
        import torch  # noqa: F401
    except ImportError as error:
        print("This needs PyTorch in the Python that runs it: %s" % error, file=sys.stderr)
        print("Python: %s" % sys.executable, file=sys.stderr)
        return 2
    except OSError as error:
        # The very error that this is about: give its text to `fixnvpe explain`.
        print("PyTorch could not be loaded: %s" % error, file=sys.stderr)
        return 1
    result = measure(options.workers, options.pin_memory)
    if options.json:
        print(json.dumps(result))
    else:
        report(result)
    return 0


if __name__ == "__main__":
    sys.exit(main())
