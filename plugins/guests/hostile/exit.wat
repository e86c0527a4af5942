;; With WASI granted it may call proc_exit; status 0 is no verdict either.
;; elicit.guardian {"name":"exit","version":"1","summary":"Ends the program.","phases":["before_show","before_send"],"reads":["/request/message","/answer"]}
(module
  (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
  (memory (export "memory") 4)
  (global (export "elicit_guardian_abi") i32 (i32.const 0x10000))
  (data (i32.const 1024) "{\"v\":1,\"problems\":[]}")
  (func (export "elicit_alloc") (param i32) (result i32)
    i32.const 4096)
  (func (export "elicit_check_settings") (param i32 i32) (result i64)
    i64.const 0x40000000015)
  (func (export "elicit_evaluate") (param $question i32) (param $size i32) (result i64)
    (call $exit (i32.const 0))
    i64.const 0x80000000019)
  (data (i32.const 2048) "{\"v\":1,\"decision\":\"pass\"}"))
