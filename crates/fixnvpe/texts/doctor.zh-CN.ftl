# `doctor`、`explain` 和 `measure` 的文字。编号来自 fixnvpe-doctor，
# 由它的测试检查两种语言是否齐全、参数是否一致。
# 每条结论有一句显示在屏幕上的话，`-more` 是更详细的说明。

### Severity

doctor-severity-high = 先处理
doctor-severity-medium = 值得做
doctor-severity-low = 供参考

### Findings: the stack

doctor-no-code-for-gpu = { $package } 中没有适用于您的 GPU（{ $gpu }，计算能力 { $capability }）的代码，无法使用它。
doctor-no-code-for-gpu-more = 它的 DLL 中的 GPU 代码适用于 { $architectures }。机器码只能在主版本相同、次版本相等或更高的 GPU 上运行。请安装包含此 GPU 代码的版本。

doctor-upgrade = 最好的办法是升级：torch { $torch } { $cuda_known ->
    [no] 早于修复
   *[other] 用 CUDA { $cuda } 构建，早于修复
}。最小的升级是 { $smallest }{ $same ->
    [yes] {""}
   *[no] ，能保留当前 Python{ $gpu_known ->
        [yes] {" "}和 GPU
       *[no] {""}
    } 的较新版本是 { $current }
}{ $gpu_known ->
    [yes] 。
   *[no] （无法查询您的 GPU：之后的检查会说明）。
}
doctor-upgrade-more = CUDA 11.7 及以后的版本把 DLL 中的 GPU 代码段设为只读，进程不再为它占用提交内存（这里每个进程 { $saved }），也不必改动任何文件。{ $stays_any ->
    [yes] 其他软件包的 DLL 仍然可写（每个进程 { $stays }）：请修补，或升级那些软件包。
   *[no] {""}
}数据截至 { $as_of }；建议先在新环境中试用。每组命令最后都会检查能否找到 GPU。

doctor-patch = { $situation ->
    [upgrade] 也可以保留版本、直接修补：{ $images } 个 DLL 让每个加载它们的进程白白占用 { $saved }。
    [bound] 应当修补：{ $bound } 是为当前 torch 编译的。修补后，加载这 { $images } 个可写 DLL 的每个进程少占 { $saved }。
    [pinned] 版本不能变时应当修补：加载这 { $images } 个可写 DLL 的每个进程少占 { $saved }。
    [no_upgrade] 这里应当修补：加载这 { $images } 个可写 DLL 的每个进程少占 { $saved }。
   *[other] { $images } 个 DLL 让每个加载它们的进程白白占用 { $saved }：请修补。
}
doctor-patch-more = 进程加载此环境的全部映像时，现在占用 { $now }，修补后 { $after }。修补只在每个文件头中原处清除一位。风险：杀毒软件或策略可能不接受改动过的文件；重新安装会恢复原文件。通过硬链接共享该文件的其他环境保留原文件（`--links share` 会一起修改）。`fixnvpe restore` 可以还原每一个字节。

doctor-upgrade-pinned = 升级到 { $smallest } 也能解决问题，但{ $bound_any ->
    [yes] {" "}{ $bound } 必须一起重新安装。
   *[no] 您要求版本保持不变。
}
doctor-upgrade-pinned-more = 含编译代码的软件包只适用于某一个 torch 版本，这里是 { $torch }。{ $same ->
    [yes] 升级目标是 { $smallest }。
   *[no] 最小的升级是 { $smallest }，较新的版本是 { $current }。
}{ $gpu_known ->
    [yes] {""}
   *[no] 无法查询您的 GPU：之后的检查会说明。
}数据截至 { $as_of }。请先在新环境中试用，并阅读这些软件包的安装说明。

doctor-driver-too-old = 升级 torch { $torch } 会有帮助，但需要 { $needed } 或更高版本的 NVIDIA 驱动；您的版本是 { $driver }。
doctor-driver-too-old-more = 请从 NVIDIA 的网站更新驱动，然后再次运行 `fixnvpe doctor`。在此之前可以修补。

doctor-no-upgrade-known = torch { $torch } 早于修复，但{ $conda ->
    [yes] {" "}conda 的 `pytorch` 频道中{""}
   *[no] {""}
}没有已知的新版本能同时保留{ $python_known ->
    [yes] {" "}Python { $python }
   *[no] 当前 Python（版本无法读取）
}{ $gpus_known ->
    [yes] {" "}和 { $gpus }。
   *[no] 。
}
doctor-no-upgrade-known-more = 版本表截至 { $as_of }。{ $conda ->
    [yes] 该频道止于 torch 2.5；在 conda 的 torch 旁边用 pip 安装会留下两个 torch，因此更新的版本需要新环境。
   *[no] {""}
}下面的网页列出了 PyTorch 提供的版本；更新 Python 或更换 GPU 后可能有更多选择。

doctor-signed-writable = { $images } 个可写的 DLL 因带有数字签名而保持原样：加载 { $file } 等文件的每个进程占用 { $bytes }。
doctor-signed-writable-more = 普通的加载不检查签名。智能应用控制、WDAC 和 AppLocker 可能拒绝改动过的文件（错误 4551）：请先预览，再用一个文件试验。

doctor-refused = { $images } 个 DLL 的 GPU 代码段可写，但必须保持原样（{ $reasons }）：共 { $bytes }，其中最大的是 { $file }。
doctor-refused-more = 修补会损坏它们；`fixnvpe scan` 会说明每个文件的原因。只有软件包的新版本能解决。

doctor-refused-small = { $images } 个 DLL 的 GPU 代码段可写，但必须保持原样（{ $reasons }）：共 { $bytes }，其中最大的是 { $file }。
doctor-refused-small-more = 修补会损坏它们；`fixnvpe scan` 会说明每个文件的原因。只有软件包的新版本能解决。

### Findings: workers and budget

doctor-budget-exceeded = { $workers } 个 worker 放不下：连同主进程，仅 DLL 就需要 { $total }，而只剩 { $headroom }。{ $any_fits ->
    [yes] 现在最多 { $largest } 个{ $fits_after ->
        [yes] ；修补后，仅就 DLL 而言全部放得下。
       *[no] ，修补后 { $largest_after } 个。
    }
   *[no] 现在连主进程也放不下{ $fits_after ->
        [yes] ；修补后，仅就 DLL 而言全部放得下。
       *[no] 。
    }
}{ $grows ->
    [yes] Windows 可能会自行把页面文件增大到 { $grows_to }；在此期间，一次申请大量内存仍可能被拒绝。
   *[no] {""}
}
doctor-budget-exceeded-more = 每个 worker 都是独立的进程，会加载主进程加载的一切：每个 { $per_process }，共 { $total }，修补后 { $total_after }。Python、数据和 CUDA 驱动另计。{ $page_file_known ->
    [yes] 页面文件达到 { $page_file } 时，仅就 DLL 而言不修补也放得下。
   *[no] 无法得知页面文件需要多大。
}

doctor-workers-many = 对 { $cores } 个核心来说，{ $workers } 个 worker 偏多：试试 num_workers={ $suggested }。
doctor-workers-many-more = 每个 worker 都要占用 DLL、Python 和批次数据的内存。超过核心数的一半或超过 8 个后，加载速度很少再提高；增加之前请先测量每秒迭代次数。

doctor-persistent-workers = persistent_workers=True 省去每个 epoch 重新启动 { $workers } 个 worker 的时间，但会一直占用它们的提交内存{ $held_any ->
    [no] 。
   *[other] ：DLL 部分为 { $held }。
}
doctor-persistent-workers-more = epoch 较短时有用，因为启动 worker 意味着重新导入一切。训练和验证两个加载器同时保留各自的 worker 时代价较大：两组都要占用。

doctor-pin-memory = pin_memory=True 可以加快向 { $gpu } 复制数据，代价是占用 Windows 无法换出的内存。
doctor-pin-memory-more = 批次较大并以 non_blocking=True 复制时有用。它不会减少提交内存：内存不足时，先把它关掉。

doctor-blas-threads = { $library } 在每个进程中为 { $processors } 个线程各分配缓冲区：提交内存不足时，请在启动 Python 之前设置此变量。
doctor-blas-threads-more = 有用户报告：每个导入 numpy 的进程，每个核心 25 到 30 MB；12 核上的一个程序占用 4.3 GB。只负责加载数据的 worker 用一个线程并无损失。

### Findings: page file and commit

doctor-page-file-off = 没有页面文件：无论内存是否空闲，Windows 承诺的总量不能超过 { $memory } 物理内存。{ $needed_known ->
    [yes] 请让 Windows 在 { $drive } 上管理页面文件，或设为 { $needed }。
   *[no] 请让 Windows 在 { $drive } 上管理页面文件。
}
doctor-page-file-off-more = 错误 1455 表示内存承诺被拒绝，并不表示物理内存已满。页面文件用来支撑那些从未使用的承诺，因此实际写入很少。它占用等于自身大小的磁盘空间；只要物理内存足够实际使用，对 SSD 的磨损很小。

doctor-page-file-small = 页面文件最多只能增长到 { $largest }；{ $workers ->
    [0] 环境 { $environment } 需要
   *[other] 环境 { $environment } 的 { $workers } 个 worker 需要
} { $needed }{ $helped ->
    [yes] 。修补后，仅就 DLL 而言现有的大小就够了。
   *[no] ，修补后 { $needed_after }。
}
doctor-page-file-small-more = 请把 { $drive } 上的页面文件设为“系统管理的大小”，或把最大值设为至少这个大小，然后重新启动 Windows。它占用等于自身大小的磁盘空间；只要物理内存足够实际使用，对 SSD 的磨损很小。

doctor-page-file-no-room = { $drive } 上的页面文件最多只能增长到 { $largest }{ $free_known ->
    [yes] （剩余 { $free }）
   *[no] {""}
}；{ $workers ->
    [0] 环境 { $environment } 需要
   *[other] 环境 { $environment } 的 { $workers } 个 worker 需要
} { $needed }{ $helped ->
    [yes] 。修补后，仅就 DLL 而言现有的大小就够了。
   *[no] ，修补后 { $needed_after }。
}
doctor-page-file-no-room-more = 系统管理的页面文件可以增长到物理内存的三倍，但不超过所在驱动器的八分之一，也不超过剩余空间。请在 { $drive } 上腾出空间，或在另一个驱动器上添加固定大小的页面文件。

doctor-commit-nearly-full = 提交内存已用 { $used }，上限 { $limit }：无论显示有多少空闲内存，只能再承诺 { $headroom }。
doctor-commit-nearly-full-more = 请关闭不需要的程序（任务管理器“详细信息”中的“提交大小”一列会显示谁占用了它），或允许页面文件增长。

### Findings: files

doctor-signed-patched-blocked = 智能应用控制已打开，而 { $images } 个带签名的 DLL 已被修补：Windows 可能阻止 { $file }（错误 4551）。请还原。
doctor-signed-patched-blocked-more = 修补会改变文件，签名因此不再相符。还原会恢复每一个字节，签名也随之恢复。

doctor-signed-patched = { $images } 个带签名的 DLL 已被修补（{ $file }）：如果 Windows 阻止它（错误 4551），请还原。
doctor-signed-patched-more = 普通的加载不检查签名。智能应用控制、WDAC 和 AppLocker 可能会检查。

doctor-aslr-collisions = { $images } 个 DLL 失去了 ASLR，又要求同一个地址（{ $base }）：它们会冲突，Windows 可能重新把它们全额计入提交。请先还原，再修补。
doctor-aslr-collisions-more = 旧脚本会清除 ASLR。链接到同一地址的多个 DLL 中只有第一个能得到它，其余的会被移动，因此改动的页面归各进程私有。本项目保留 ASLR：清除它没有好处。其中有：{ $files }。

doctor-script-leftovers = DLL 旁边有 { $backups ->
    [0] { $unfinished } 个未完成的副本（`_mod`）
   *[other] { $backups } 个备份（`_bak`）
}：{ $bytes }{ $again ->
    [yes] 。释放空间的办法：先用它还原，再重新修补。
   *[no] 。
}
doctor-script-leftovers-more = { $backups } 个 `_bak`（原文件，由旧脚本或 `--backup copy` 保留），{ $unfinished } 个 `_mod`（未完成），共 { $files } 个文件。它们会使文件夹在卸载后仍然存在，并使旧脚本无法再次运行。只有 `_bak` 确实是当前版本的原文件时才会用它还原，然后释放空间{ $again ->
    [yes] ；在重新修补之前，这些 DLL 是可写的。
   *[no] 。
}

doctor-pip-leftovers = pip 留下了 { $folders } 个无法删除的文件夹（{ $first }）：{ $bytes }，没有任何程序使用。
doctor-pip-leftovers-more = 升级时 Python 仍在运行就会这样。请关闭 Python，然后删除名称以 `~` 开头的文件夹。

### Findings: other causes

doctor-writable-data = 这些 DLL 中还有 { $bytes } 其他可写数据，其中最大的是 { $file }（{ $largest }）：修补对此无能为力。
doctor-writable-data-more = 这是 DLL 确实可能写入的内存。进程加载该 DLL 时就要占用。

doctor-model-loading = { $application ->
    [comfyui] 加载模型时会映射整个文件，也可能达到同一上限：可以试试给 ComfyUI 加上 --disable-mmap。它对一些人有效，对另一些人无效。
    [comfyui_portable] 加载模型时会映射整个文件，也可能达到同一上限：请在 `run_nvidia_gpu.bat` 的那一行末尾加上 --disable-mmap。它对一些人有效，对另一些人无效。
   *[other] 用 safetensors 加载模型时会映射整个文件，也可能达到同一上限：那时原因很可能不在 DLL。
}
doctor-model-loading-more = 此时错误写作“(os error 1455)”。模型大于可承诺的内存时，增大页面文件有用；换用更小或量化的模型总是有用。

doctor-dlls-fine = 这里的 DLL 没有问题：{ $images } 个含 GPU 代码的映像都是只读的。如果您看到错误 1455，原因在别处。
doctor-dlls-fine-more = 请把错误文字粘贴给 `fixnvpe explain`。常见原因：worker 太多、页面文件太小、线程缓冲区、模型太大。

doctor-no-environment = 没有找到 Python 环境。
doctor-no-environment-more = `fixnvpe envs` 会显示查找过的位置；`--deep` 会查找整个驱动器；也可以直接指定文件夹。

doctor-not-windows = 本系统不会预先把可写的 DLL 页面计入提交：这是 Windows 特有的问题。DLL 仍然会被检查。
doctor-not-windows-more = 要在这里查看 Windows 磁盘，请用 --root 指定。

### Steps

doctor-step-upgrade-smallest = 最小的升级
doctor-step-upgrade-current = 较新的版本
doctor-step-try-fresh = 另建环境试用
doctor-step-check = 检查 GPU
doctor-step-preview-patch = 预览修补
doctor-step-patch = 修补
doctor-step-patch-again = 重新修补
doctor-step-restore = 还原
doctor-step-free = 释放空间
doctor-step-look = 查看
doctor-step-set = 设置
doctor-step-read = 阅读

doctor-action-open = 运行 `{ $program }`，然后：“高级”选项卡 > 虚拟内存“更改” > 取消“自动管理所有驱动器的分页文件大小” > 选择驱动器 > “系统管理的大小”或“自定义大小” > “设置” > “确定”，并重新启动 Windows。
doctor-action-declare = 让 { $tool } 从 { $from } 安装 { $packages }（写入项目自己的文件）：绕过它安装的内容会在它下次运行时被撤回
doctor-action-conda = 在 Anaconda Prompt（或 Miniforge Prompt）中：
doctor-action-page = { $url }
doctor-action-remove = 在没有 Python 运行时手动删除 `{ $path }`

### Budget

doctor-budget-title = DLL 占用的提交内存
doctor-budget-imports = 导入 { $modules } 的进程为 { $images } 个 DLL 占用 { $now }；修补后 { $after }。
doctor-budget-everything = 加载此环境全部 DLL 的进程占用 { $now }；修补后 { $after }。
doctor-budget-workers = { $workers } 个 worker 加主进程：{ $total }；修补后 { $total_after }。
doctor-budget-headroom = Windows 还能承诺 { $headroom }：仅就 DLL 而言，现在够 { $largest } 个 worker，修补后{ $many_after ->
    [yes] 够在 { $cores } 个核心上各运行一个
   *[no] {" "}{ $largest_after } 个
}。
doctor-budget-headroom-enough = Windows 还能承诺 { $headroom }：仅就 DLL 而言，够在 { $cores } 个核心上各运行一个 worker。
doctor-budget-headroom-none = Windows 还能承诺 { $headroom }：现在连主进程也不够。
doctor-budget-grows = Windows 可能会自行把页面文件增大到 { $grows_to }；在此期间，一次申请大量内存仍可能被拒绝。
doctor-budget-page-file = 仅 DLL 就共需要 { $page_file } 的页面文件；{ $enough_after ->
    [yes] 修补后，仅就 DLL 而言现有的就够了
   *[no] 修补后 { $page_file_after }
}。
doctor-unknown-modules = 这些环境中都没有安装：{ $modules }。
doctor-unknown-modules-hint = 请检查拼写，或去掉 `--import`：那样就按已安装的 CUDA 框架计算
doctor-budget-not-counted = 未计入：{ $parts }。
doctor-not-counted-python = Python 本身
doctor-not-counted-data = 您的数据和模型
doctor-not-counted-cuda-driver = CUDA 驱动
doctor-not-counted-thread-buffers = OpenBLAS 或 MKL 的线程缓冲区

### Comparison

doctor-compare-title = 三种办法的比较
doctor-compare-answer = 办法
doctor-compare-gain = 好处
doctor-compare-cost = 代价
doctor-compare-when = 适用

doctor-compare-upgrade = 升级
doctor-compare-upgrade-gain = 每个进程少占 { $saves }，从根本上解决，还修复了其他缺陷{ $leaves_any ->
    [yes] ；其他软件包的 DLL 仍然可写（{ $leaves }）
   *[no] {""}
}
doctor-compare-upgrade-cost = 下载 2 到 3 GB；其他软件包可能要一起更换；结果可能有变化
doctor-compare-upgrade-when = 版本可以更换时
doctor-compare-patch = 修补
doctor-compare-patch-gain = 加载这些 DLL 的每个进程少占 { $saves }，一秒完成，随时可以还原
doctor-compare-patch-cost = 文件被改动：更新会恢复原文件；针对签名文件的策略可能不接受
doctor-compare-patch-when = 版本固定，或没有合适的新版本
doctor-compare-page-file = 页面文件
doctor-compare-page-file-gain = Windows 能承诺更多；每个进程的占用不变
doctor-compare-page-file-cost = 磁盘空间：{ $disk_known ->
    [no] 增大多少占多少
   *[other] 再占 { $disk }
}；物理内存真正用完后会写入磁盘
doctor-compare-page-file-when = DLL 没有问题，或不允许改动文件

doctor-upgrades-as-of = 升级数据截至 { $as_of }。

### Explanations

explain-missing-main-guard = 脚本在被 worker 进程导入时又启动了 worker 进程。Windows 启动每个 worker 时都会重新运行脚本，因此需要保护语句。
explain-missing-main-guard-todo = 把所有要执行的代码放到 `if __name__ == "__main__":` 之下。这与内存无关。

explain-model-loading = Windows 拒绝为整个映射的模型文件承诺内存（错误 1455）。达到的是提交上限，即物理内存加页面文件，而不是空闲内存；原因很可能不在 DLL。
explain-model-loading-todo = 请关闭不需要的程序，让 Windows 在有空间的驱动器上管理页面文件，换用更小或量化的模型，或使用应用程序自己的开关来避免映射（ComfyUI：--disable-mmap，对一些人有效，对另一些人无效）。

explain-commit-limit = Windows 拒绝承诺内存（错误 1455）：无论有多少空闲内存，提交上限（物理内存加页面文件）已经达到。消息中的 DLL 只是恰好碰到上限的那一个。
explain-commit-limit-todo = 请查看整个环境：GPU 代码段可写的 DLL 会让每个进程都为它占用提交内存。然后升级、修补、减少 worker 或增大页面文件；`fixnvpe doctor` 会告诉您选哪一种。

explain-thread-buffers = OpenBLAS 没能为它的线程取得缓冲区：每个进程、每个核心都要一份。核心和 worker 较多时就会达到提交上限。
explain-thread-buffers-todo = 请在启动 Python 之前设置 OPENBLAS_NUM_THREADS=1（使用 MKL 时设置 MKL_NUM_THREADS=1），并减少 worker。

explain-allocation = PyTorch 或 NumPy 向 Windows 申请一块 CPU 内存时被拒绝。要么这一块太大（消息中写明了大小），要么提交上限已经达到。
explain-allocation-todo = 如果消息中的大小不合常理，是脚本创建了过大的张量或数组，请修改脚本。否则就是提交上限：请看 `fixnvpe doctor` 的结论。

explain-policy-blocked = Windows 的策略阻止了该文件（错误 4551）：智能应用控制、WDAC 或 AppLocker。它检查签名和已知文件，改动过或没有签名的 DLL 可能通不过。
explain-policy-blocked-todo = 如果文件被修补过，请还原。如果没有，是策略阻止了软件包本身：请询问策略的管理者，或查看“Windows 安全中心 > 应用和浏览器控制”。

explain-not-an-image = 该文件不是此 Windows 的有效程序（错误 193）：下载中断或磁盘已满造成残缺，或者 Python 是 64 位而文件是 32 位。原因不在内存。
explain-not-an-image-todo = 请检查该文件，然后重新安装所属的软件包（pip：--force-reinstall --no-cache-dir）。

explain-init-failed = DLL 已找到并加载，但它自身的初始化失败（错误 1114）。对 torch 的 c10.dll 来说，多半是 Microsoft Visual C++ 运行库太旧，也可能是提交上限。
explain-init-failed-todo = 请安装最新的 Visual C++ 运行库（x64）并重新启动 Python，然后用 `fixnvpe doctor` 查看提交内存。

explain-missing-function = 某个 DLL 缺少另一个 DLL 需要的函数（错误 127）：两个版本不匹配。
explain-missing-function-todo = 请一起安装版本匹配的 torch、torchvision 和 torchaudio，最好用新环境；PATH 中更靠前的同名 DLL 也会造成这种错误。

explain-missing-file = 该 DLL 或它依赖的某个 DLL 不存在（错误 126）：消息中写的文件本身可能是在的。原因不在内存。
explain-missing-file-todo = 请安装最新的 Visual C++ 运行库（x64），再重新安装软件包；并确认杀毒软件没有删除文件。

explain-cuda-out-of-memory = GPU 的显存已经用完，这与提交内存和页面文件是两回事。
explain-cuda-out-of-memory-todo = 请减小批次或模型，使用混合精度，并关闭占用 GPU 的其他程序。增大页面文件没有用，修补也没有用。

explain-dll-load-failed = 某个 DLL 无法加载，而这段文字没有说明原因：缺少错误号（WinError ……）。
explain-dll-load-failed-todo = 请用 `fixnvpe doctor` 查看该环境，并查看前后几行：错误号会说明原因。

explain-unknown = 这段文字中没有这里认识的错误。
explain-unknown-todo = 请提供完整的错误信息，尤其是带错误号的那一行（WinError ……、os error ……）。`fixnvpe doctor` 总可以检查这台机器。

explain-dll = DLL 文件：{ $dll }
explain-environment = 环境：{ $prefix }
explain-others = 这段文字还包含：{ $kinds }。
explain-here = 对这个环境，`doctor` 的结论是：
explain-not-here = 在这台机器上没有找到该环境。
explain-paste = 请粘贴错误文字，然后在空行上按 Enter：
explain-nothing = 没有可以解释的文字。

### Measurements

measure-images = 测量了 { $processes } 个进程，各映射 { $images } 个映像；其中的代码都不运行。
measure-python = 测量了 { $processes } 个导入 { $modules } 的 Python 进程（{ $program }）。
measure-before = 开始之前
measure-with = { $processes } 个进程时
measure-after = 结束之后
measure-range = { $least } 至 { $most }
measure-not-windows = 只有 Windows 统计提交内存：这里没有可以测量的内容。
measure-nothing = 没有选择要测量的内容。
measure-per-process = 每个进程为所加载的内容占用 { $bytes }；空闲进程为 { $idle }。
measure-calculated = 按映像的文件头计算应为 { $calculated }，差值为 { $difference }。
measure-calculated-python = 其中按文件头计算，DLL 占 { $calculated }；其余（{ $difference }）是 Python 和各模块自己使用的。
measure-error = 错误 { $number }
measure-stopped = 只有 { $ready } 个进程就绪；下一个进程遇到了限制：
measure-compared = 与之前的测量对比：
measure-one = 每个进程加载的内容
measure-all = 整个系统（{ $processes } 个进程）
measure-not-same = 之前测量的是别的内容：两组数字不能对比。
measure-keep = 如需对比修补前后，请保存这次测量：
measure-then = 接下来修补并对比：
measure-is-compared = 剩下的是这些进程确实需要的：`fixnvpe doctor` 说明可以容纳多少个。
measure-nothing-writable = 其中没有可写的映像，修补不会节省内存。`doctor` 会比较其他办法：
