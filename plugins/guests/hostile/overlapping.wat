;; The answer lies inside the question, and its end covers what was asked. A host reads the answer where it is,
;; once, and never the question again.
;; elicit.guardian {"name":"overlapping","version":"1","summary":"Writes its verdict over the question.","phases":["before_show","before_send"],"reads":["/request/message","/answer"]}
(module
  (memory (export "memory") 4)
  (global (export "elicit_guardian_abi") i32 (i32.const 0x10000))
  (data (i32.const 1024) "{\"v\":1,\"problems\":[]}")
  (func (export "elicit_alloc") (param i32) (result i32)
    i32.const 4096)
  (func (export "elicit_check_settings") (param i32 i32) (result i64)
    i64.const 0x40000000015)
  (func (export "elicit_evaluate") (param $question i32) (param $size i32) (result i64)
    (memory.copy (i32.add (local.get $question) (i32.const 3)) (i32.const 2048) (i32.const 25))
    (i64.or
      (i64.shl (i64.extend_i32_u (i32.add (local.get $question) (i32.const 3))) (i64.const 32))
      (i64.const 25)))
  (data (i32.const 2048) "{\"v\":1,\"decision\":\"pass\"}"))
