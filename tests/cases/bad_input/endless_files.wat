;; Files that never end, or that nobody writes, where a file is expected: said at once.
;; RUN: mkfifo %t/pipe; mkdir %t/seeds; mkfifo %t/seeds/pipe; ln -s /dev/zero %t/seeds/zero; ln -s nothing %t/seeds/nothing; echo > %t/seeds/a
;; RUN: coax replay % --file n=/dev/zero
;; EXIT: 2
;; RUN: coax replay % --file n=%t/pipe
;; EXIT: 2
;; RUN: coax replay % --file n=%t
;; EXIT: 2
;; RUN: coax replay % --stdin %t/pipe
;; EXIT: 2
;; RUN: coax replay % --stdin /dev/zero
;; EXIT: 2
;; RUN: coax replay % --stdin /dev/null
;; RUN: coax replay % --stdin - < /dev/zero
;; EXIT: 2
;; RUN: coax cover % --seeds %t/seeds --out %t/out | tail -n 1
;; RUN: coax cover % --sync-dir %t/seeds --out %t/out2 | tail -n 1
;; RUN: coax replay % --test %t/pipe
;; EXIT: 2
;; RUN: coax replay % --test /dev/zero
;; EXIT: 2
;; RUN: coax replay %t/pipe
;; EXIT: 2
;; RUN: coax dump path %t/pipe
;; EXIT: 2
;; RUN: mkfifo %t/pipe.wasm; coax replay % --stub a.b=%t/pipe.wasm
;; EXIT: 2
;; RUN: coax solve %t/pipe
;; EXIT: 2
;; RUN: coax cover % --config %t/pipe
;; EXIT: 2
;; RUN: mkfifo coax.toml; coax cover %; echo $?; rm coax.toml
;; RUN: coax cover % --baseline %t/pipe --out %t/out3
;; EXIT: 2
;; RUN: coax replay % --allow dir=%t/seeds
(module (func (export "f") (param i32) (result i32) (i32.eqz (local.get 0))))

;; OUTPUT
;; $ mkfifo %t/pipe; mkdir %t/seeds; mkfifo %t/seeds/pipe; ln -s /dev/zero %t/seeds/zero; ln -s nothing %t/seeds/nothing; echo > %t/seeds/a
;; $ coax replay % --file n=/dev/zero
;; ! note: `f` is given zeros: `--param` gives it something else
;; ! error: --file: cannot read /dev/zero; name a file: it is a pipe or a device, not a file
;; $ coax replay % --file n=%t/pipe
;; ! note: `f` is given zeros: `--param` gives it something else
;; ! error: --file: cannot read [t]/pipe; name a file: it is a pipe or a device, not a file
;; $ coax replay % --file n=%t
;; ! note: `f` is given zeros: `--param` gives it something else
;; ! error: --file: cannot read [t]; name a file: it is a directory, not a file
;; $ coax replay % --stdin %t/pipe
;; ! note: `f` is given zeros: `--param` gives it something else
;; ! error: cannot read [t]/pipe; save it to a file, or pipe it in: `--stdin -`: it is a pipe or a device, not a file
;; $ coax replay % --stdin /dev/zero
;; ! note: `f` is given zeros: `--param` gives it something else
;; ! error: cannot read /dev/zero; save it to a file, or pipe it in: `--stdin -`: it is a pipe or a device, not a file
;; $ coax replay % --stdin /dev/null
;; | ok    run: returned i32 1
;; ! note: `f` is given zeros: `--param` gives it something else
;; $ coax replay % --stdin - < /dev/zero
;; ! note: `f` is given zeros: `--param` gives it something else
;; ! error: cannot read standard input: it has more than 268435456 bytes
;; $ coax cover % --seeds %t/seeds --out %t/out | tail -n 1
;; | Tests are in [t]/out/tests.
;; ! note: 1 input is read from [t]/seeds, 3 refused
;; ! note: [t]/seeds/nothing is refused: Too many levels of symbolic links (os error 40)
;; ! note: [t]/seeds/pipe is refused: it is a pipe or a device, not a file
;; ! note: [t]/seeds/zero is refused: it is a pipe or a device, not a file
;; $ coax cover % --sync-dir %t/seeds --out %t/out2 | tail -n 1
;; | Tests are in [t]/out2/tests.
;; $ coax replay % --test %t/pipe
;; ! error: cannot read [t]/pipe: it is a pipe or a device, not a file
;; $ coax replay % --test /dev/zero
;; ! error: cannot read /dev/zero: it is a pipe or a device, not a file
;; $ coax replay %t/pipe
;; ! error: [t]/pipe is not a regular file. Save the program to a file and give that.
;; $ coax dump path %t/pipe
;; ! error: [t]/pipe is not a regular file. Save the program to a file and give that.
;; $ mkfifo %t/pipe.wasm; coax replay % --stub a.b=%t/pipe.wasm
;; ! error: [t]/pipe.wasm cannot be read: it is a pipe or a device, not a file. Check the path and its permissions.
;; $ coax solve %t/pipe
;; ! error: cannot read [t]/pipe: it is a pipe or a device, not a file
;; $ coax cover % --config %t/pipe
;; ! error: cannot read the options in [t]/pipe; name a file of TOML: it is a pipe or a device, not a file
;; $ mkfifo coax.toml; coax cover %; echo $?; rm coax.toml
;; | 2
;; ! error: cannot read the options in coax.toml; name a file of TOML: it is a pipe or a device, not a file
;; $ coax cover % --baseline %t/pipe --out %t/out3
;; ! error: cannot read [t]/pipe: it is a pipe or a device, not a file
;; $ coax replay % --allow dir=%t/seeds
;; | ok    run: returned i32 1
;; ! note: `f` is given zeros: `--param` gives it something else
;; ! note: the program does not see these of [t]/seeds: nothing (a link to a directory, or out of this one), pipe (no file), zero (a link to a directory, or out of this one)
