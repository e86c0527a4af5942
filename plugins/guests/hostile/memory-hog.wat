;; It declares 60,000 pages and touches every one it gets. The limit is the same number on every engine, so its
;; output is.
;; elicit.guardian {"name":"memory-hog","version":"1","summary":"Takes all memory there is, then tells how many pages it got.","phases":["before_show","before_send"],"reads":["/request/message","/answer"]}
(module
  (memory (export "memory") 4 60000)
  (global (export "elicit_guardian_abi") i32 (i32.const 0x10000))
  (data (i32.const 1024) "{\"v\":1,\"problems\":[]}")
  (func (export "elicit_alloc") (param i32) (result i32)
    i32.const 4096)
  (func (export "elicit_check_settings") (param i32 i32) (result i64)
    i64.const 0x40000000015)
  (func (export "elicit_evaluate") (param $question i32) (param $size i32) (result i64)
    (local $page i32)
    (loop $again
      (br_if $again (i32.ne (memory.grow (i32.const 1)) (i32.const -1))))
    (loop $again
      (i32.store8 (i32.shl (local.get $page) (i32.const 16)) (i32.const 1))
      (local.set $page (i32.add (local.get $page) (i32.const 1)))
      (br_if $again (i32.lt_u (local.get $page) (memory.size))))
    (i32.store8 (i32.const 2087) (i32.add (i32.const 48) (i32.div_u (memory.size) (i32.const 10))))
    (i32.store8 (i32.const 2088) (i32.add (i32.const 48) (i32.rem_u (memory.size) (i32.const 10))))
    i64.const 0x8000000002a)
  (data (i32.const 2048) "{\"v\":1,\"decision\":\"pass\",\"x-got-pages\":00}"))
