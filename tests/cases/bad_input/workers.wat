;; Numbers of threads that are none.
;; RUN: for n in 0 -1 two 1.5 1025 99999999999999999999; do coax cover % --workers=$n --out %t/out 2>&1 | head -n 1; done; ls %t
(module (func (export "f")))

;; OUTPUT
;; $ for n in 0 -1 two 1.5 1025 99999999999999999999; do coax cover % --workers=$n --out %t/out 2>&1 | head -n 1; done; ls %t
;; | error: invalid value '0' for '--workers <COUNT>': write a number from 1 to 1024; without `--workers` there are as many as the machine has cores
;; | error: invalid value '-1' for '--workers <COUNT>': write a number from 1 to 1024; without `--workers` there are as many as the machine has cores
;; | error: invalid value 'two' for '--workers <COUNT>': write a number from 1 to 1024; without `--workers` there are as many as the machine has cores
;; | error: invalid value '1.5' for '--workers <COUNT>': write a number from 1 to 1024; without `--workers` there are as many as the machine has cores
;; | error: invalid value '1025' for '--workers <COUNT>': write a number from 1 to 1024; without `--workers` there are as many as the machine has cores
;; | error: invalid value '99999999999999999999' for '--workers <COUNT>': write a number from 1 to 1024; without `--workers` there are as many as the machine has cores
