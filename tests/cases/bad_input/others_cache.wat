;; A cache that others can write to is not used: what is compiled is run as it is.
;; RUN: mkdir -m 777 %t/cache; COAX_CACHE=%t/cache coax cover % --max-runs 1 --no-mutate --out %t/out | tail -n 1; ls -A %t/cache
;; RUN: chmod 755 %t/cache; COAX_CACHE=%t/cache coax cover % --max-runs 1 --no-mutate --out %t/out2 | tail -n 1; ls -A %t/cache
(module (func (export "f")))

;; OUTPUT
;; $ mkdir -m 777 %t/cache; COAX_CACHE=%t/cache coax cover % --max-runs 1 --no-mutate --out %t/out | tail -n 1; ls -A %t/cache
;; | Tests are in [t]/out/tests.
;; ! note: the cache [t]/cache is not used, for everybody can write to it and its code would be run; name one of your own by COAX_CACHE
;; $ chmod 755 %t/cache; COAX_CACHE=%t/cache coax cover % --max-runs 1 --no-mutate --out %t/out2 | tail -n 1; ls -A %t/cache
;; | Tests are in [t]/out2/tests.
;; | modules
