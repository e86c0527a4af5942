;; No engine can begin with it, so it is refused before one tries: the segment ends two bytes behind the memory.
;; elicit.guardian {"name":"data-outside","version":"1","summary":"Has a data segment that its memory does not hold.","phases":["before_show","before_send"],"reads":["/request/message","/answer"]}
(module
  (memory (export "memory") 4)
  (global (export "elicit_guardian_abi") i32 (i32.const 0x10000))
  (data (i32.const 1024) "{\"v\":1,\"problems\":[]}")
  (func (export "elicit_alloc") (param i32) (result i32)
    i32.const 4096)
  (func (export "elicit_check_settings") (param i32 i32) (result i64)
    i64.const 0x40000000015)
  (func (export "elicit_evaluate") (param $question i32) (param $size i32) (result i64)
    i64.const 0x80000000019)
  (data (i32.const 0x3fffe) "four")
  (data (i32.const 2048) "{\"v\":1,\"decision\":\"pass\"}"))
