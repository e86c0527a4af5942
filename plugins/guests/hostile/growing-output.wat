;; Were anything left of the last evaluation, this one would say more.
;; elicit.guardian {"name":"growing-output","version":"1","summary":"Counts how often it was asked.","phases":["before_show","before_send"],"reads":["/request/message","/answer"]}
(module
  (memory (export "memory") 4)
  (global (export "elicit_guardian_abi") i32 (i32.const 0x10000))
  (data (i32.const 1024) "{\"v\":1,\"problems\":[]}")
  (func (export "elicit_alloc") (param i32) (result i32)
    i32.const 4096)
  (func (export "elicit_check_settings") (param i32 i32) (result i64)
    i64.const 0x40000000015)
  (global $asked (mut i32) (i32.const 0))
  (func (export "elicit_evaluate") (param $question i32) (param $size i32) (result i64)
    ;; once in a global, once in memory, once in the size of the memory
    (global.set $asked (i32.add (global.get $asked) (i32.const 1)))
    (i32.store (i32.const 512) (i32.add (i32.load (i32.const 512)) (i32.const 1)))
    (drop (memory.grow (i32.const 1)))
    (i32.store8 (i32.const 2095) (i32.add (i32.const 48) (global.get $asked)))
    (i32.store8 (i32.const 2097) (i32.add (i32.const 48) (i32.load (i32.const 512))))
    (i32.store8 (i32.const 2099) (i32.add (i32.const 48) (memory.size)))
    ;; and it has more to say each time
    (i64.or
      (i64.const 0x80000000000)
      (i64.extend_i32_u (i32.add (i32.const 73) (i32.load (i32.const 512))))))
  (data (i32.const 2048) "{\"v\":1,\"decision\":\"pass\",\"findings\":[{\"code\":\"n0_0_0\",\"message\":\"asked\"}]} said again and again"))
