;; It asks WASI and logs before there is an instance. Engines show nobody its memory then, so nothing is answered.
;; elicit.guardian {"name":"start-imports","version":"1","summary":"Calls its imports from its start section.","phases":["before_show","before_send"],"reads":["/request/message","/answer"]}
(module
  (import "wasi_snapshot_preview1" "random_get" (func $random (param i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "sched_yield" (func $yield (result i32)))
  (import "elicit_guardian_v1" "log" (func $log (param i32 i32 i32)))
  (memory (export "memory") 4)
  (global (export "elicit_guardian_abi") i32 (i32.const 0x10000))
  (data (i32.const 1024) "{\"v\":1,\"problems\":[]}")
  (data (i32.const 2048) "{\"v\":1,\"decision\":\"pass\",\"x-random\":00,\"x-yield\":00}")
  (func (export "elicit_alloc") (param i32) (result i32)
    i32.const 4096)
  (func (export "elicit_check_settings") (param i32 i32) (result i64)
    i64.const 0x40000000015)
  (func $say (param $at i32) (param $errno i32)
    (i32.store8 (local.get $at) (i32.add (i32.const 48) (i32.div_u (local.get $errno) (i32.const 10))))
    (i32.store8 offset=1 (local.get $at) (i32.add (i32.const 48) (i32.rem_u (local.get $errno) (i32.const 10)))))
  (func $begin
    (call $log (i32.const 1) (i32.const 2048) (i32.const 8))
    (call $say (i32.const 2084) (call $random (i32.const 2048) (i32.const 8)))
    (call $say (i32.const 2097) (call $yield)))
  (start $begin)
  (func (export "elicit_evaluate") (param $question i32) (param $size i32) (result i64)
    i64.const 0x80000000034))
