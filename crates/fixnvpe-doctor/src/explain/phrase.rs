//! The words of Windows' messages, for logs that lost the number.
//!
//! Rust, TensorFlow and some consoles show the message alone. The words are
//! those of `FormatMessage` in five languages; of each, the part that no other
//! message has.

/// An error number and how its message begins or what it holds, in lower case
/// and without spaces.
const PHRASES: &[(u32, &[&str])] = &[
    (
        1455,
        &[
            "thepagingfileistoosmall",
            "页面文件太小",
            "頁面檔案太小",
            "分頁檔太小",
            "файлподкачкислишкоммал",
            "archivodepaginaciónesdemasiadopequeño",
            "ページングファイルが小さすぎる",
        ],
    ),
    (
        126,
        &[
            "thespecifiedmodulecouldnotbefound",
            "找不到指定的模块",
            "找不到指定的模組",
            "ненайденуказанныймодуль",
            "nosepuedeencontrarelmóduloespecificado",
            "指定されたモジュールが見つかりません",
        ],
    ),
    (
        127,
        &[
            "thespecifiedprocedurecouldnotbefound",
            "找不到指定的程序",
            "ненайденауказаннаяпроцедура",
            "noseencontróelprocesoespecificado",
            "指定されたプロシージャが見つかりません",
        ],
    ),
    (
        193,
        &[
            "isnotavalidwin32application",
            "不是有效的win32应用程序",
            "неявляетсяприложениемwin32",
            "noesunaaplicaciónwin32válida",
            "有効なwin32アプリケーションではありません",
        ],
    ),
    (
        1114,
        &[
            "adynamiclinklibrary(dll)initializationroutinefailed",
            "动态链接库(dll)初始化例程失败",
            "动态链接库（dll）初始化例程失败",
            "произошелсбойвпрограммеинициализациибиблиотеки",
            "произошёлсбойвпрограммеинициализациибиблиотеки",
            "rutinadeinicializacióndebibliotecadevínculosdinámicos",
            "ダイナミックリンクライブラリ(dll)初期化ルーチンの実行に失敗",
        ],
    ),
    (
        4551,
        &[
            "applicationcontrolpolicyhasblockedthisfile",
            "应用程序控制策略已阻止此文件",
            "политикауправленияприложениямизаблокировала",
            "directivadecontroldeaplicaciones",
            "アプリケーション制御ポリシーによってこのファイルがブロック",
        ],
    ),
];

/// The number of the first known message in the text.
pub(super) fn find(text: &str) -> Option<u32> {
    let plain: String = text
        .chars()
        .filter(|c| !c.is_whitespace())
        .flat_map(char::to_lowercase)
        .collect();
    PHRASES
        .iter()
        .filter_map(|(number, phrases)| {
            let at = phrases.iter().filter_map(|phrase| plain.find(phrase)).min();
            Some((at?, *number))
        })
        .min()
        .map(|(_, number)| number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_are_written_as_they_are_compared() {
        for (_, phrases) in PHRASES {
            for phrase in *phrases {
                assert_eq!(phrase.to_lowercase(), *phrase);
                assert!(!phrase.contains(char::is_whitespace), "{phrase}");
            }
        }
    }

    #[test]
    fn a_message_without_its_number_is_known_by_its_words() {
        let table = [
            (
                1455,
                "ImportError: DLL load failed: The paging file is too small for this operation to complete.",
            ),
            (126, "ImportError: DLL load failed: 找不到指定的模块。"),
            (1114, "OSError: 动态链接库(DLL)初始化例程失败。"),
            (193, "%1 is not a valid Win32 application."),
            (
                4551,
                "An Application Control policy has blocked this file (0x800711C7)",
            ),
            (
                1455,
                "ページング ファイルが小さすぎるため、この操作を完了できません。",
            ),
        ];
        for (number, text) in table {
            assert_eq!(find(text), Some(number), "{text}");
        }
        assert_eq!(find("the file is too small"), None);
    }
}
