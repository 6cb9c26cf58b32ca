// RUN: op2-opt %s --verify-roundtrip | op2-opt | FileCheck %s
// RUN: op2-opt --mlir-print-op-generic %s | op2-opt | FileCheck %s

// CHECK-LABEL: func.func private @types
// CHECK-SAME: !op2.set, !op2.map<2>, !op2.map<?>
// CHECK-SAME: !op2.dat<4xf64>, !op2.dat<?xf32>, !op2.dat<1xi1>, !op2.dat<3xui64>
// CHECK-SAME: !op2.loop, !op2.plan, !op2.reduction<2xi64>
func.func private @types(!op2.set, !op2.map<2>, !op2.map<?>,
    !op2.dat<4xf64>, !op2.dat<?xf32>, !op2.dat<1xi1>, !op2.dat<3xui64>,
    !op2.loop, !op2.plan, !op2.reduction<2xi64>)
