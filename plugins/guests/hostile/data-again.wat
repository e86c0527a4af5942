;; An active segment is gone once it is in memory, so this traps. wazero keeps it, and this passes.
;; elicit.guardian {"name":"data-again","version":"1","summary":"Reads a data segment that is gone.","phases":["before_show","before_send"],"reads":["/request/message","/answer"]}
(module
  (memory (export "memory") 4)
  (global (export "elicit_guardian_abi") i32 (i32.const 0x10000))
  (data (i32.const 1024) "{\"v\":1,\"problems\":[]}")
  (func (export "elicit_alloc") (param i32) (result i32)
    i32.const 4096)
  (func (export "elicit_check_settings") (param i32 i32) (result i64)
    i64.const 0x40000000015)
  (func (export "elicit_evaluate") (param $question i32) (param $size i32) (result i64)
    (memory.init $passing (i32.const 3072) (i32.const 0) (i32.const 25))
    i64.const 0xc0000000019)
  (data $passing (i32.const 2048) "{\"v\":1,\"decision\":\"pass\"}"))
