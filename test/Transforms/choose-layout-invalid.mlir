// RUN: not op2-opt %s --op2-choose-layout=layout=aosoa 2>&1 | FileCheck %s
// RUN: not op2-opt %s --op2-to-gpu=layout=columns 2>&1 | FileCheck %s --check-prefix=PIPELINE

// CHECK: Cannot find option named 'aosoa'
// PIPELINE: Cannot find option named 'columns'
