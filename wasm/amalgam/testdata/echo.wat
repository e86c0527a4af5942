;; A module with the exports of the engine. Its answer is its input, or {} if that is empty. In a step, the first letter of the input asks for a
;; trap, or for the number of steps of this instance.
(module
  (type $go (func (param i32) (result i32)))
  (type $wide (func (param i64) (result i64)))
  (memory (export "memory") 2)
  (table 12 funcref)
  (elem (i32.const 4) $next $deep $other)
  (global $five (mut i64) (i64.const 5))
  (data (i32.const 1024) "begun")
  (data (i32.const 2048) "0")
  (func (export "_initialize") ;; 1
    (i64.store (i32.const 3072) (i64.extend_i32_u (i32.sub (i32.load8_u (i32.const 1028)) (i32.const 109)))))
  (func (export "elicit_abi") (result i32) (i32.const 1))
  (func (export "elicit_input") (param $n i32) (result i32)
    (if (i32.gt_u (local.get $n) (i32.const 67108864)) (then (return (i32.const 0))))
    (if (i32.gt_u (i32.add (local.get $n) (i32.const 65536)) (i32.mul (memory.size) (i32.const 65536)))
      (then (if (i32.eq (memory.grow (i32.const 1100)) (i32.const -1)) (then (unreachable)))))
    (i32.const 65536))
  (func $next (type $go) (i32.add (local.get 0) (i32.const 1)))
  (func $deep (type $go) (i32.add (call $deep (local.get 0)) (i32.const 1)))
  (func $other (param i64) (result i64) (local.get 0))
  (func $trap (param $letter i32) (result i32)
    (if (i32.eq (local.get $letter) (i32.const 117)) (then (unreachable))) ;; u
    (if (i32.eq (local.get $letter) (i32.const 108)) (then (drop (i64.load offset=8 (i32.const -1))))) ;; l
    (if (i32.eq (local.get $letter) (i32.const 111)) (then (drop (i32.load offset=0x7fff0010 (i32.const 9))))) ;; o
    (if (i32.eq (local.get $letter) (i32.const 112)) ;; p: past the end by less than 65536
      (then (i64.store offset=65535 (i32.sub (i32.mul (memory.size) (i32.const 65536)) (i32.const 1)) (i64.const 0))))
    (if (i32.eq (local.get $letter) (i32.const 115)) (then (i32.store (i32.const 0x7fffffff) (i32.const 1)))) ;; s
    (if (i32.eq (local.get $letter) (i32.const 102))
      (then (memory.fill (i32.const 100) (i32.const 1) (i32.const -1)))) ;; f
    (if (i32.eq (local.get $letter) (i32.const 100))
      (then (drop (i32.div_u (i32.const 1) (i32.load (i32.const 4096)))))) ;; d
    (if (i32.eq (local.get $letter) (i32.const 99))
      (then (drop (call_indirect (type $go) (i32.const 0) (i32.const 1))))) ;; c: no function is there
    (if (i32.eq (local.get $letter) (i32.const 116))
      (then (drop (call_indirect (type $go) (i32.const 0) (i32.const 6))))) ;; t: a function of another type
    (if (i32.eq (local.get $letter) (i32.const 114)) (then (drop (call $deep (i32.const 0))))) ;; r
    (if (i32.eq (local.get $letter) (i32.const 119)) ;; w: a function of the first type as another
      (then (drop (call_indirect (type $wide) (i64.const 0) (i32.const 4)))))
    (if (i32.eq (local.get $letter) (i32.const 103)) ;; g: after growth, the other type
      (then (drop (memory.grow (i32.const 1)))
        (if (i64.ne (call_indirect (type $wide) (i64.const 9) (i32.const 6)) (i64.const 9)) (then (unreachable)))))
    (i32.eq (local.get $letter) (i32.const 110))) ;; n
  (func (export "elicit_call") (param $op i32) (param $handle i64) (param $at i64) (param $n i32) (result i64)
    (if (i32.eq (local.get $op) (i32.const 11)) (then (return (i64.const 0))))
    (if (i32.eq (local.get $op) (i32.const 13)) (then ;; each copy does this once
      (i64.store (i32.const 3072) (i64.add (i64.load (i32.const 3072)) (i64.const 1)))
      (return (i64.const 0))))
    (i64.store (i32.const 32768) (i64.const 0))
    (i64.store offset=8 (i32.const 32768) ;; 7, if memory and global are what they were after _initialize, with new seeds
      (i64.add (global.get $five) (i64.load (i32.const 3072))))
    (i32.store16 (i32.const 32784) (i32.const 0x7d7b))
    (memory.copy (i32.const 32784) (i32.const 65536) (local.get $n))
    (if (i32.eq (local.get $op) (i32.const 2)) (then
      (i32.store8 (i32.const 2048) (call_indirect (type $go) (i32.load8_u (i32.const 2048)) (i32.const 4)))
      (if (call $trap (i32.load8_u (i32.const 65536))) (then
        (i32.store8 (i32.const 32784) (i32.load8_u (i32.const 2048)))))
      (if (i64.ne (local.get $handle) (i64.const 7)) (then (unreachable)))))
    (i64.or (i64.const 0x800000000000) 
      (i64.extend_i32_u (i32.add (select (local.get $n) (i32.const 2) (local.get $n)) (i32.const 16))))))
