;; Its start section asks for the data document. Browsers show no host the memory of an instance that is not there
;; yet, so no host gives anything: both answers are -1.
;; elicit.guardian {"name":"data-start","version":"1","summary":"Reads data too early.","phases":["before_show","before_send"],"reads":[],"data":"any bytes"}
(module
  (import "elicit_guardian_v1" "data_size" (func $data_size (result i32)))
  (import "elicit_guardian_v1" "data_read" (func $data_read (param i32 i32 i32) (result i32)))
  (memory (export "memory") 1)
  (global (export "elicit_guardian_abi") i32 (i32.const 0x10000))
  (data (i32.const 2048) "{\"v\":1,\"decision\":\"pass\",\"x-size\":?,\"x-read\":?,\"x-now\":?}")
  (start $start)
  ;; one digit: 0 for -1, else 1 and the number
  (func $digit (param $at i32) (param $answer i32)
    (i32.store8 (local.get $at) (i32.add (i32.const 49) (local.get $answer))))
  (func $start
    (call $digit (i32.const 2082) (call $data_size))
    (call $digit (i32.const 2093) (call $data_read (i32.const 0) (i32.const 2048) (i32.const 8))))
  (func (export "elicit_alloc") (param i32) (result i32)
    i32.const 4096)
  (func (export "elicit_evaluate") (param i32 i32) (result i64)
    (call $digit (i32.const 2103) (call $data_size))
    i64.const 0x80000000039)
  (func (export "elicit_check_settings") (param i32 i32) (result i64)
    i64.const 0))
