// RUN: op2-opt %s -split-input-file -verify-diagnostics

func.func private @loop(%s: !op2.set)
func.func @f(%s: !op2.set) {
  // expected-error@+1 {{[Q1] 'loop' is no function with 'op2.delayable'}}
  op2.enqueue @loop(%s) : !op2.set
  return
}

// -----

func.func @f(%s: !op2.set) {
  // expected-error@+1 {{[Q1] 'absent' is no function with 'op2.delayable'}}
  op2.enqueue @absent(%s) : !op2.set
  return
}

// -----

// expected-note@+1 {{declared here}}
func.func private @loop(%s: !op2.set) attributes {op2.delayable}
func.func @f(%s: !op2.set, %q: !op2.dat<1xf64>) {
  // expected-error@+1 {{[Q1] operands do not have the types of the parameters of 'loop'}}
  op2.enqueue @loop(%s, %q) : !op2.set, !op2.dat<1xf64>
  return
}

// -----

// expected-note@+1 {{declared here}}
func.func private @loop(%s: !op2.set) -> i32 attributes {op2.delayable}
func.func @f(%s: !op2.set) {
  // expected-error@+1 {{[Q1] 'loop' returns something; expected nothing, since nobody waits for it}}
  op2.enqueue @loop(%s) : !op2.set
  return
}

// -----

// expected-note@+1 {{declared here}}
func.func private @loop(%s: !op2.set, %sum: memref<1xf64>) attributes {op2.delayable}
func.func @f(%s: !op2.set, %sum: memref<1xf64>) {
  // expected-error@+1 {{[Q1] 'loop' takes memrefs; expected the attribute llvm.bareptr, since it gets their addresses}}
  op2.enqueue @loop(%s, %sum) : !op2.set, memref<1xf64>
  return
}
