//! The JSON Schemas of the documents. `fixnvpe schema NAME` prints one;
//! `docs/schemas/` holds what it prints, and a test compares the two.

use clap::ValueEnum;
use schemars::{JsonSchema, SchemaGenerator, generate::SchemaSettings};
use serde_json::{Value, json};

use crate::document::{
    ChangeDocument, DoctorDocument, EnvsDocument, ErrorDocument, ExplainDocument, HistoryDocument,
    InspectDocument, Line, MeasureDocument, ScanDocument, VerifyDocument,
};

/// A document that has a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Document {
    Scan,
    Patch,
    Restore,
    Verify,
    Inspect,
    History,
    Envs,
    Doctor,
    Explain,
    Measure,
    Events,
    Error,
}

/// The schema of a document, as JSON text.
pub(crate) fn schema_of(document: Document) -> String {
    let (mut schema, name) = match document {
        Document::Scan => (of::<ScanDocument>(), ScanDocument::SCHEMA),
        Document::Patch => (of::<ChangeDocument>(), ChangeDocument::PATCH),
        Document::Restore => (of::<ChangeDocument>(), ChangeDocument::RESTORE),
        Document::Verify => (of::<VerifyDocument>(), VerifyDocument::SCHEMA),
        Document::Inspect => (of::<InspectDocument>(), InspectDocument::SCHEMA),
        Document::History => (of::<HistoryDocument>(), HistoryDocument::SCHEMA),
        Document::Envs => (of::<EnvsDocument>(), EnvsDocument::SCHEMA),
        Document::Doctor => (of::<DoctorDocument>(), DoctorDocument::SCHEMA),
        Document::Explain => (of::<ExplainDocument>(), ExplainDocument::SCHEMA),
        Document::Measure => (of::<MeasureDocument>(), MeasureDocument::SCHEMA),
        Document::Events => (of::<Line>(), Line::SCHEMA),
        Document::Error => (of::<ErrorDocument>(), ErrorDocument::SCHEMA),
    };
    schema["title"] = json!(name);
    if let Some(field) = schema.pointer_mut("/properties/schema") {
        field["const"] = json!(name);
    }
    let mut text = serde_json::to_string_pretty(&schema).unwrap_or_default();
    text.push('\n');
    text
}

/// For what the program writes, not for what it would read: a field that is
/// always written is required.
fn of<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    SchemaGenerator::new(settings)
        .into_root_schema_for::<T>()
        .to_value()
}
