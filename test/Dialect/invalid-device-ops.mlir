// RUN: op2-opt %s -split-input-file -verify-diagnostics

// P7: what is added is of the same size and type.
func.func @increment(%p: memref<4xf64>, %r: memref<2xf64>) {
  // expected-error @+1 {{[P7] expected two rows of one static size and type, got 'memref<4xf64>' and 'memref<2xf64>'}}
  op2.increment %p to %r : memref<4xf64>, memref<2xf64>
  return
}

// -----

// P7: a private copy has the values of its row, side by side.
func.func @gather(%row: memref<4xf64, strided<[?]>>) {
  // expected-error @+1 {{[P7] expected two rows of one static size and type}}
  %p = op2.gather_row %row : memref<4xf64, strided<[?]>> -> memref<4xf64, strided<[?]>>
  return
}

// -----

// P7
func.func @scatter(%row: memref<4xf64, strided<[?]>>, %p: memref<4xf32>) {
  // expected-error @+1 {{[P7] expected two rows of one static size and type}}
  op2.scatter_row %p to %row : memref<4xf32>, memref<4xf64, strided<[?]>>
  return
}

// -----

// P6: what is added lies in a memory of its own, component by component.
func.func @owned_increments(%plan: !op2.plan) {
  op2.for_colors %c of %plan {
    op2.for_blocks %b of %plan color %c {
      // expected-error @+1 {{[P6] expected a struct of arrays in a memory space of its own}}
      %w = op2.owned_increments %plan block %b arg 0 number 0 rows 64 : memref<?x4xf64, strided<[1, ?]>>
    }
  }
  return
}

// -----

// P6
func.func @add_owned(%plan: !op2.plan, %rd: memref<?x3xf64>) {
  op2.for_colors %c of %plan {
    op2.for_blocks %b of %plan color %c {
      %w = op2.owned_increments %plan block %b arg 0 number 0 rows 64
          : memref<?x4xf64, strided<[1, ?]>, #gpu.address_space<workgroup>>
      // expected-error @+1 {{[P6] expected increments and data of one dim and type}}
      op2.add_owned %w to %rd arg 0 of %plan block %b
          : memref<?x4xf64, strided<[1, ?]>, #gpu.address_space<workgroup>>, memref<?x3xf64>
    }
  }
  return
}
