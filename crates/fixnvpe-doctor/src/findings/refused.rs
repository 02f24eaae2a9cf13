//! Rules about writable fat binaries that a patch leaves as they are.

use std::collections::BTreeSet;

use fixnvpe_pe::Reason;

use super::other::WORTH_SAYING;
use super::rule::{Draft, Fact, Rule, Scope, Severity};
use super::{Scene, Value};
use crate::facts::{EnvironmentFacts, sum};
use crate::step::{Purpose, Step};

pub(super) const RULES: &[Rule] = &[
    Rule {
        id: "signed_writable",
        severity: Severity::Medium,
        scope: Scope::Environment,
        looks_at: &[Fact::Images],
        when: "writable fat binaries stay as they are for their digital signature alone",
        arguments: &["images", "file", "bytes"],
        purposes: &[Purpose::PreviewPatch],
        sources: &["https://github.com/Comfy-Org/ComfyUI/issues/15117"],
        condition: signed_writable,
    },
    Rule {
        id: "refused",
        severity: Severity::Medium,
        scope: Scope::Environment,
        looks_at: &[Fact::Images],
        when: "writable fat binaries must stay as they are, and cost a process 64 MB or more",
        arguments: &["images", "file", "bytes", "reasons"],
        purposes: &[Purpose::Look],
        sources: &["https://github.com/apache/mxnet/pull/16980"],
        condition: refused,
    },
    Rule {
        id: "refused_small",
        severity: Severity::Low,
        scope: Scope::Environment,
        looks_at: &[Fact::Images],
        when: "writable fat binaries must stay as they are, and cost a process less than 64 MB",
        arguments: &["images", "file", "bytes", "reasons"],
        purposes: &[Purpose::Look],
        sources: &["https://github.com/apache/mxnet/pull/16980"],
        condition: refused_small,
    },
];

fn signed_writable(scene: &Scene<'_>) -> Option<Draft> {
    let environment = scene.environment?;
    let signed = costliest(environment, |reason| reason == Reason::Signed)?;
    Some(
        Draft::new(vec![
            ("images", Value::count(signed.images)),
            ("file", Value::Text(signed.file)),
            ("bytes", Value::Bytes(signed.bytes)),
        ])
        .with_steps(vec![Step::for_environment(
            Purpose::PreviewPatch,
            &["patch", "--allow-signed", "--dry-run"],
            &environment.prefix,
        )]),
    )
}

fn refused(scene: &Scene<'_>) -> Option<Draft> {
    refused_of(scene, |bytes| bytes >= WORTH_SAYING)
}

fn refused_small(scene: &Scene<'_>) -> Option<Draft> {
    refused_of(scene, |bytes| bytes < WORTH_SAYING)
}

fn refused_of(scene: &Scene<'_>, is_such: impl Fn(u64) -> bool) -> Option<Draft> {
    let environment = scene.environment?;
    let refused = costliest(environment, |reason| reason != Reason::Signed)
        .filter(|refused| is_such(refused.bytes))?;
    Some(
        Draft::new(vec![
            ("images", Value::count(refused.images)),
            ("file", Value::Text(refused.file)),
            ("bytes", Value::Bytes(refused.bytes)),
            (
                "reasons",
                Value::List(refused.reasons.into_iter().collect()),
            ),
        ])
        .with_steps(vec![Step::for_environment(
            Purpose::Look,
            &["scan"],
            &environment.prefix,
        )]),
    )
}

struct Refused {
    images: usize,
    file: String,
    bytes: u64,
    reasons: BTreeSet<String>,
}

/// The refused images with such a reason, named by the costliest.
fn costliest(environment: &EnvironmentFacts, which: impl Fn(Reason) -> bool) -> Option<Refused> {
    let images: Vec<_> = environment
        .images
        .iter()
        .filter(|image| image.reason.is_some_and(&which))
        .collect();
    let worst = images.iter().max_by_key(|image| image.commit.now)?;
    Some(Refused {
        images: images.len(),
        file: worst.file_name(),
        bytes: sum(images.iter().map(|image| image.commit)).now,
        reasons: images
            .iter()
            .filter_map(|image| image.reason)
            .map(|reason| reason.to_string())
            .collect(),
    })
}
