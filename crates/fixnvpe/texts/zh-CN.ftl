# 给人看的全部文字。编号和参数与其他语言的文件一致，由测试对照代码检查。
# 术语：commit 译为“提交内存”（任务管理器中的“已提交”），fat binary 译为“GPU 代码段”
# 或保留原文，ASLR、CheckSum 保留原文。

### Labels

label-error = 错误：
label-warning = 警告：
label-note = 说明：
label-hint = 提示：

### Errors of the command line

usage-unknown-option = 没有 `{ $option }` 这个选项。
usage-unknown-command = 没有 `{ $command }` 这个命令。
usage-no-command = 没有给出命令。
usage-needs-value = `{ $option }` 需要一个值。
usage-bad-value = `{ $value }` 不能用作 `{ $option }` 的值。
usage-not-one-of = `{ $value }` 不能用作 `{ $option }` 的值，可选的值有：{ $known }。
usage-missing = 缺少 `{ $arguments }`。
usage-conflict = `{ $option }` 和 `{ $other }` 不能同时使用。
usage-twice = `{ $option }` 只能出现一次。
usage-takes-no-value = `{ $option }` 不带值，却得到了 `{ $value }`。
usage-other = 无法理解命令行：{ $detail }
usage-did-you-mean = 您是想输入 `{ $meant }` 吗？
usage-see-help = 详细用法请看 `{ $command }`

### Selection

patch-nothing-selected = 没有选择任何内容：`patch` 只修补您明确指定的文件。
select-a-folder-to-patch = 先用 `fixnvpe scan 文件夹` 查看，再运行 `fixnvpe patch 文件夹`
restore-nothing-selected = 没有选择任何内容：请给出文件、文件夹或某次运行。
select-to-restore = `fixnvpe restore --last` 撤销最近一次修补，`fixnvpe history` 列出所有运行
pattern-is-invalid = `{ $pattern }` 不是有效的通配符。
pattern-matches-nothing = 没有任何文件与通配符 `{ $pattern }` 匹配。
list-is-empty = 列表 `{ $list }` 中没有文件。
list-is-unreadable = 无法读取列表 `{ $list }`。
exclusion-matches-nothing = `--exclude { $exclusion }` 没有排除任何文件，是否写错了？

### Output and state

output-failed = 结果写入失败。
output-is-an-image = `{ $file }` 是程序或 DLL，不会被覆盖。
output-takes-the-report = `-o` 指定的是报告文件；DLL 会在原处直接修补
output-cannot-be-written = 无法把结果写入 `{ $file }`。
no-threads = 无法启动工作线程。
no-state-folder = 没有可以存放撤销数据的位置。
no-state-folder-hint = 请用 `--state-dir 文件夹` 指定一个您可以写入的文件夹
state-is-locked = 另一个 fixnvpe 正在修补或还原文件；本次没有改动任何内容。
state-cannot-be-used = 状态文件夹无法使用，因此没有改动任何内容。
state-is-exposed = 管理员以外的用户可以更改 `{ $folder }` 的内容，因此没有改动任何文件。
state-is-exposed-hint = 请先查看 `{ $folder }` 里的内容并将其移走，然后重新运行：程序会以正确的访问权限新建该文件夹
journal-is-unreadable = 无法读取日志。
job-failed = 工作无法开始。
no-such-run = 日志中没有编号为 `{ $run }` 的运行。
no-run-id = `{ $run }` 不是有效的运行编号。
no-run = 日志中没有可以撤销的运行。
see-history = `fixnvpe history` 会列出可以撤销的运行。
cannot-inspect = 无法检查 `{ $file }`：{ $cause }。

### The older script's command line

older-script-keeps-aslr = 与 fixNvPe.py 不同，ASLR 会保留：清除它并不能节省内存（如确有需要，可加 `--aslr clear`）

press-enter = 按 Enter 键关闭此窗口。

### Progress

progress-folders = { $count ->
   *[other] 正在查找：{ $count } 个文件夹
}
progress-measuring = 正在测量进程
progress-files = 正在处理
progress-in-use = { $count ->
   *[other] { $count } 个文件正被使用，正在重试
}
progress-waiting = 正在等待另一个 fixnvpe 结束
interrupting = 已收到中断：正在完成手头的文件。再按一次 Ctrl-C 立即停止。
interrupted = 运行被中断：还有文件没有检查。

### Columns

column-now = 当前占用
column-before = 修补前
column-after = 修补后
column-condition = 状态
column-file = 文件
column-place = 环境或文件夹
column-outcome = 结果
column-run = 运行编号
column-action = 操作
column-changed = 改动
column-standing = 仍有效
column-by = 执行者
column-section = 节
column-access = 权限
column-memory = 内存大小
column-on-disk = 文件大小
column-commit = 提交内存
column-relocations = 重定位
column-flags = 标志
column-architecture = 架构
column-elements = 数量
column-size = 大小

### Conditions and outcomes

condition-writable = 可写
condition-read-only = 只读
condition-patched = 已修补
condition-no-fatbin = 无 GPU 代码
condition-refused = 不可改
condition-damaged = 已损坏
outcome-patched = 已修补
outcome-restored = 已还原
outcome-already = 无需再改
outcome-refused = 不可改
outcome-skipped = 未处理
outcome-failed = 失败
outcome-would-patch = 将修补
outcome-would-restore = 将还原
state-done = 有效
state-restored = 已撤销
state-undone = 未执行
state-unsettled = 未了结
state-stale = 文件已更换
action-patch = 修补
action-restore = 还原
word-unknown = { $word }

### Scan

scan-no-images = { $files ->
    [0] 这里没有 DLL、.pyd 或 .exe 文件。
   *[other] 这里的 { $files } 个文件都不是 Windows 程序或 DLL。
}
scan-summary = { $images ->
   *[other] 共 { $images } 个映像：{ $writable } 个可写，{ $read_only } 个只读，{ $refused } 个不可改。
}
cost-of-one-place = 加载这些可写映像的进程，加载时就要占用 { $now } 提交内存；修补后只占 { $after }。
cost-by-place = 每个环境中，加载其全部可写映像的一个进程所占用的提交内存（不同环境的数字不能相加）：
next-patch = 把它们改为只读：
nothing-writable = 没有可写的 GPU 代码段：这些 DLL 没有问题。
nothing-to-patch-but-refused = 这里没有可以修补的文件。
other-causes = 如果 Python 仍然报错 1455（页面文件太小，无法完成操作），原因在别处：
cause-page-file = - 页面文件（虚拟内存）被关闭，或者太小；
cause-workers = - DataLoader 的进程数（num_workers）超出内存能承受的范围；
cause-threads = - OpenBLAS 或 MKL 的线程缓冲区：可以试试 OPENBLAS_NUM_THREADS=1。
scan-look-for-cause = 查找原因：
check-found = 检查发现了可写的映像（退出码 3）。修补是办法之一；与升级、加大页面文件相比较：
and-more = { $count ->
   *[other] 还有 { $count } 个（--verbose 列出全部）
}

### Patch and restore

patched = { $count ->
   *[other] 已修补 { $count } 个文件，并已读回核对。
}
cost-after-patch = 加载这些文件的进程，加载时原来占用 { $before } 提交内存，现在只占 { $now }。
cost-by-place-after-patch = 每个环境中，加载其全部已修补文件的一个进程所占用的提交内存（不同环境的数字不能相加）：
restart-python = 请重新启动 Python：正在运行的进程仍在使用已加载的旧内容。
undo = 如需撤销：
undo-elevated = 如需撤销，请在以管理员身份打开的终端中运行：
would-patch = { $count ->
   *[other] 将修补 { $count } 个文件。目前没有任何改动。
}
would-restore = { $count ->
   *[other] 将还原 { $count } 个文件。目前没有任何改动。
}
do-it = 实际执行：
names-keep-the-original = { $count ->
   *[other] { $count } 个文件在选择范围之外（缓存或其他环境中）还有别的名称（硬链接）：它们保持原样，选中的名称共用一个副本（{ $size }）。
}
names-changed-too = { $count ->
   *[other] { $count } 个文件在选择范围之外还有别的名称（硬链接），它们也随之改变。
}
in-use-replaced = { $count ->
   *[other] { $count } 个文件正在使用，已由新文件接替：运行中的程序继续使用旧文件，之后的运行会将其删除。
}
same-base = 清除 ASLR 后，这 { $count } 个映像的首选地址都是 { $base }：进程同时加载其中两个时，必有一个要改换地址，又会占用全部内存。请保留 ASLR（默认）。
already-patched = { $count ->
   *[other] 无需再改：{ $count } 个文件的 GPU 代码段已经是只读的。
}
patch-look-for-answer = 这时修补帮不上忙；要找出有用的办法：
restored = { $count ->
   *[other] { $count } 个文件已还原原来的字节，并已读回核对。
}
already-restored = { $count ->
   *[other] 无需还原：{ $count } 个文件已经是原来的字节。
}
nothing-restored = 没有还原任何文件。

### What was not done

refused = 以下文件不能修补，保持原样：
left-undone = 以下文件没有处理，您可以排除原因后重试：
left-alone = 以下文件没有处理：
skipped = 没有检查的内容：
skipped-count = { $count } × { $reason }
failures = { $count ->
   *[other] 有 { $count } 处失败，其余均已完成：
}
failure-cause = { $cause }（{ $step }时）
failure-of-file = `{ $file }`：{ $cause }
reason-line = { $word }：{ $sentence }

reason-malformed = 文件不符合格式规范，可能已经损坏。
reason-driver = 这是驱动程序，Windows 会检查它的校验和与签名。
reason-integrity-checked = 每次加载时 Windows 都会检查它的签名。
reason-shared-or-code = 该节由多个进程共享，或者包含可执行代码。
reason-packed = GPU 代码经过压缩，加载时在原处解压：改为只读会导致崩溃。
reason-not-fatbin = 该节并非从头到尾都是 GPU 代码，可能有程序要写入它。
reason-written-at-load = 加载映像时 Windows 自己要写入该节。
reason-signed = 修补会破坏它的数字签名；如仍要修补，请加 `--allow-signed`。

left-links-outside = 选择范围之外还有别的名称（硬链接）共用这个文件：请把它们也选上，或用 `--links break` 制作副本。
left-in-use = 有程序正在使用它：请关闭 Python 以及加载了它的程序后重试，或加 `--in-use replace`。
left-in-use-by = 以下程序正在使用它：{ $holders }。请关闭后重试，或加 `--in-use replace`。
holder = { $name }（{ $pid }）
holders-and = { $first }、{ $next }
left-access-denied = 您没有权限改动它：请以文件所有者的身份或用 sudo 重新运行。
left-access-denied-windows = 您没有权限改动它：请在以管理员身份打开的终端中重新运行。
left-read-only-attribute = 文件带有只读属性：如仍要修补，请加 `--force`。
left-no-space = 磁盘空间不足，无法制作副本：请先腾出空间，或用 `--links share` 直接修补共用的文件。
left-unsettled = 之前的运行中途结束，留下了未完成的改动，而且无法了结。
left-stale = 它已不是当初修补的那个文件（之后被更新或替换过）：没有改动。
left-patched-later = 之后的运行又修补过它：请先撤销那次运行。
left-nothing-to-restore-from = 无从得知它原来的字节；`--infer` 可以在没有证明的情况下把 GPU 代码段改回可写。
left-not-found = 文件已不存在。
left-backup-exists = 备份文件的位置上已有另一个文件：请把它移走，或不加 `--backup`。

skipped-link = 文件夹中的链接（不跟随；需要时请直接指定它）
skipped-placeholder = 只存在于云端的文件
skipped-vanished = 检查期间消失的文件
skipped-special = 既不是文件也不是文件夹
skipped-unsettled = 之前的运行中途结束而未了结（下次修补或还原时会了结）
skipped-bad-record = 含有无法识别的行的日志（保持原样；见 `fixnvpe history`）

code-access-denied = 拒绝访问
code-in-use = 正被其他程序使用
code-read-only = 文件或磁盘是只读的
code-no-space = 磁盘空间不足
code-not-found = 没有这个文件或文件夹
code-malformed = 映像已损坏
code-not-pe = 不是 Windows 程序或 DLL
code-unsupported = 不支持的映像类型
code-changed = 期间被其他程序改动
code-bad-record = 日志中有无法识别的行
code-io = 系统报告错误

step-collect = 查找文件
step-open = 打开文件
step-read = 读取文件
step-judge = 分析文件
step-journal = 记录日志
step-copy = 复制文件
step-write = 写入文件
step-sync = 写入磁盘
step-read-back = 读回核对
step-rename = 重命名文件
step-link = 建立链接
step-remove = 删除残留文件
step-attributes = 设置属性
step-settle = 了结之前的运行
step-hash = 计算哈希
step-map = 映射到进程中

### History

history-is-empty = 还没有修补过任何文件。
history-unsettled = 有一次运行中途结束而未了结：下次修补或还原时会了结。
history-undo = 撤销最近一次仍有效的修补：
runs-files = { $count ->
   *[other] { $count } 个文件
}

### Inspect

kind-dll-32 = 32 位 DLL，{ $machine }
kind-dll-64 = 64 位 DLL，{ $machine }
kind-program-32 = 32 位程序，{ $machine }
kind-program-64 = 64 位程序，{ $machine }
inspect-what = { $kind }，{ $size }（{ $bytes } 字节）
inspect-aslr-on = ASLR 已启用，首选地址 { $base }
inspect-aslr-off = ASLR 未启用，首选地址 { $base }
inspect-signed = 有数字签名
inspect-unsigned = 没有数字签名
inspect-guard-cf = 控制流防护（CFG）已启用
checksum-unset = CheckSum 未设置
checksum-set = CheckSum 为 { $value }（未验证：`--checksum` 会读取整个文件）
checksum-impossible = CheckSum 为 { $value }，这个大小的文件不可能有此值
checksum-valid = CheckSum 为 { $value }，正确
checksum-wrong = CheckSum 为 { $value }，不正确：应为 { $right }
inspect-writable = 可写：每个进程都要为从不写入的 GPU 代码占用内存。`fixnvpe patch` 可以解决。
inspect-read-only = 只读：它的 GPU 代码不占用进程的提交内存，无需处理。
inspect-no-fatbin = 不含 GPU 代码，没有可修补的内容。
inspect-refused = 不可改：必须保持原样。
inspect-commit = 加载它的进程占用 { $now } 提交内存，修补后占用 { $after }。
inspect-commit-now = 加载它的进程占用 { $now } 提交内存。
inspect-bytes = { $count ->
   *[other] 修补只会改动 { $count } 个字节。
}
inspect-code = { $section } 中的 GPU 代码：{ $modules } 个模块，{ $elements } 个元素，共 { $bytes }，压缩方式：{ $compression }。
inspect-gaps = { $count ->
   *[other] 其间有 { $count } 段全零区域：共 { $bytes }，最大 { $largest }。
}
compression-none = 无
inspect-imports = 导入：{ $names }
inspect-delay-imports = 首次使用时导入：{ $names }
inspect-no-imports = 没有导入。
inspect-imports-unreadable = 导入表已损坏。

### Help

help-heading-usage = 用法：
help-heading-commands = 命令
help-heading-arguments = 参数
help-heading-options = 选项
help-heading-selection = 选择范围
help-heading-policy = 允许的修改
help-heading-work = 运行方式
help-heading-output = 输出

help-fixnvpe =
    把 CUDA DLL 中的 GPU 代码段改为只读，让 Python 进程不再为它占用内存
    （Windows 错误 1455：“页面文件太小，无法完成操作”）。
help-after-fixnvpe =
    示例：
      fixnvpe doctor
      fixnvpe scan C:\Users\me\miniconda3\envs\yolo
      fixnvpe patch C:\Users\me\miniconda3\envs\yolo
      fixnvpe restore --last

    也接受旧脚本 fixNvPe.py 的命令行，相当于保留 ASLR 的 `patch`：
      fixnvpe --input "C:\path\*.dll" [-r] [--backup B]

    大小：与 Windows 相同，1 KB 是 1,024 字节，1 MB 是 1,024 KB，1 GB 是 1,024 MB。
    JSON 中一律以字节为单位。

    退出码：
      0    已完成，或者没有需要做的事
      1    有文件失败，或指定的路径不存在；其余已完成
      2    命令行有误；什么都没有开始
      3    scan --check 发现了可写的映像，或 verify 发现了被改动的文件
      4    有内容未处理，您可以排除原因
      130  被中断
help-scan = 显示有哪些映像，以及各占多少内存
help-after-scan =
    示例：
      fixnvpe scan C:\envs\yolo
      fixnvpe scan "D:\ai\**\torch\lib\*.dll" --exclude old
      fixnvpe scan C:\envs --check && echo 没有需要修补的文件
      fixnvpe scan C:\envs --json -o report.json --redact
help-patch = 把 GPU 代码段改为只读
help-after-patch =
    示例：
      fixnvpe patch C:\envs\yolo --dry-run
      fixnvpe patch C:\envs\yolo
      fixnvpe patch "D:\我的环境\yolo\Lib\site-packages\torch\lib"

    每个文件只在原处改动几个字节。撤销数据存放在状态文件夹中，文件旁边
    不会留下任何东西。`fixnvpe restore` 可以还原每一个字节。
help-restore = 还原原来的文件内容
help-after-restore =
    示例：
      fixnvpe restore --last
      fixnvpe restore --run 20261130T172900123Z-5f0c2a91
      fixnvpe restore C:\envs\yolo
help-inspect = 显示一个映像的全部信息
help-after-inspect =
    示例：
      fixnvpe inspect C:\envs\yolo\Lib\site-packages\torch\lib\torch_cuda_cu.dll
help-history = 按运行列出做过的改动
help-completions = 输出用于 shell 自动补全的脚本
help-after-completions =
    示例：
      fixnvpe completions powershell >> $PROFILE
      fixnvpe completions bash > ~/.local/share/bash-completion/completions/fixnvpe
help-man = 输出手册页
help-schema = 输出文档的 JSON Schema

help-arg-help = 显示帮助
help-arg-version = 显示版本
help-arg-paths =
    文件、文件夹（查找其下所有 .dll、.pyd 和 .exe）和通配符
    （*、?、**、[ab]、{"{"}a,b{"}"}）。已存在的路径按原样理解。
help-arg-files-from = 处理 FILE 中列出的路径，每行一个；- 表示标准输入
help-arg-exclude = 排除该名称、路径或通配符的文件和文件夹（可重复）
help-arg-check = 有可写的映像时，以退出码 3 结束
help-arg-dry-run = 只说明会做什么，不作任何改动
help-arg-last = 撤销最近一次修补
help-arg-run = 撤销此编号的运行
help-arg-everything = 撤销所有运行
help-arg-aslr =
    保留 ASLR 标志（默认 keep），或像旧脚本那样清除（clear）；清除并不能
    节省内存，Windows 需要该标志时不会清除
help-arg-allow-signed = 也修补有数字签名的映像，这会使签名失效
help-arg-threads = 同时处理 N 个文件 [默认：与处理器数相同]
help-arg-state-dir =
    把撤销数据存放在 DIR [默认：FIXNVPE_STATE_DIR，否则为用户的文件夹；
    有管理员权限时为整台机器的文件夹]
help-arg-no-progress = 不显示进度条
help-arg-json = 输出一份 JSON 文档（ASCII）
help-arg-jsonl = 随着进展逐行输出 JSON
help-arg-output = 把结果写入 FILE（UTF-8）
help-arg-redact = 把用户目录写成 ~，主机名和用户名写成哈希
help-arg-lang = 文字的语言 [默认：用户的语言]
help-arg-quiet = 只输出警告和错误
help-arg-verbose = 显示完整路径、全部条目和细节
help-arg-color = 颜色：auto、always、never [默认：auto]
help-arg-file = DLL、.pyd 或 .exe 文件
help-arg-checksum = 验证 CheckSum，需要读取整个文件
help-arg-shell = 可选 bash、elvish、fish、powershell、zsh
help-arg-document = 可选 scan、patch、restore、verify、inspect、history、envs、doctor、explain、measure、events、error
help-arg-input = 要修补的文件，可用通配符
help-arg-recursive = 让 ** 表示任意多层文件夹
help-arg-backup = 在每个文件旁边保留原文件的副本 NAME_bak [默认：none]
help-arg-links =
    在选择范围之外还有名称（硬链接）的文件：auto 和 break 让选中的名称
    使用副本，share 直接修补，skip 不处理 [默认：auto]
help-arg-in-use = 正被程序使用的文件：skip 不处理，replace 由新文件接替 [默认：skip]
help-arg-force = 也修补带有只读属性的文件，之后恢复该属性
help-arg-infer = 无从得知原来的字节时，仍把 GPU 代码段改回可写（没有证明）
help-arg-remove-backups = 删除与还原后的文件相同的 NAME_bak

### 环境

root-is-no-folder = `--root`：没有文件夹 `{ $root }`。
roots-are-wrong = 无法理解 `--root`。
no-such-kind = 没有 `{ $kind }` 这种环境。
no-environment-of-kind = 没有找到 { $kind } 类型的环境。
no-such-environment = 没有名为 `{ $name }` 的环境。
environment-name-is-shared = 有多个环境名为 `{ $name }`：请给出其中一个的路径。
use-prefix = 例如 `--env "{ $prefix }"`
no-active-environment = 这个终端里没有激活的环境。
scan-finds-nothing = 扫描所有环境后，没有发现需要修补的文件
scan-finds = 扫描发现 { $environments } 个环境里有 { $images } 个可写的文件；代价最大的是 { $name }，其中每个进程要多付 { $now }
likely-command = 可运行 `{ $command }`
likely-command-cmd = 在 cmd 中运行 `{ $command }`
likely-command-powershell = 在 PowerShell 中运行 `{ $command }`
shell-cmd = 在 cmd 中：
shell-powershell = 在 PowerShell 中：
see-envs = `fixnvpe envs` 列出所有环境；`--deep` 会查找整个磁盘。
progress-environments = 正在查找环境
column-kind = 类型
column-name = 名称
column-python = Python 版本
column-cuda = CUDA 相关包
environments-found = { $count ->
    [0] 没有找到 Python 环境。
   *[other] 共 { $count } 个 Python 环境。
}
environments-scanned = { $count ->
    [0] 其中没有 Python 环境。
   *[other] 它们属于 { $count } 个 Python 环境。
}
caches-found = { $count } 个包缓存：
toolkits-found = { $count } 个 CUDA 工具包：
looked-in = 查看了 { $places } 个常见位置、{ $folders } 个文件夹。
places-skipped = 有 { $count } 处无法查看：
place-skipped = { $path }：{ $reason }
place-access-denied = 没有读取权限
place-path-too-long = 路径太长，系统无法处理
place-cloud-placeholder = 文件只在云端
place-drive-missing = 所在的驱动器不在这里
place-network = 位于另一台计算机上
place-malformed = 内容无法理解
place-too-large = 比这类文件应有的大小大得多
place-unreadable = 系统无法读取
help-heading-place = 在哪里查找
help-envs = 列出这台计算机上的 Python 环境
help-after-envs =
    示例：
      fixnvpe envs
      fixnvpe envs --kind conda,venv --deep
      fixnvpe envs --root C=/mnt/c --root D=/mnt/d
      fixnvpe envs --places
help-arg-environments = 该名称或路径的环境（可重复）
help-arg-this-env = 这个终端里激活的环境
help-arg-kind = 这些类型的所有环境：conda、venv、uv、portable 等
help-arg-all-envs = 这台计算机上的所有环境
help-arg-caches = 也包括包缓存（conda pkgs、uv、rattler）
help-arg-toolkits = 也包括已安装的 CUDA 工具包
help-arg-root = 在挂载于 DIR 的 Windows 磁盘上查找（可重复）[不写 LETTER 时为 C 盘]
help-arg-deep = 查找整个磁盘，而不只是环境常在的位置
help-arg-places = 显示在哪些位置查找环境

### Verify

column-state = 状态
column-record = 记录来源
file-state-pristine = 原样
file-state-patched = 已修补
file-state-modified = 被改动
file-state-unknown = 未知
verify-no-images = 这里没有含 GPU 代码的映像。直接指定的文件无论内容如何都会验证。
verify-all-pristine = { $count ->
   *[other] { $count } 个文件与安装时的字节完全一致。
}
verify-summary = { $pristine } 个原样，{ $patched } 个已修补，{ $modified } 个被改动，{ $unknown } 个未知。
verify-modified = { $count ->
   *[other] 被改动：{ $count } 个文件既不是记录中的字节，也不是修补后的字节，可能被其他程序改动或已经损坏。可以在所属环境中、从原来的来源重新安装它们的包（pytorch.org 的包需要加上当时的 `--index-url`）：
}
verify-modified-cache = 如果重装后还是同样的字节，说明包缓存与它共用同一份数据：请先清空缓存（`conda clean --packages`、`uv cache clean 包名`）。
verify-unknown = { $count ->
   *[other] 未知：没有任何包管理器记录 { $count } 个文件的哈希，无从得知原来的内容。它们不在任何环境中，或者安装它们的程序不保存哈希。
}
verify-patched = { $count ->
   *[other] 已修补：{ $count } 个文件在撤销修补后与记录一致。如需撤销：
}
help-verify = 与安装包所记录的哈希比对文件
help-after-verify =
    示例：
      fixnvpe verify C:\envs\yolo
      fixnvpe verify C:\envs\yolo\Lib\site-packages\torch --json

    逐个读取整个文件，与 pip 或 uv 的 RECORD 或 conda-meta 比对，结果为：
    原样（pristine）、已修补（patched，撤销修补后与记录一致，不论由哪个工具
    修补）、被改动（modified）或未知（unknown）。

backups-freed = 已删除内容相同的备份（`_bak`），释放了 { $size }。
backups-would-free = 将删除内容相同的备份（`_bak`），可释放 { $size }。

### 建议

list-separator = 、
doctor-label = { $severity }：
doctor-label-of = { $severity }，{ $name }：
doctor-more = 另有 { $count } 条供参考：--verbose 会显示它们，以及理由和每个步骤。
doctor-others = 另有 { $count } 个环境含有可写的 DLL：
doctor-others-next = 查看其中第一个：
doctor-nothing = 没有发现需要处理的问题：这里没有哪个 DLL 让进程为从不写入的 GPU 代码占用提交内存。如果 Python 仍然报错，错误文本会说明更多；请给出该文本，或它所在的文件：
facts-machine = 本机：{ $parts }。
facts-environment = { $name }：{ $parts }。
facts-memory = 内存 { $size }
facts-commit = 已提交 { $used }，上限 { $limit }
facts-page-file-off = 没有页面文件
facts-page-file-automatic = 页面文件由 Windows 管理
facts-page-file-fixed = 页面文件最大 { $size }
facts-cores = { $count } 个核心
facts-gpu = { $name }（计算能力 { $capability }）
facts-gpu-alone = { $name }
facts-driver = NVIDIA 驱动 { $version }
facts-torch-cuda = torch { $version }（按 CUDA { $cuda } 编译）
facts-package = { $name } { $version }
explain-copied = 已读取剪贴板，其中的错误是：{ $kind }。
explain-copied-nothing = 已读取剪贴板，其中没有这里认识的错误。
explain-unreadable = 无法读取 `{ $file }`。
explain-no-file = 没有文件 `{ $file }`；已把它当作错误文本。
kind-missing-main-guard = 脚本缺少 main 保护
kind-model-loading = 加载模型时达到提交上限（1455）
kind-commit-limit = 达到提交上限（1455）
kind-thread-buffers = OpenBLAS 的线程缓冲区
kind-allocation = CPU 内存申请被拒绝
kind-policy-blocked = 文件被策略阻止（4551）
kind-not-an-image = 文件不是有效的程序（193）
kind-init-failed = DLL 自身的初始化失败（1114）
kind-missing-function = 缺少函数（127）
kind-missing-file = 缺少 DLL（126）
kind-cuda-out-of-memory = GPU 显存用完
kind-dll-load-failed = DLL 无法加载
help-doctor = 说明问题在哪里、哪种办法最好、应输入什么命令
help-after-doctor =
    示例：
      fixnvpe doctor
      fixnvpe doctor --workers 8
      fixnvpe doctor --env yolo --verbose
      fixnvpe doctor C:\portable\ComfyUI --pinned

    不会启动或修改任何内容。不选择时检查所有环境，并完整显示占用最多的那一个。
help-explain = 说明一段错误文字在这里的含义，以及该怎么办
help-after-explain =
    示例：
      fixnvpe explain 1455
      fixnvpe explain train.log
      python train.py 2>&1 | fixnvpe explain -

    日志可以是 UTF-8、UTF-16 或本国代码页。不带参数时从标准输入读取；
    在终端中先看剪贴板里有没有错误文字，没有则请粘贴，以空行结束。
help-arg-workers = 按主进程之外还有 N 个 worker 进程（num_workers）计算
help-arg-pinned = 软件包的版本必须保持不变
help-arg-imports = 按导入这些模块的进程计算 [默认：已安装的 CUDA 框架]
help-arg-text = 错误文字或错误号、含有它的文件，或用 - 表示标准输入

### 测量

column-system = 整个系统
column-more = 增加
column-each-process = 每个进程
column-measured = 实测
column-calculated = 计算值
column-today = 现在
column-saved = 节省
measure-nothing-hint = 请指定环境（`--env NAME`）、文件或文件夹，或用 `--python NAME --import torch` 指定 Python
measure-several = 所选内容分属 { $count } 个环境：没有哪个进程会把它们全部加载，合计的数字没有意义。请只测量其中一个：
measure-no-program = 没有找到 `{ $name }` 的 Python 程序。
measure-no-module = 无从得知 Python 应导入什么：请用 `--import` 指定。
measure-failed = 没有测量到任何内容。
measure-ended-hint = 在激活了该环境的终端里，这些导入能成功吗？请在那个终端里运行本命令
measure-interrupted = 测量开始前被中断；所有进程都已结束。
measure-not-all = 已中断：没有启动全部进程，已启动的都已结束。
against-unreadable = `--against`：无法读取 `{ $file }`。
against-is-another = `--against`：`{ $file }` 是 `{ $schema }` 文档，不是 `fixnvpe measure` 的结果。
against-is-broken = `--against`：`{ $file }` 不是 `fixnvpe measure -o` 写出的完整文档。
help-measure = 测量进程实际占用的提交内存（Windows）
help-after-measure =
    示例：
      fixnvpe measure --env yolo --workers 8 -o before.json
      fixnvpe patch --env yolo
      fixnvpe measure --env yolo --workers 8 --against before.json
      fixnvpe measure --python yolo --import torch,cv2
      fixnvpe measure C:\envs\yolo\Lib\site-packages\torch\lib --each

    各进程像 Windows 加载时那样映射所选的含 GPU 代码的映像，以及直接指定的
    每个文件，但不运行其中的代码。加 --python 时由该环境自己的 Python 执行
    导入，与训练脚本相同。命令结束时所有进程也随之结束。加 -o 时文件中写入
    JSON 文档，屏幕上仍显示表格。
help-measured-process = 作为 `measure` 所测量的进程运行
help-arg-worker-processes = 在主进程之外再启动 N 个 worker 进程 [默认：1]
help-arg-each = 显示每个映像占用多少
help-arg-python = 改为测量此环境的 Python
help-arg-modules = 让它导入的模块 [默认：已安装的 CUDA 框架]
help-arg-against = 与 `-o` 或 --json 保存在 FILE 中的测量结果对比

first-commands = 接下来可以试试：
