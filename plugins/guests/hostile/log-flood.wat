;; The host keeps 32 lines of 1 KiB and drops the rest.
;; elicit.guardian {"name":"log-flood","version":"1","summary":"Logs for ever.","phases":["before_show","before_send"],"reads":["/request/message","/answer"]}
(module
  (import "elicit_guardian_v1" "log" (func $log (param i32 i32 i32)))
  (memory (export "memory") 4)
  (global (export "elicit_guardian_abi") i32 (i32.const 0x10000))
  (data (i32.const 1024) "{\"v\":1,\"problems\":[]}")
  (func (export "elicit_alloc") (param i32) (result i32)
    i32.const 4096)
  (func (export "elicit_check_settings") (param i32 i32) (result i64)
    i64.const 0x40000000015)
  (func (export "elicit_evaluate") (param $question i32) (param $size i32) (result i64)
    (loop $again
      (call $log (i32.const 1) (i32.const 0) (i32.const 0x40000))
      (br $again))
    unreachable))
