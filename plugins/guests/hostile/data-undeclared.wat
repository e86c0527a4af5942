;; It imports the data document and its manifest does not say so: the operator would not know that it reads one.
;; elicit.guardian {"name":"data-undeclared","version":"1","summary":"Reads data in secret.","phases":["before_show"],"reads":[]}
(module
  (import "elicit_guardian_v1" "data_size" (func $data_size (result i32)))
  (memory (export "memory") 1)
  (global (export "elicit_guardian_abi") i32 (i32.const 0x10000))
  (func (export "elicit_alloc") (param i32) (result i32)
    i32.const 4096)
  (func (export "elicit_evaluate") (param i32 i32) (result i64)
    (i64.extend_i32_u (call $data_size)))
  (func (export "elicit_check_settings") (param i32 i32) (result i64)
    i64.const 0))
