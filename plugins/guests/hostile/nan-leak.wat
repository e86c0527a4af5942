;; The specification leaves the bits of a NaN to the engine, and this tells them.
;; elicit.guardian {"name":"nan-leak","version":"1","summary":"Tells the bits of a NaN.","phases":["before_show","before_send"],"reads":["/request/message","/answer"]}
(module
  (memory (export "memory") 4)
  (global (export "elicit_guardian_abi") i32 (i32.const 0x10000))
  (data (i32.const 1024) "{\"v\":1,\"problems\":[]}")
  (func (export "elicit_alloc") (param i32) (result i32)
    i32.const 4096)
  (func (export "elicit_check_settings") (param i32 i32) (result i64)
    i64.const 0x40000000015)
  (global $zero (mut f64) (f64.const 0))
  (global $minus (mut f32) (f32.const -1))
  (func $digits (param $at i32) (param $bits i64)
    (local $i i32)
    (loop $next
      (i32.store8 (i32.add (local.get $at) (local.get $i))
        (i32.load8_u (i32.add (i32.const 3072) (i32.wrap_i64 (i64.shr_u (local.get $bits) (i64.const 60))))))
      (local.set $bits (i64.shl (local.get $bits) (i64.const 4)))
      (br_if $next (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 16)))))
  (func (export "elicit_evaluate") (param $question i32) (param $size i32) (result i64)
    ;; 0/0 read as an integer
    (call $digits (i32.const 2111) (i64.reinterpret_f64 (f64.div (global.get $zero) (global.get $zero))))
    ;; the square root of -1, stored
    (f32.store (i32.const 600) (f32.sqrt (global.get $minus)))
    (call $digits (i32.const 2128) (i64.load (i32.const 600)))
    ;; the sign of inf - inf, given to a number
    (call $digits (i32.const 2145)
      (i64.reinterpret_f64 (f64.copysign (f64.const 1) (f64.sub (f64.const inf) (f64.div (f64.const 1) (global.get $zero))))))
    ;; a NaN that was made narrow
    (call $digits (i32.const 2162)
      (i64.extend_i32_u (i32.reinterpret_f32 (f32.demote_f64 (f64.add (f64.load (i32.const 608)) (global.get $zero))))))
    i64.const 0x80000000086)
  (data (i32.const 608) "\01\00\00\00\00\00\f4\7f")
  (data (i32.const 3072) "0123456789abcdef")
  (data (i32.const 2048) "{\"v\":1,\"decision\":\"pass\",\"findings\":[{\"code\":\"bits\",\"message\":\"................ ................ ................ ................\"}]}"))
