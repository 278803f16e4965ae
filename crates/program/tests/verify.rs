//! The verifier accepts what the lifter makes and notices each way of spoiling it.

use coax_program::ir::{Block, Body, Def, Inst, Op, Terminator, ValType, Value};
use coax_program::verify::verify;
use coax_program::{Code, Program, Site, SiteKind};

const SOURCE: &str = r#"(module
  (tag $oops (param i32))
  (func $risky (param i32) (result i32) (local.get 0))
  (func (export "f") (param i32 i32) (result i32)
    (local $x i32)
    (block $caught (result i32)
      (try_table (result i32) (catch $oops $caught)
        (call $risky (local.get 0))))
    (local.set $x)
    (if (local.get 1) (then (local.set $x (i32.div_u (local.get $x) (local.get 1)))))
    (block $b (block $a (br_table $a $b $a (local.get 0))) (local.set $x (i32.const 7)))
    (if (i32.eqz (local.get 1)) (then (throw $oops (local.get $x))))
    (local.get $x)))"#;

/// The program, spoiled.
fn spoiled(spoil: impl FnOnce(&mut Program)) -> Program {
    let mut program = Program::parse(wat::parse_str(SOURCE).expect("wat")).expect("a module");
    spoil(&mut program);
    program
}

fn body(program: &mut Program) -> &mut Body {
    let func = program.find_function("f").expect("f");
    match &mut program.functions[func].code {
        Code::Defined(defined) => &mut defined.body,
        Code::Import(_) => unreachable!("f has code"),
    }
}

/// Spoils one function, and expects the verifier to say so.
fn refuses(what: &str, spoil: impl FnOnce(&mut Body)) {
    let broken = verify(&spoiled(|program| spoil(body(program)))).expect_err(what);
    assert!(broken.what.contains(what), "{broken}");
}

fn ends(body: &Body, is: impl Fn(&Terminator) -> bool) -> Block {
    body.blocks.iter().find(|(_, data)| is(&data.end)).expect("such a block").0
}

fn is_branch(end: &Terminator) -> bool {
    matches!(end, Terminator::Branch { .. })
}

#[test]
fn what_is_lifted_is_accepted() {
    assert_eq!(verify(&spoiled(|_| {})), Ok(()));
}

#[test]
fn a_use_needs_a_definition_on_every_way() {
    refuses("used but not defined", |body| {
        let last = body.insts.ids().next_back().expect("instructions");
        let value = body.list(body.insts[last].results)[0];
        let entry = body.make_list(&[value, value]);
        body.insts[Inst(0)].args = entry;
    });
}

#[test]
fn results_of_a_call_that_threw_are_not_there() {
    refuses("used but not defined", |body| {
        let invoke = ends(body, |end| matches!(end, Terminator::Invoke { .. }));
        let call = body.blocks[invoke].insts().next_back().expect("the call");
        let result = body.list(body.insts[call].results)[0];
        // Where the ways of return and exception have joined, the call's result is not known.
        let branch = ends(body, is_branch);
        let Terminator::Branch { condition, .. } = &mut body.blocks[branch].end else { unreachable!() };
        *condition = result;
    });
}

#[test]
fn edges_fit_their_targets() {
    refuses("edge arguments", |body| {
        let jump = ends(body, |end| matches!(end, Terminator::Jump(_)));
        let too_many = body.make_list(&[Value(0); 4]);
        let Terminator::Jump(edge) = &mut body.blocks[jump].end else { unreachable!() };
        edge.args = too_many;
    });
}

#[test]
fn values_have_one_definition() {
    refuses("not where it says", |body| {
        let [first, second] = [0, 1].map(|index| body.insts[Inst(index)].results);
        assert_ne!(first, second);
        body.insts[Inst(1)].results = first;
    });
    refuses("not where it says", |body| body.values[Value(0)].def = Def::Param(Block(0), 1));
}

#[test]
fn the_entry_has_the_functions_parameters() {
    refuses("entry block's parameters", |body| body.values[Value(1)].ty = ValType::F32);
}

#[test]
fn switches_have_a_target_for_each_case() {
    let is_switch = |end: &Terminator| matches!(end, Terminator::Switch { .. });
    for wrong in [0, 9] {
        refuses("target", |body| {
            let block = ends(body, is_switch);
            let Terminator::Switch { cases, default, .. } = &mut body.blocks[block].end else {
                unreachable!()
            };
            cases.fill(wrong);
            *default = wrong;
        });
    }
}

#[test]
fn a_throw_carries_its_payload() {
    refuses("payload", |body| {
        let block = ends(body, |end| matches!(end, Terminator::Throw { .. }));
        let none = body.make_list(&[]);
        let Terminator::Throw { args, .. } = &mut body.blocks[block].end else { unreachable!() };
        *args = none;
    });
}

#[test]
fn blocks_are_reachable() {
    refuses("cannot be reached", |body| {
        let block = ends(body, is_branch);
        body.blocks[block].end = Terminator::Unreachable;
    });
}

#[test]
fn sites_are_those_of_the_code() {
    let wrong_kind = spoiled(|program| program.sites[Site(0)].kind = SiteKind::Select);
    let wrong_place = spoiled(|program| program.sites[Site(0)].offset += 1);
    let none = spoiled(|program| {
        let insts = body(program);
        let division =
            insts.insts.ids().find(|&inst| insts.insts[inst].op == Op::I32DivU).expect("a division");
        insts.insts[division].op = Op::I32Add;
    });
    for program in [wrong_kind, wrong_place, none] {
        let broken = verify(&program).expect_err("its sites are wrong");
        assert!(broken.what.contains("its sites are"), "{broken}");
    }
}
