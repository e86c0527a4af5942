;; A read of the data document is exact: its size, how many bytes came, and where reads end. The question says in
;; hexadecimal the offset, the address and the number of bytes: "00000000 00002000 00000010".
;; elicit.guardian {"name":"data-probe","version":"1","summary":"Reads one window of its data.","phases":["before_show","before_send"],"reads":[],"data":"any bytes"}
(module
  (import "elicit_guardian_v1" "data_size" (func $data_size (result i32)))
  (import "elicit_guardian_v1" "data_read" (func $data_read (param i32 i32 i32) (result i32)))
  (memory (export "memory") 2)
  (global (export "elicit_guardian_abi") i32 (i32.const 0x10000))
  (global $end (mut i32) (i32.const 2048)) ;; of the answer as far as it is written
  (data (i32.const 1100) "0123456789abcdef")
  (func (export "elicit_alloc") (param i32) (result i32)
    i32.const 4096)
  ;; the number whose digits stand at an address
  (func $number (param $at i32) (result i32)
    (local $sum i32) (local $digit i32) (local $left i32)
    (local.set $left (i32.const 8))
    (loop $next
      (local.set $digit (i32.load8_u (local.get $at)))
      (local.set $sum (i32.or (i32.shl (local.get $sum) (i32.const 4))
        (i32.sub (local.get $digit)
          (select (i32.const 87) (i32.const 48) (i32.gt_u (local.get $digit) (i32.const 57))))))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (br_if $next (local.tee $left (i32.sub (local.get $left) (i32.const 1)))))
    local.get $sum)
  (func $byte (param $byte i32)
    (i32.store8 (global.get $end) (local.get $byte))
    (global.set $end (i32.add (global.get $end) (i32.const 1))))
  ;; the lowest digits of a number, the highest first
  (func $say (param $number i32) (param $digits i32)
    (loop $next
      (local.set $digits (i32.sub (local.get $digits) (i32.const 1)))
      (call $byte (i32.load8_u (i32.add (i32.const 1100)
        (i32.and (i32.shr_u (local.get $number) (i32.shl (local.get $digits) (i32.const 2))) (i32.const 15)))))
      (br_if $next (local.get $digits))))
  (func $tell (param $question i32) (result i64)
    (local $to i32) (local $last i32)
    (local.set $to (call $number (i32.add (local.get $question) (i32.const 9))))
    (call $say (call $data_size) (i32.const 8))
    (call $byte (i32.const 32))
    (call $say
      (call $data_read (call $number (local.get $question)) (local.get $to)
        (call $number (i32.add (local.get $question) (i32.const 18))))
      (i32.const 8))
    ;; sixteen bytes from where they should be, if that is in memory
    (if (i32.le_u (local.get $to) (i32.const 0x1fff0))
      (then
        (call $byte (i32.const 32))
        (local.set $last (i32.add (local.get $to) (i32.const 16)))
        (loop $next
          (call $say (i32.load8_u (local.get $to)) (i32.const 2))
          (br_if $next (i32.lt_u (local.tee $to (i32.add (local.get $to) (i32.const 1))) (local.get $last))))))
    (i64.or (i64.const 0x80000000000) (i64.extend_i32_u (i32.sub (global.get $end) (i32.const 2048)))))
  (func (export "elicit_evaluate") (param $question i32) (param $size i32) (result i64)
    (call $tell (local.get $question)))
  (func (export "elicit_check_settings") (param $question i32) (param $size i32) (result i64)
    (call $tell (local.get $question))))
