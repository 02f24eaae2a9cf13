//! Proving what a file was: SHA-256 of the file with other header blocks, in
//! one pass.

use std::io;

use fixnvpe_pe::Image;
use sha2::{Digest, Sha256};

use super::candidates;
use crate::context::Context;
use crate::filesystem::{Handle, Source};
use crate::observe::{Event, Silent};
use crate::recorded::Recorded;

const CHUNK: usize = 256 * 1024;

/// What a recorded hash proves about a file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Proof {
    /// The file is as it was recorded.
    Pristine,
    /// It is once its header block is this one.
    Was(Vec<u8>),
    /// Neither.
    Neither,
    /// The job was cancelled first.
    Cancelled,
}

/// Compares a file with its recorded hash: as it is, then with the header
/// block that a journal knows, then with those that a patch may have found.
pub(crate) fn prove(
    file: &dyn Handle,
    image: &Image<Source<'_>>,
    recorded: &Recorded,
    known: Option<&[u8]>,
    context: &Context<'_>,
) -> io::Result<Proof> {
    if recorded.size.is_some_and(|size| size != image.len()) {
        context.tell(&Event::Bytes(image.len()));
        return Ok(Proof::Neither);
    }
    let mut first = vec![image.header().to_vec()];
    first.extend(known.map(<[u8]>::to_vec));
    let searched = matching(file, image, &first, recorded, context)?;
    context.tell(&Event::Bytes(first[0].len() as u64));
    match searched {
        Search::Found(0) => return Ok(Proof::Pristine),
        Search::Found(index) => return Ok(Proof::Was(first.swap_remove(index))),
        Search::Cancelled => return Ok(Proof::Cancelled),
        Search::None => {}
    }
    let likely = candidates(image, None);
    if likely.is_empty() {
        return Ok(Proof::Neither);
    }
    // The file is read again, which counts no bytes twice.
    let context = &context.observed(&Silent);
    let proof = was(file, image, likely.clone(), recorded, context)?;
    if proof != Proof::Neither {
        return Ok(proof);
    }
    // Somebody wrote another CheckSum over one that was right. What it was is a
    // pass away.
    let Ok(full) = image.check_sum_full() else {
        return Ok(Proof::Neither);
    };
    let mut more = candidates(image, Some(full));
    more.retain(|header| !likely.contains(header));
    was(file, image, more, recorded, context)
}

fn was(
    file: &dyn Handle,
    image: &Image<Source<'_>>,
    mut headers: Vec<Vec<u8>>,
    recorded: &Recorded,
    context: &Context<'_>,
) -> io::Result<Proof> {
    Ok(match matching(file, image, &headers, recorded, context)? {
        Search::Found(index) => Proof::Was(headers.swap_remove(index)),
        Search::None => Proof::Neither,
        Search::Cancelled => Proof::Cancelled,
    })
}

enum Search {
    Found(usize),
    None,
    Cancelled,
}

/// The header block with which the file has the recorded hash.
fn matching(
    file: &dyn Handle,
    image: &Image<Source<'_>>,
    headers: &[Vec<u8>],
    recorded: &Recorded,
    context: &Context<'_>,
) -> io::Result<Search> {
    if headers.is_empty() {
        return Ok(Search::None);
    }
    let Some(hashes) = hash(file, image.header().len(), headers, context)? else {
        return Ok(Search::Cancelled);
    };
    let found = hashes.iter().position(|hash| *hash == recorded.sha256);
    Ok(found.map_or(Search::None, Search::Found))
}

/// SHA-256 of the file with each of some header blocks in place of its own.
/// `None` when the job is cancelled meanwhile: nothing is half done by that.
fn hash(
    file: &dyn Handle,
    header_len: usize,
    headers: &[Vec<u8>],
    context: &Context<'_>,
) -> io::Result<Option<Vec<[u8; 32]>>> {
    let mut hashers: Vec<Sha256> = headers.iter().map(Sha256::new_with_prefix).collect();
    let mut chunk = vec![0; CHUNK];
    let mut offset = header_len as u64;
    loop {
        if context.cancel.is_cancelled() {
            return Ok(None);
        }
        let count = match file.read_at(offset, &mut chunk) {
            Ok(count) => count.min(chunk.len()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if count == 0 {
            break;
        }
        offset += count as u64;
        for hasher in &mut hashers {
            hasher.update(&chunk[..count]);
        }
        context.tell(&Event::Bytes(count as u64));
    }
    let sums = hashers.into_iter().map(|hasher| hasher.finalize().into());
    Ok(Some(sums.collect()))
}
