;; It puts data_read into a table. A call through the table would not be charged for the bytes.
;; elicit.guardian {"name":"data-indirect","version":"1","summary":"Reads data for nothing.","phases":["before_show"],"reads":[],"data":"any bytes"}
(module
  (type $read (func (param i32 i32 i32) (result i32)))
  (import "elicit_guardian_v1" "data_read" (func $data_read (type $read)))
  (memory (export "memory") 1)
  (table 1 funcref)
  (elem (i32.const 0) $data_read)
  (global (export "elicit_guardian_abi") i32 (i32.const 0x10000))
  (func (export "elicit_alloc") (param i32) (result i32)
    i32.const 4096)
  (func (export "elicit_evaluate") (param i32 i32) (result i64)
    (i64.extend_i32_u (call_indirect (type $read) (i32.const 0) (i32.const 8192) (i32.const 32768) (i32.const 0))))
  (func (export "elicit_check_settings") (param i32 i32) (result i64)
    i64.const 0))
