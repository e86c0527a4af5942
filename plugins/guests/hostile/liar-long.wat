;; It lies in memory and is too long all the same.
;; elicit.guardian {"name":"liar-long","version":"1","summary":"Answers with 16 KiB and a byte.","phases":["before_show","before_send"],"reads":["/request/message","/answer"]}
(module
  (memory (export "memory") 4)
  (global (export "elicit_guardian_abi") i32 (i32.const 0x10000))
  (data (i32.const 1024) "{\"v\":1,\"problems\":[]}")
  (func (export "elicit_alloc") (param i32) (result i32)
    i32.const 4096)
  (func (export "elicit_check_settings") (param i32 i32) (result i64)
    i64.const 0x40000000015)
  (func (export "elicit_evaluate") (param $question i32) (param $size i32) (result i64)
    i64.const 0x100000004001))
