//! Random clauses against all assignments, asked several times under assumptions, also about a part of the variables.

use super::*;

fn next(seed: &mut u64) -> u64 {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    *seed >> 33
}

fn holds(clause: &[Literal], assignment: u64) -> bool {
    clause.iter().any(|&literal| (assignment >> (literal.unsigned_abs() - 1) & 1 == 1) == (literal > 0))
}

#[test]
fn random_clauses_under_assumptions() {
    let mut seed = 1;
    let (mut satisfiable, mut contradictory) = (0, 0);
    for _ in 0..400 {
        let variables = 4 + next(&mut seed) % 9;
        let literal = |seed: &mut u64| {
            let variable = 1 + (next(seed) % variables) as Literal;
            if next(seed).is_multiple_of(2) { variable } else { -variable }
        };
        let mut search = Search::default();
        let all: Vec<Literal> = (0..variables).map(|_| search.variable()).collect();
        let mut clauses: Vec<Vec<Literal>> = Vec::new();
        for _ in 0..6 {
            for _ in 0..variables * 2 / 3 {
                let length = 2 + next(&mut seed) % 3;
                let clause: Vec<Literal> = (0..length).map(|_| literal(&mut seed)).collect();
                search.clause(&clause);
                clauses.push(clause);
            }
            let assumptions: Vec<Literal> = (0..next(&mut seed) % 4).map(|_| literal(&mut seed)).collect();
            search.begin_question();
            all.iter().for_each(|&variable| search.question(variable, next(&mut seed).is_multiple_of(2)));
            let found = search.solve(&assumptions, u64::MAX, &Budget::unlimited());
            let fits = |assumed: &[Literal], assignment: u64| {
                clauses.iter().all(|clause| holds(clause, assignment))
                    && assumed.iter().all(|&literal| holds(&[literal], assignment))
            };
            if found.satisfiable == Some(true) {
                satisfiable += 1;
                let assignment = all
                    .iter()
                    .map(|&variable| u64::from(search.value(variable) == Some(true)) << (variable - 1))
                    .sum();
                assert!(fits(&assumptions, assignment));
            } else {
                contradictory += 1;
                let core: Vec<Literal> = assumptions.iter().copied().filter(|&a| search.failed(a)).collect();
                assert!(
                    !(0..1 << variables).any(|assignment| fits(&core, assignment)),
                    "{clauses:?} {core:?}"
                );
            }
        }
    }
    assert!(satisfiable > 300 && contradictory > 300, "{satisfiable} {contradictory}");
}

#[test]
fn pigeons_need_many_conflicts_and_reductions() {
    let (pigeons, holes) = (8, 7);
    let mut search = Search::default();
    let all: Vec<Literal> = (0..pigeons * holes).map(|_| search.variable()).collect();
    for pigeon in all.chunks(holes) {
        search.clause(pigeon);
    }
    for hole in 0..holes {
        for one in 0..pigeons {
            for other in 0..one {
                search.clause(&[-all[one * holes + hole], -all[other * holes + hole]]);
            }
        }
    }
    search.begin_question();
    all.iter().for_each(|&variable| search.question(variable, true));
    let limited = search.solve(&[], 100, &Budget::unlimited());
    assert!(limited.satisfiable.is_none() && limited.conflicts >= 100);
    let found = search.solve(&[], u64::MAX, &Budget::unlimited());
    assert_eq!(found.satisfiable, Some(false));
    assert!(search.reductions > 1, "{} conflicts", found.conflicts);
}

#[test]
fn what_is_not_in_question_is_left_alone() {
    let mut search = Search::default();
    let [a, b, c] = [(); 3].map(|()| search.variable());
    search.clause(&[-a, b]);
    search.clause(&[-b, c]);
    search.begin_question();
    search.question(a, false);
    search.question(b, false);
    assert_eq!(search.solve(&[a], u64::MAX, &Budget::unlimited()).satisfiable, Some(true));
    assert_eq!((search.value(b), search.value(c)), (Some(true), None));
    // What holds always does so for all.
    search.clause(&[a]);
    search.begin_question();
    search.question(c, false);
    assert_eq!(search.solve(&[-c], u64::MAX, &Budget::unlimited()).satisfiable, Some(false));
    assert!(search.failed(-c));
}

#[test]
fn luby_begins_as_published() {
    assert_eq!((1..=15).map(luby).collect::<Vec<_>>(), [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
}
