//! All that is promised for any bytes holds for those that are kept, findings among them.

use fuzz::seeds;

#[test]
fn every_promise_holds_for_every_seed() {
    for (target, check) in fuzz::TARGETS {
        let seeds = seeds::read(target).expect("each target has seeds");
        assert!(!seeds.is_empty(), "{target} has no seeds");
        for (number, seed) in (1..).zip(seeds) {
            let name = seed.name.unwrap_or_default();
            println!("{}:{number}: {name}", seeds::file(target).display());
            check(&seed.bytes);
        }
    }
}
