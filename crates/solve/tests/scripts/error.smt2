; What comes before an error is carried out.
(set-logic QF_BVFP)
(define-fun one () Float32 ((_ to_fp 8 24) RNE 1.0))
(define-fun half () (_ FloatingPoint 8 24) (fp #b0 #b01111110 #b00000000000000000000000))
(define-fun nan () Float32 (_ NaN 8 24))
(define-fun zero () Float64 (_ -zero 11 53))
(check-sat)
;= sat
(get-value ((fp.add RNE one half) (fp.div RNE one zero32) (fp.sqrt RNE (fp.neg one))))
;! 9:51: There is nothing with the name `zero32`. Declare it before it is used.
