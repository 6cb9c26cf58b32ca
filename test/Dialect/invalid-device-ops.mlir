// RUN: op2-opt %s -split-input-file -verify-diagnostics

// P6: the copy has the shape and type of the dat.
func.func @stage_shape(%plan: !op2.plan, %d: memref<?x4xf64>) {
  op2.for_colors %c of %plan {
    op2.for_blocks %b of %plan color %c {
      // expected-error @+1 {{[P6] expected a contiguous memref of rank 2 and its copy in another memory space, got 'memref<?x4xf64>' and 'memref<?x2xf64, #gpu.address_space<workgroup>>'}}
      %s = op2.stage %d arg 0 of %plan block %b number 0
          : memref<?x4xf64> -> memref<?x2xf64, #gpu.address_space<workgroup>>
    }
  }
  return
}

// -----

// P6: and another memory space.
func.func @stage_space(%plan: !op2.plan, %d: memref<?x4xf64>) {
  op2.for_colors %c of %plan {
    op2.for_blocks %b of %plan color %c {
      // expected-error @+1 {{[P6]}}
      %s = op2.stage zero %d arg 0 of %plan block %b number 0
          : memref<?x4xf64> -> memref<?x4xf64>
    }
  }
  return
}

// -----

// P6: unstage likewise.
func.func @unstage(%plan: !op2.plan, %d: memref<?x4xf32>,
                   %s: memref<?x4xf64, #gpu.address_space<workgroup>>) {
  op2.for_colors %c of %plan {
    op2.for_blocks %b of %plan color %c {
      // expected-error @+1 {{[P6]}}
      op2.unstage %s to %d arg 0 of %plan block %b
          : memref<?x4xf64, #gpu.address_space<workgroup>>, memref<?x4xf32>
    }
  }
  return
}

// -----

// P7: private rows have a static size.
func.func @private_row() {
  // expected-error @+1 {{[P7] expected a memref<NxT> of static size, got 'memref<2x2xf64>'}}
  %p = op2.private_row : memref<2x2xf64>
  return
}

// -----

// P7: what is added is of the same size and type.
func.func @increment(%p: memref<4xf64>, %r: memref<2xf64>) {
  // expected-error @+1 {{[P7] expected two rows of one static size and type, got 'memref<4xf64>' and 'memref<2xf64>'}}
  op2.increment %p to %r : memref<4xf64>, memref<2xf64>
  return
}

// -----

// Staging is the work of a block.
func.func @stage_parent(%plan: !op2.plan, %d: memref<?x4xf64>, %b: index) {
  // expected-error @+1 {{'op2.stage' op expects parent op 'op2.for_blocks'}}
  %s = op2.stage %d arg 0 of %plan block %b number 0
      : memref<?x4xf64> -> memref<?x4xf64, #gpu.address_space<workgroup>>
  return
}
