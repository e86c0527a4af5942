;; Most engines cannot begin with it. wazero can: it leaves the segment out, and a guest could ask whether it is
;; there.
;; elicit.guardian {"name":"elements-outside","version":"1","summary":"Has an element segment that its table does not hold.","phases":["before_show","before_send"],"reads":["/request/message","/answer"]}
(module
  (memory (export "memory") 4)
  (global (export "elicit_guardian_abi") i32 (i32.const 0x10000))
  (data (i32.const 1024) "{\"v\":1,\"problems\":[]}")
  (func (export "elicit_alloc") (param i32) (result i32)
    i32.const 4096)
  (func (export "elicit_check_settings") (param i32 i32) (result i64)
    i64.const 0x40000000015)
  (table 1 funcref)
  (elem (i32.const 1) $here)
  (func $here)
  (func (export "elicit_evaluate") (param $question i32) (param $size i32) (result i64)
    i64.const 0x80000000019)
  (data (i32.const 2048) "{\"v\":1,\"decision\":\"pass\"}"))
