;; It reads all of its data, 32 KiB at a time, and says the sum of the words: a host that gives a wrong byte anywhere
;; gives a wrong sum.
;; elicit.guardian {"name":"data-sum","version":"1","summary":"Adds up its data.","phases":["before_show","before_send"],"reads":[],"data":"any bytes"}
(module
  (import "elicit_guardian_v1" "data_size" (func $data_size (result i32)))
  (import "elicit_guardian_v1" "data_read" (func $data_read (param i32 i32 i32) (result i32)))
  (memory (export "memory") 2)
  (global (export "elicit_guardian_abi") i32 (i32.const 0x10000))
  (data (i32.const 1100) "0123456789abcdef")
  (func (export "elicit_alloc") (param i32) (result i32)
    i32.const 4096)
  (func $sum (result i64)
    (local $offset i32) (local $came i32) (local $at i32) (local $sum i64) (local $digits i32)
    (block $over
      (loop $window
        ;; what the last window left behind the end of this one would count
        (memory.fill (i32.const 65536) (i32.const 0) (i32.const 32768))
        (local.set $came (call $data_read (local.get $offset) (i32.const 65536) (i32.const 32768)))
        (br_if $over (i32.eqz (local.get $came)))
        (local.set $at (i32.const 65536))
        (loop $word
          (local.set $sum (i64.add (i64.rotl (local.get $sum) (i64.const 7)) (i64.load (local.get $at))))
          (br_if $word (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 8))) (i32.const 98304))))
        (local.set $offset (i32.add (local.get $offset) (local.get $came)))
        (br $window)))
    (if (i32.ne (local.get $offset) (call $data_size)) (then unreachable))
    (local.set $digits (i32.const 16))
    (loop $next
      (local.set $digits (i32.sub (local.get $digits) (i32.const 1)))
      (i32.store8 (i32.add (i32.const 2048) (local.get $digits))
        (i32.load8_u (i32.add (i32.const 1100) (i32.and (i32.wrap_i64 (local.get $sum)) (i32.const 15)))))
      (local.set $sum (i64.shr_u (local.get $sum) (i64.const 4)))
      (br_if $next (local.get $digits)))
    i64.const 0x80000000010)
  (func (export "elicit_evaluate") (param $question i32) (param $size i32) (result i64)
    call $sum)
  (func (export "elicit_check_settings") (param $question i32) (param $size i32) (result i64)
    call $sum))
