;; A loop over bytes, the dearest thing to meter: the question is digested (FNV-1a) a hundred times.
;; elicit.guardian {"name":"bytes","version":"1","phases":["before_show"],"reads":["/request/message"]}
(module
  (memory (export "memory") 4)
  (global (export "elicit_guardian_abi") i32 (i32.const 0x10000))
  (data (i32.const 1024) "{\"v\":1,\"problems\":[]}")
  (data (i32.const 2048) "{\"v\":1,\"decision\":\"pass\"}")
  (func (export "elicit_alloc") (param i32) (result i32)
    i32.const 4096)
  (func (export "elicit_check_settings") (param i32 i32) (result i64)
    i64.const 0x40000000015)
  (func (export "elicit_evaluate") (param $question i32) (param $size i32) (result i64)
    (local $digest i32) (local $at i32) (local $round i32)
    (local.set $digest (i32.const 0x811c9dc5))
    (loop $rounds
      (local.set $at (i32.const 0))
      (loop $bytes
        (local.set $digest
          (i32.mul
            (i32.xor (local.get $digest) (i32.load8_u (i32.add (local.get $question) (local.get $at))))
            (i32.const 0x01000193)))
        (br_if $bytes (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 1))) (local.get $size))))
      (br_if $rounds (i32.lt_u (local.tee $round (i32.add (local.get $round) (i32.const 1))) (i32.const 100))))
    (i32.store (i32.const 3072) (local.get $digest))
    i64.const 0x80000000019))
