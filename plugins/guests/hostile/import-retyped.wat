;; An engine that links by name alone would call it with what lies on the stack.
;; elicit.guardian {"name":"import-retyped","version":"1","summary":"Imports log with another type.","phases":["before_show","before_send"],"reads":["/request/message","/answer"]}
(module
  (import "elicit_guardian_v1" "log" (func $log (param i64) (result i32)))
  (memory (export "memory") 4)
  (global (export "elicit_guardian_abi") i32 (i32.const 0x10000))
  (data (i32.const 1024) "{\"v\":1,\"problems\":[]}")
  (func (export "elicit_alloc") (param i32) (result i32)
    i32.const 4096)
  (func (export "elicit_check_settings") (param i32 i32) (result i64)
    i64.const 0x40000000015)
  (func (export "elicit_evaluate") (param $question i32) (param $size i32) (result i64)
    i64.const 0x80000000019)
  (data (i32.const 2048) "{\"v\":1,\"decision\":\"pass\"}"))
