//! All that is promised for any bytes holds for those that are kept, findings among them.

use std::fs;
use std::path::Path;

#[test]
fn every_promise_holds_for_every_seed() {
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds");
    for (target, check) in fuzz::TARGETS {
        let mut count = 0;
        for file in fs::read_dir(seeds.join(target)).expect("each target has seeds") {
            let path = file.expect("a file").path();
            println!("{}", path.display());
            check(&fs::read(path).expect("a seed"));
            count += 1;
        }
        assert!(count > 0, "{target} has no seeds");
    }
}
