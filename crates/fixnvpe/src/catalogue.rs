//! Every sentence for people, in each language, from `texts/`: the program's
//! own, and beside them those of the doctor.
//!
//! Code names a sentence by its id, through [`message!`](crate::message): a
//! [`Message`] is data, so the same one can be shown in the user's language
//! and written to a JSON document in English.

use std::borrow::Cow;
use std::fmt;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use unic_langid::LanguageIdentifier;

use crate::language::Language;

const EN: &str = concat!(
    include_str!("../texts/en.ftl"),
    "\n",
    include_str!("../texts/doctor.en.ftl")
);
const ZH_CN: &str = concat!(
    include_str!("../texts/zh-CN.ftl"),
    "\n",
    include_str!("../texts/doctor.zh-CN.ftl")
);

/// Names a sentence of the catalogue: `message!("id", argument = value, ...)`.
#[macro_export]
macro_rules! message {
    ($id:literal $(, $name:ident = $value:expr)* $(,)?) => {
        $crate::catalogue::Message::new($id)
            $(.with(stringify!($name), $value))*
    };
}

/// A sentence with the values that it speaks of, in no language yet.
#[derive(Clone, Debug)]
pub(crate) struct Message {
    id: Cow<'static, str>,
    arguments: Vec<(Cow<'static, str>, FluentValue<'static>)>,
}

impl Message {
    /// A sentence by its id; one that is put together at run time is in the list
    /// of a library.
    pub(crate) fn new(id: impl Into<Cow<'static, str>>) -> Self {
        Self {
            id: id.into(),
            arguments: Vec::new(),
        }
    }

    /// Gives a value to the sentence. Counts are given as numbers, so that the
    /// language chooses the plural; everything else as text.
    pub(crate) fn with(
        mut self,
        name: impl Into<Cow<'static, str>>,
        value: impl Into<Value>,
    ) -> Self {
        self.arguments.push((name.into(), value.into().0));
        self
    }
}

/// A value in a sentence.
pub(crate) struct Value(FluentValue<'static>);

impl From<u64> for Value {
    fn from(count: u64) -> Self {
        Self(FluentValue::from(count))
    }
}

impl From<usize> for Value {
    fn from(count: usize) -> Self {
        Self(FluentValue::from(count))
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self(FluentValue::from(text))
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::from(text.to_owned())
    }
}

/// The sentences of one language.
pub(crate) struct Catalogue {
    bundle: FluentBundle<FluentResource>,
}

impl fmt::Debug for Catalogue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Catalogue")
            .field("locales", &self.bundle.locales)
            .finish_non_exhaustive()
    }
}

impl Catalogue {
    /// The catalogue of a language.
    pub(crate) fn of(language: Language) -> Self {
        let (locale, source) = match language {
            Language::En => ("en", EN),
            Language::Zh => ("zh-CN", ZH_CN),
        };
        let locale: LanguageIdentifier = locale.parse().unwrap_or_default();
        // A test reads both files without an error; a broken entry would be
        // shown as its id, never as a crash.
        let resource = FluentResource::try_new(source.to_owned())
            .unwrap_or_else(|(resource, _errors)| resource);
        let mut bundle = FluentBundle::new_concurrent(vec![locale]);
        // Marks around each value would end up in commands that people copy.
        bundle.set_use_isolating(false);
        bundle.add_resource_overriding(resource);
        Self { bundle }
    }

    /// The sentence in this language.
    pub(crate) fn text(&self, message: &Message) -> String {
        let arguments: FluentArgs<'_> = message.arguments.iter().cloned().collect();
        self.pattern(&message.id, &arguments)
            .unwrap_or_else(|| message.id.clone().into_owned())
    }

    /// The sentence with an id that was put together at run time, such as the
    /// help of an option.
    pub(crate) fn lookup(&self, id: &str) -> Option<String> {
        self.pattern(id, &FluentArgs::new())
    }

    /// A catalogue that has no sentence: ids stand for themselves.
    #[cfg(test)]
    pub(crate) fn empty() -> Self {
        Self {
            bundle: FluentBundle::new_concurrent(vec![LanguageIdentifier::default()]),
        }
    }

    /// Every id that has a sentence in English.
    #[cfg(test)]
    pub(crate) fn ids() -> Vec<String> {
        tests::sentences(EN).into_keys().collect()
    }

    fn pattern(&self, id: &str, arguments: &FluentArgs<'_>) -> Option<String> {
        let pattern = self.bundle.get_message(id)?.value()?;
        let mut errors = Vec::new();
        let text = self
            .bundle
            .format_pattern(pattern, Some(arguments), &mut errors);
        debug_assert!(errors.is_empty(), "{id}: {errors:?}");
        Some(text.into_owned())
    }
}

#[cfg(test)]
mod tests;
