//! Rules about what lies in an environment that should not.

use super::*;

#[test]
fn leftovers_are_found_with_their_size_and_how_to_free_it() {
    let mut environment = environment();
    environment.leftovers.backups = vec![Leftover::new(r"D:\e\x.dll_bak", 500)];
    environment.leftovers.unfinished = vec![Leftover::new(r"D:\e\y.dll_mod", 24)];
    environment.leftovers.pip = vec![Leftover::new(r"D:\e\~orch", 7)];
    let found = look(machine(), vec![environment], None);
    assert_eq!(
        found.argument("script_leftovers", "bytes"),
        Value::Bytes(524)
    );
    let commands = found.commands("script_leftovers");
    assert_eq!(
        commands[0],
        r"fixnvpe restore --remove-backups --env D:\envs\yolo"
    );
    assert!(commands[1].contains("y.dll_mod"));
    assert_eq!(
        found.argument("pip_leftovers", "first"),
        text(r"D:\e\~orch")
    );
}

#[test]
fn a_backup_of_a_patched_dll_is_freed_and_the_patch_made_again() {
    let site = r"D:\envs\yolo\Lib\site-packages\torch\lib";
    let mut environment = environment();
    let backup = format!(r"{site}\TORCH_cuda.dll_bak");
    environment.leftovers.backups = vec![Leftover::new(backup, 500)];
    let found = look(machine(), vec![environment.clone()], None);
    let steps = [
        r"fixnvpe restore --remove-backups --env D:\envs\yolo",
        r"fixnvpe patch --env D:\envs\yolo",
    ];
    assert_eq!(found.commands("script_leftovers"), steps);
    assert_eq!(found.argument("script_leftovers", "again"), text("yes"));
    // What is writable is told to be patched by another finding.
    environment.images[0].condition = Condition::Writable;
    let found = look(machine(), vec![environment], None);
    assert_eq!(found.commands("script_leftovers"), steps[..1]);
    assert_eq!(found.argument("script_leftovers", "again"), text("no"));
}

#[test]
fn images_without_aslr_collide_only_if_they_share_a_base() {
    let at = |name: &str, base| {
        let mut image = image(name, Condition::ReadOnly, MB, MB);
        image.aslr = false;
        image.image_base = Some(base);
        image
    };
    let mut environment = environment();
    environment.images = vec![at("a.dll", 0x1_8000_0000), at("b.dll", 0x1_8000_0000)];
    let found = look(machine(), vec![environment.clone()], None);
    assert_eq!(
        found.argument("aslr_collisions", "base"),
        text("0x180000000")
    );
    environment.images[1].image_base = Some(0x2_8000_0000);
    assert_eq!(
        look(machine(), vec![environment.clone()], None).get("aslr_collisions"),
        None
    );
    environment.images[1] = at("b.dll", 0x1_8000_0000);
    environment.images[1].aslr = true;
    assert_eq!(
        look(machine(), vec![environment], None).get("aslr_collisions"),
        None
    );
}

#[test]
fn a_patched_signature_matters_as_much_as_smart_app_control_does() {
    let mut environment = environment();
    environment.images[0].signed = true;
    environment.images[0].patched = true;
    let found = |state| {
        let mut machine = machine();
        machine.app_control = state;
        let found = look(machine, vec![environment.clone()], None);
        let ids = ["signed_patched_blocked", "signed_patched"];
        ids.map(|id| found.get(id).is_some())
    };
    assert_eq!(found(Some(AppControl::Enforced)), [true, false]);
    assert_eq!(found(Some(AppControl::Evaluation)), [false, true]);
    assert_eq!(found(None), [false, true]);
    assert_eq!(found(Some(AppControl::Off)), [false, false]);
}
