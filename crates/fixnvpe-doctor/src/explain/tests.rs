//! Cases from public threads, retold: the shape of the message, not its words.

use super::*;

struct Case {
    /// Where such a text was seen.
    thread: &'static str,
    text: &'static str,
    kind: Kind,
    prefix: Option<&'static str>,
}

const CASES: &[Case] = &[
    // English
    Case {
        thread: "pytorch/pytorch#59904",
        text: r#"  File "C:\Users\M\anaconda3\envs\days\lib\site-packages\torch\__init__.py", line 124, in <module>
    raise err
OSError: [WinError 1455] The paging file is too small for this operation to complete. Error loading "C:\Users\M\anaconda3\envs\days\lib\site-packages\torch\lib\caffe2_module_test_dynamic.dll" or one of its dependencies."#,
        kind: Kind::CommitLimit,
        prefix: Some(r"C:\Users\M\anaconda3\envs\days"),
    },
    Case {
        thread: "ComfyUI#8065",
        text: r#"  File "C:\Apps\ComfyUI\comfy\utils.py", line 55, in load_torch_file
    with safetensors.safe_open(ckpt, framework="pt") as f:
OSError: The paging file is too small for this operation to complete. (os error 1455)"#,
        kind: Kind::ModelLoading,
        prefix: None,
    },
    Case {
        thread: "pytorch/tutorials#1661",
        text: "RuntimeError:\n        An attempt has been made to start a new process before the\n        current process has finished its bootstrapping phase.",
        kind: Kind::MissingMainGuard,
        prefix: None,
    },
    Case {
        thread: "pytorch forums, CPU allocator",
        text: "RuntimeError: [enforce fail at ..\\c10\\core\\impl\\alloc_cpu.cpp:81] data. DefaultCPUAllocator: not enough memory: you tried to allocate 78643200000 bytes.",
        kind: Kind::Allocation,
        prefix: None,
    },
    Case {
        thread: "numpy, an older one and a newer one",
        text: "numpy.core._exceptions.MemoryError: Unable to allocate 3.50 GiB for an array with shape (10000, 46976) and data type float64",
        kind: Kind::Allocation,
        prefix: None,
    },
    Case {
        thread: "numpy, an older one and a newer one",
        text: "numpy._core._exceptions._ArrayMemoryError: Unable to allocate 22.3 GiB for an array",
        kind: Kind::Allocation,
        prefix: None,
    },
    Case {
        thread: "pytorch forums, GPU memory",
        text: "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 20.00 MiB (GPU 0; 6.00 GiB total capacity)",
        kind: Kind::CudaOutOfMemory,
        prefix: None,
    },
    Case {
        thread: "numpy/numpy#24650",
        text: "OpenBLAS error: Memory allocation still failed after 10 retries, giving up.",
        kind: Kind::ThreadBuffers,
        prefix: None,
    },
    Case {
        thread: "ComfyUI#15117",
        text: r#"OSError: [WinError 4551] An Application Control policy has blocked this file. Error loading "E:\ComfyUI\python_embeded\Lib\site-packages\torch\lib\c10_cuda.dll" or one of its dependencies."#,
        kind: Kind::PolicyBlocked,
        prefix: Some(r"E:\ComfyUI\python_embeded"),
    },
    Case {
        thread: "nagadomi/nunif#701",
        text: r#"OSError: [WinError 1114] A dynamic link library (DLL) initialization routine failed. Error loading "D:\nunif\python\Lib\site-packages\torch\lib\c10.dll" or one of its dependencies."#,
        kind: Kind::InitFailed,
        prefix: Some(r"D:\nunif\python"),
    },
    Case {
        thread: "tensorflow, DLL load failed",
        text: "ImportError: DLL load failed while importing _pywrap_tensorflow_internal: The paging file is too small for this operation to complete.",
        kind: Kind::CommitLimit,
        prefix: None,
    },
    Case {
        thread: "cut log: no number, no message",
        text: r#"Error loading "D:\e\Lib\site-packages\torch\lib\c10.dll" or one of its dependencies."#,
        kind: Kind::DllLoadFailed,
        prefix: Some(r"D:\e"),
    },
    // Chinese
    Case {
        thread: "zbf1991/WeCLIP#5",
        text: r#"OSError: [WinError 1455] 页面文件太小，无法完成操作。 Error loading "D:\Anaconda3\envs\wssam\lib\site-packages\torch\lib\cudnn_cnn_infer64_8.dll" or one of its dependencies."#,
        kind: Kind::CommitLimit,
        prefix: Some(r"D:\Anaconda3\envs\wssam"),
    },
    Case {
        thread: "1517005260/graph-rag-agent#54",
        text: r#"OSError: [WinError 1114] 动态链接库(DLL)初始化例程失败。 Error loading "D:\anaconda\envs\rag\lib\site-packages\torch\lib\c10.dll" or one of its dependencies."#,
        kind: Kind::InitFailed,
        prefix: Some(r"D:\anaconda\envs\rag"),
    },
    Case {
        thread: "a console that shows words only",
        text: "ImportError: DLL load failed: 找不到指定的模块。",
        kind: Kind::MissingFile,
        prefix: None,
    },
    // Russian
    Case {
        thread: "a Russian Windows",
        text: r#"OSError: [WinError 1455] Файл подкачки слишком мал для завершения операции. Error loading "D:\нейросети\venv\lib\site-packages\torch\lib\cublas64_11.dll" or one of its dependencies."#,
        kind: Kind::CommitLimit,
        prefix: Some(r"D:\нейросети\venv"),
    },
    Case {
        thread: "a Russian Windows, an old Python",
        text: "WindowsError: [Error 193] %1 не является приложением Win32",
        kind: Kind::NotAnImage,
        prefix: None,
    },
    // Spanish
    Case {
        thread: "a Spanish Windows",
        text: r#"OSError: [WinError 1455] El archivo de paginación es demasiado pequeño para completar la operación. Error loading "C:\Users\ñandú\venv\lib\site-packages\torch\lib\cufft64_10.dll""#,
        kind: Kind::CommitLimit,
        prefix: Some(r"C:\Users\ñandú\venv"),
    },
    Case {
        thread: "a Spanish Windows, a missing function",
        text: "OSError: [WinError 127] No se encontró el proceso especificado. Error loading \"C:\\v\\Lib\\site-packages\\torch\\lib\\torch_python.dll\"",
        kind: Kind::MissingFunction,
        prefix: Some(r"C:\v"),
    },
    // Japanese
    Case {
        thread: "a Japanese Windows",
        text: r#"OSError: [WinError 1455] ページング ファイルが小さすぎるため、この操作を完了できません。 Error loading "D:\sd\venv\Lib\site-packages\torch\lib\cudnn64_8.dll" or one of its dependencies."#,
        kind: Kind::CommitLimit,
        prefix: Some(r"D:\sd\venv"),
    },
    Case {
        thread: "a Japanese Windows, words only",
        text: "ImportError: DLL load failed: 指定されたモジュールが見つかりません。",
        kind: Kind::MissingFile,
        prefix: None,
    },
];

#[test]
fn each_case_is_explained_as_what_it_was() {
    for case in CASES {
        let explanation = explain(case.text);
        assert_eq!(explanation.kind, case.kind, "{}", case.thread);
        assert_eq!(
            explanation.prefix.as_deref(),
            case.prefix,
            "{}",
            case.thread
        );
        assert!(!explanation.steps.is_empty(), "{}", case.thread);
    }
}

#[test]
fn the_number_alone_is_enough() {
    let table = [
        ("1455", Kind::CommitLimit),
        ("4551", Kind::PolicyBlocked),
        ("126", Kind::MissingFile),
        ("127", Kind::MissingFunction),
        ("193", Kind::NotAnImage),
        ("1114", Kind::InitFailed),
        ("(os error 1455)", Kind::ModelLoading),
        ("hello", Kind::Unknown),
        ("", Kind::Unknown),
    ];
    for (text, kind) in table {
        assert_eq!(explain(text).kind, kind, "{text}");
    }
}

#[test]
fn a_model_is_at_fault_only_where_its_reader_met_the_limit() {
    let limit = "The paging file is too small for this operation to complete.";
    let weights = "Loading weights [6ce0161689] from D:\\sd\\v1-5.safetensors\n";
    let frames = |code: &str, error: &str| {
        format!(
            "Traceback (most recent call last):\n\
             \x20 File \"C:\\a\\utils.py\", line 33, in load\n    {code}\n{error}: {limit}\n"
        )
    };
    let dll = format!("ImportError: DLL load failed while importing _C: {limit}\n");
    let reader = frames("with safetensors.safe_open(ckpt) as f:", "OSError");
    let table = [
        (format!("{weights}{dll}"), Kind::CommitLimit),
        (
            frames("mm = mmap.mmap(fid.fileno(), bytes)", "OSError"),
            Kind::CommitLimit,
        ),
        (
            frames("model.load_state_dict(state)", "OSError"),
            Kind::CommitLimit,
        ),
        (
            // Broken by a console.
            format!("{weights}DLL load failed while importing _C:\n{limit} (os error 1455)"),
            Kind::CommitLimit,
        ),
        (reader.clone(), Kind::ModelLoading),
        (
            frames("load(ckpt)", "safetensors_rust.SafetensorError"),
            Kind::ModelLoading,
        ),
        (format!("{limit} (os error 1455)"), Kind::ModelLoading),
        // One of the two is a DLL: it comes first.
        (format!("{reader}\n\n\n{dll}"), Kind::CommitLimit),
        // The reader is named far above, and went well.
        (
            format!("safe_open is used\n{}", frames("import _C", "OSError")),
            Kind::CommitLimit,
        ),
    ];
    for (text, kind) in table {
        assert_eq!(explain(&text).kind, kind, "{text}");
    }
}

#[test]
fn in_a_log_with_several_errors_the_cause_comes_first() {
    let text = "OSError: [WinError 1455] The paging file is too small\n\
                PermissionError: [WinError 5] Access is denied\n\
                torch.cuda.OutOfMemoryError: CUDA out of memory.";
    let explanation = explain(text);
    assert_eq!(explanation.kind, Kind::CommitLimit);
    assert_eq!(explanation.others, [Kind::CudaOutOfMemory]);
    assert_eq!(explanation.os_error, Some(1455));
}

#[test]
fn the_steps_name_the_environment_of_the_text() {
    let explanation = explain(CASES[0].text);
    let crate::Action::Run(words) = &explanation.steps[0].action else {
        panic!("a command");
    };
    let expected = [
        "fixnvpe",
        "doctor",
        "--env",
        r"C:\Users\M\anaconda3\envs\days",
    ];
    assert_eq!(words, &expected);
}

#[test]
fn every_kind_has_a_word_and_survives_json() {
    for (kind, word) in Kind::ALL {
        assert_eq!(kind.word(), *word);
        assert_eq!(serde_json::to_string(kind).unwrap(), format!("\"{word}\""));
    }
    let explanation = explain(CASES[0].text);
    let json = serde_json::to_string(&explanation).unwrap();
    assert_eq!(
        serde_json::from_str::<Explanation>(&json).unwrap(),
        explanation
    );
}

#[test]
fn what_the_doctor_finds_belongs_to_the_answer_where_it_bears_on_it() {
    for (kind, id) in [
        (Kind::PolicyBlocked, "signed_patched"),
        (Kind::PolicyBlocked, "signed_patched_blocked"),
        (Kind::InitFailed, "budget_exceeded"),
        (Kind::ThreadBuffers, "blas_threads"),
    ] {
        assert!(kind.asks_for_doctor());
        assert!(kind.findings().unwrap().contains(&id), "{kind:?} {id}");
    }
    assert!(Kind::CommitLimit.asks_for_doctor() && Kind::CommitLimit.findings().is_none());
    assert!(!Kind::MissingFile.asks_for_doctor());
    for (kind, _) in Kind::ALL {
        for id in kind.findings().unwrap_or_default() {
            let mut rules = crate::findings::rules().into_iter();
            assert!(rules.any(|rule| rule.id == *id), "{id}");
        }
    }
}

proptest::proptest! {
    #[test]
    fn any_text_is_explained_as_something(text in ".{0,200}") {
        proptest::prop_assert!(!explain(&text).steps.is_empty());
    }

    #[test]
    fn paths_of_any_shape_are_cut_without_a_panic(text in "[a-zA-Z:\\\\/.\"'“”dlpy 中é\n]{0,80}") {
        proptest::prop_assert!(!explain(&text).steps.is_empty());
    }
}
