;; What coax.toml could do to this machine counts only if the user says so: it may have come with a checkout.
;; RUN: mkdir inc; echo text > inc/text; ln -s / root; ln -s /nowhere gone
;; RUN: printf '[cover]\nout = "../elsewhere"\nemit = ["lcov", "c,junit", "rust"]\nallow = ["env", "dir=/etc", "clock"]\nstdin = "/etc/passwd"\nseeds = "root/etc"\nbaseline = "gone"\nfile = ["a=/etc/passwd", "b=inc/text"]\nstub = ["x.y=/z.wasm"]\nmax-runs = 4\n' > coax.toml; coax cover % | tail -n 1; ls; ls coax-out ..
;; RUN: printf 'out = "made/here"\nstdin = "inc/text"\n' > coax.toml; coax cover % | tail -n 1; ls made/here; rm -r made
;; RUN: printf 'out = "../trusted"\n' > coax.toml; coax cover % --trust-config | tail -n 1; ls ..
;; RUN: printf '[solve]\nsolver = "sh -c evil"\n' > coax.toml; echo '(check-sat)' | coax solve -
;; RUN: printf 'trust-config = true\n' > coax.toml; coax cover %
;; EXIT: 2
;; RUN: printf 'nothing-like-any-flag = true\n' > coax.toml; coax cover %
;; EXIT: 2
;; RUN: printf 'emit = "c"\n' > %t/other.toml; coax cover % --config %t/other.toml --out %t/named | tail -n 1; ls %t/named | grep '^c$'
;; EXIT: 1
;; RUN: rm -r inc root gone coax.toml coax-out
(module (func (export "f") (param i32) (result i32)
  (if (i32.eq (local.get 0) (i32.const 7)) (then (return (i32.const 1))))
  (i32.const 0)))

