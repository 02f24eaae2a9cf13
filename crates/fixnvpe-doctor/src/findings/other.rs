//! Rules about what else ends in the same error, or looks as if it did.

use fixnvpe_envs::Kind;
use fixnvpe_pe::Condition;

use super::rule::{Draft, Fact, Rule, Scope, Severity};
use super::{Scene, Value};
use crate::facts::sum;
use crate::step::{Purpose, Step};

/// Below this, in bytes of each process, what stays writable is not worth a line.
pub(super) const WORTH_SAYING: u64 = 64 << 20;

pub(super) const RULES: &[Rule] = &[
    Rule {
        id: "writable_data",
        severity: Severity::Low,
        scope: Scope::Environment,
        looks_at: &[Fact::Images],
        when: "64 MB or more of writable data stay in the images after a patch",
        arguments: &["bytes", "file", "largest"],
        purposes: &[],
        sources: &[
            "https://github.com/mrexodia/WindowsResearchKernel/blob/master/base/ntos/mm/creasect.c",
        ],
        condition: writable_data,
    },
    Rule {
        id: "dlls_fine",
        severity: Severity::Low,
        scope: Scope::Environment,
        looks_at: &[Fact::Images],
        when: "there are fat binaries, and all of them are read-only",
        arguments: &["images"],
        purposes: &[Purpose::Look],
        sources: &["https://github.com/Comfy-Org/ComfyUI/issues/8065"],
        condition: dlls_fine,
    },
    Rule {
        id: "model_loading",
        severity: Severity::Low,
        scope: Scope::Environment,
        looks_at: &[Fact::Packages],
        when: "safetensors is installed",
        arguments: &["application"],
        purposes: &[Purpose::Look],
        sources: &[
            "https://github.com/Comfy-Org/ComfyUI/issues/7550",
            "https://github.com/Comfy-Org/ComfyUI/issues/11009",
            "https://github.com/Comfy-Org/ComfyUI/issues/12611",
        ],
        condition: model_loading,
    },
];

fn writable_data(scene: &Scene<'_>) -> Option<Draft> {
    let environment = scene.environment?;
    let data: Vec<_> = environment
        .images
        .iter()
        .filter(|image| image.condition != Condition::Refused)
        .collect();
    let bytes = sum(data.iter().map(|image| image.commit)).after;
    let largest = data.iter().max_by_key(|image| image.commit.after)?;
    (bytes >= WORTH_SAYING).then(|| {
        Draft::new(vec![
            ("bytes", Value::Bytes(bytes)),
            ("file", Value::Text(largest.file_name())),
            ("largest", Value::Bytes(largest.commit.after)),
        ])
    })
}

fn model_loading(scene: &Scene<'_>) -> Option<Draft> {
    let environment = scene.environment?;
    environment.package("safetensors")?;
    let is_comfyui = environment.package("comfyui-frontend-package").is_some();
    // The portable one is started by a file of commands; nobody types them.
    let is_portable = matches!(environment.kind, Kind::Embedded | Kind::Portable);
    let application = match (is_comfyui, is_portable) {
        (true, true) => "comfyui_portable",
        (true, false) => "comfyui",
        (false, _) => "other",
    };
    let draft = Draft::new(vec![("application", Value::text(application))]);
    Some(if application == "comfyui" {
        draft.with_steps(vec![Step::run(
            Purpose::Look,
            ["python", "main.py", "--disable-mmap"],
        )])
    } else {
        draft
    })
}

fn dlls_fine(scene: &Scene<'_>) -> Option<Draft> {
    let environment = scene.environment?;
    let with_code = |condition| {
        environment
            .images
            .iter()
            .filter(|image| image.condition == condition)
            .count()
    };
    let images = with_code(Condition::ReadOnly);
    let others = with_code(Condition::Writable) + with_code(Condition::Refused);
    (images > 0 && others == 0).then(|| {
        Draft::new(vec![("images", Value::count(images))])
            .with_steps(vec![Step::own(Purpose::Look, ["explain"])])
    })
}
