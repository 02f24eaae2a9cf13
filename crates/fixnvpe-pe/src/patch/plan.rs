//! Planning: which bytes change under a policy.

use std::fmt;

use crate::checksum;
use crate::condition::Condition;
use crate::error::Error;
use crate::image::{DYNAMIC_BASE, Image};
use crate::patch::{Edit, Field, Patch};
use crate::policy::{Aslr, Policy};
use crate::section::MEM_WRITE;
use crate::source::ReadAt;

/// Something that a plan leaves, although one might expect it to change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum Note {
    /// ASLR is kept although the policy clears it: control flow guard needs it.
    AslrKeptForGuardCf,
    /// ASLR is kept although the policy clears it: ARM64 images must have it.
    AslrKeptForArm64,
    /// The CheckSum is left: no file of this length has the stored value.
    CheckSumImpossible,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::AslrKeptForGuardCf => "ASLR is kept: control flow guard needs it",
            Self::AslrKeptForArm64 => "ASLR is kept: ARM64 images must have it",
            Self::CheckSumImpossible => {
                "the CheckSum is left: no file of this length has the stored value"
            }
        })
    }
}

impl Patch {
    /// Plans the patch of an image; `None` unless it is writable under `policy`.
    ///
    /// # Errors
    ///
    /// As [`Image::condition`].
    pub fn plan<R: ReadAt>(image: &Image<R>, policy: &Policy) -> Result<Option<Self>, Error> {
        if image.judged()?.under(policy) != Condition::Writable {
            return Ok(None);
        }
        let mut edits = Vec::new();
        let mut notes = Vec::new();
        for section in image.fatbin_sections() {
            let flags = section.characteristics();
            edits.extend(Edit::between(
                section.characteristics_offset(),
                &flags.to_le_bytes(),
                &(flags & !MEM_WRITE).to_le_bytes(),
                Field::SectionCharacteristics,
            ));
        }
        if policy.aslr == Aslr::Clear && image.has_aslr() {
            match aslr_needed(image) {
                Some(note) => notes.push(note),
                None => edits.extend(clear_aslr(image)),
            }
        }
        match check_sum(image, &edits) {
            Ok(more) => edits.extend(more),
            Err(note) => notes.push(note),
        }
        edits.sort_by_key(|edit| edit.offset);
        Ok(Some(Self { edits, notes }))
    }

    /// Whether this patch takes ASLR from the image. Several such images with
    /// one preferred base collide when they are loaded, and the loader then
    /// copies them: callers should say so.
    #[must_use]
    pub fn clears_aslr(&self) -> bool {
        self.edits
            .iter()
            .any(|edit| edit.field == Field::DllCharacteristics)
    }
}

fn aslr_needed<R>(image: &Image<R>) -> Option<Note> {
    if image.has_guard_cf() {
        Some(Note::AslrKeptForGuardCf)
    } else if image.machine().is_arm64() {
        Some(Note::AslrKeptForArm64)
    } else {
        None
    }
}

fn clear_aslr<R>(image: &Image<R>) -> Vec<Edit> {
    let flags = image.dll_characteristics();
    Edit::between(
        image.dll_characteristics_offset(),
        &flags.to_le_bytes(),
        &(flags & !DYNAMIC_BASE).to_le_bytes(),
        Field::DllCharacteristics,
    )
}

/// The edits of the CheckSum that follow from the other edits.
fn check_sum<R>(image: &Image<R>, edits: &[Edit]) -> Result<Vec<Edit>, Note> {
    use checksum::CheckSumState::{Impossible, Set, Unset};
    match image.check_sum_state() {
        Unset => return Ok(Vec::new()),
        Impossible => return Err(Note::CheckSumImpossible),
        Set => {}
    }
    let stored = image.check_sum();
    let changes = edits.iter().flat_map(|edit| {
        (edit.offset..)
            .zip(edit.old.iter().zip(&edit.new))
            .map(|(offset, (old, new))| (offset, *old, *new))
    });
    let updated = checksum::updated(stored, image.len(), changes).unwrap_or(stored);
    Ok(Edit::between(
        image.check_sum_offset(),
        &stored.to_le_bytes(),
        &updated.to_le_bytes(),
        Field::CheckSum,
    ))
}
