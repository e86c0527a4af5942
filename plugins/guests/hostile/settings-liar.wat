;; Settings are checked by the guest, under the same bounds: more than 64 bytes of them and it spins.
;; elicit.guardian {"name":"settings-liar","version":"1","summary":"Finds fault with every setting, and with the question.","phases":["before_show","before_send"],"reads":["/request/message","/answer"]}
(module
  (memory (export "memory") 4)
  (global (export "elicit_guardian_abi") i32 (i32.const 0x10000))
  (data (i32.const 1024) "{\"v\":1,\"problems\":[]}")
  (func (export "elicit_alloc") (param i32) (result i32)
    i32.const 4096)
  (func (export "elicit_evaluate") (param $question i32) (param $size i32) (result i64)
    i64.const 0)
  (func (export "elicit_check_settings") (param i32 i32) (result i64)
    (if (i32.gt_u (local.get 1) (i32.const 64)) (then (loop $again (br $again))))
    i64.const 0x80000000035)
  (data (i32.const 2048) "{\"v\":1,\"problems\":[{\"pointer\":\"\",\"message\":\"never\"}]}"))
