;; Says one thing, in 17 pages of memory as Rust begins with: what an evaluation costs that does nothing.
;; elicit.guardian {"name":"say","version":"1","phases":["before_show"],"reads":["/request/message"]}
(module
  (memory (export "memory") 17)
  (global (export "elicit_guardian_abi") i32 (i32.const 0x10000))
  (data (i32.const 1024) "{\"v\":1,\"problems\":[]}")
  (data (i32.const 2048) "{\"v\":1,\"decision\":\"pass\"}")
  (func (export "elicit_alloc") (param i32) (result i32)
    i32.const 4096)
  (func (export "elicit_check_settings") (param i32 i32) (result i64)
    i64.const 0x40000000015)
  (func (export "elicit_evaluate") (param $question i32) (param $size i32) (result i64)
    i64.const 0x80000000019))
