//! Machine code of the few functions in a fixture, and the addresses in it that must be relocated.

use std::io;

use crate::image::header::Machine;
use crate::image::tables::unsupported;

/// A function and the offsets of the absolute addresses in it.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Function {
    pub(super) bytes: Vec<u8>,
    pub(super) absolute: Vec<u32>,
}

impl Function {
    fn position_independent(bytes: impl Into<Vec<u8>>) -> Self {
        Self {
            bytes: bytes.into(),
            absolute: Vec::new(),
        }
    }
}

/// An entry point that returns 1 from a DLL (loaded) or 0 from a program (success).
pub(super) fn entry(machine: Machine, program: bool) -> Function {
    let result = u8::from(!program);
    let bytes: Vec<u8> = match machine {
        // mov eax, result; ret. A DLL's entry takes three arguments from the stack on x86.
        Machine::I386 if program => vec![0xB8, result, 0, 0, 0, 0xC3],
        Machine::I386 => vec![0xB8, result, 0, 0, 0, 0xC2, 12, 0],
        Machine::Amd64 => vec![0xB8, result, 0, 0, 0, 0xC3],
        // mov w0, #result; ret
        Machine::Arm64 => {
            let mov = 0x5280_0000_u32 | (u32::from(result) << 5);
            [mov.to_le_bytes(), 0xD65F_03C0_u32.to_le_bytes()].concat()
        }
    };
    Function::position_independent(bytes)
}

/// A function at `here` that returns the 8 bytes at `target`; both relative to `base`.
pub(super) fn reader(machine: Machine, base: u64, here: u32, target: u32) -> io::Result<Function> {
    match machine {
        // mov eax, [target]; mov edx, [target + 4]; ret
        Machine::I386 => {
            let address = u32::try_from(base + u64::from(target))
                .map_err(|_| unsupported("an x86 address above 4 GiB"))?;
            let mut bytes = vec![0xA1];
            bytes.extend(address.to_le_bytes());
            bytes.extend([0x8B, 0x15]);
            bytes.extend((address + 4).to_le_bytes());
            bytes.push(0xC3);
            Ok(Function {
                bytes,
                absolute: vec![1, 7],
            })
        }
        // mov rax, [rip + target]; ret
        Machine::Amd64 => {
            let mut bytes = vec![0x48, 0x8B, 0x05];
            bytes.extend(distance(here + 7, target));
            bytes.push(0xC3);
            Ok(Function::position_independent(bytes))
        }
        // adrp x0, target; ldr x0, [x0, #low]; ret
        Machine::Arm64 => {
            let pages = (target >> 12).wrapping_sub(here >> 12);
            let adrp = 0x9000_0000_u32 | ((pages & 3) << 29) | (((pages >> 2) & 0x7_FFFF) << 5);
            let ldr = 0xF940_0000_u32 | (((target & 0xFFF) / 8) << 10);
            let words = [adrp, ldr, 0xD65F_03C0];
            Ok(Function::position_independent(
                words.map(u32::to_le_bytes).concat(),
            ))
        }
    }
}

/// An entry point at `here` that, when the DLL is attached to a process, writes the first 8 bytes
/// of a fat binary at `first` and 4 bytes at `last`, then returns 1.
pub(super) fn unpack(machine: Machine, here: u32, first: u32, last: u32) -> io::Result<Function> {
    if machine != Machine::Amd64 {
        return Err(unsupported(
            "start code that unpacks, other than for x86-64",
        ));
    }
    let mut bytes = vec![
        0x83, 0xFA, 0x01, // cmp edx, DLL_PROCESS_ATTACH
        0x75, 0x1E, // jne done
    ];
    bytes.extend([0x48, 0x8D, 0x05]); // lea rax, [rip + first]
    bytes.extend(distance(here + 12, first));
    bytes.extend([0xC7, 0x00]); // mov dword [rax], 0xBA55ED50
    bytes.extend(0xBA55_ED50_u32.to_le_bytes());
    bytes.extend([0xC7, 0x40, 0x04]); // mov dword [rax + 4], 0x00100001
    bytes.extend(0x0010_0001_u32.to_le_bytes());
    bytes.extend([0xC7, 0x80]); // mov dword [rax + last - first], 1
    bytes.extend((last - first).to_le_bytes());
    bytes.extend(1_u32.to_le_bytes());
    bytes.extend([0xB8, 1, 0, 0, 0, 0xC3]); // done: mov eax, 1; ret
    Ok(Function::position_independent(bytes))
}

/// The distance from the end of an instruction to a target, as x86-64 encodes it.
fn distance(from: u32, to: u32) -> [u8; 4] {
    to.wrapping_sub(from).to_le_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_jump_over_the_unpacking_ends_at_the_return() {
        let function = unpack(Machine::Amd64, 0x1000, 0x3000, 0x5000).unwrap();
        let done = 5 + usize::from(function.bytes[4]);
        assert_eq!(function.bytes[done..], [0xB8, 1, 0, 0, 0, 0xC3]);
    }

    #[test]
    fn the_reader_of_x86_names_the_offsets_of_its_addresses() {
        let function = reader(Machine::I386, 0x1000_0000, 0x1000, 0x3000).unwrap();
        for (&at, address) in function.absolute.iter().zip([0x1000_3000_u32, 0x1000_3004]) {
            let at = usize::try_from(at).unwrap();
            assert_eq!(function.bytes[at..at + 4], address.to_le_bytes());
        }
    }
}
