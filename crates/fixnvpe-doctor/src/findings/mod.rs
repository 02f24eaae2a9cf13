//! The rules: one table, each row a pure function of facts.
//!
//! A rule has a stable id, a severity, the facts that it looks at, its condition
//! in words and in code, and where it comes from. [`rules`] is the table;
//! [`examine`](crate::examine) asks every rule about every environment, then
//! about the machine. The sentences for people stand elsewhere, by id: a rule
//! gives the values that they speak of.

mod files;
mod machine;
mod other;
mod refused;
mod rule;
mod scene;
mod stack;
mod value;
mod workers;

#[cfg(test)]
pub(crate) mod tests;

pub use rule::{Fact, Rule, Scope, Severity};
pub(crate) use scene::{BOUND_TO_TORCH, Scene};
pub use value::Value;

/// Every rule, the worst first.
#[must_use]
pub fn rules() -> Vec<&'static Rule> {
    let mut rules: Vec<_> = [
        workers::BUDGET,
        stack::RULES,
        refused::RULES,
        machine::RULES,
        workers::RULES,
        files::RULES,
        other::RULES,
    ]
    .into_iter()
    .flatten()
    .collect();
    rules.sort_by_key(|rule| rule.severity);
    rules
}
