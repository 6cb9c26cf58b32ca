// RUN: op2-opt %s --op2-color-increments --split-input-file --verify-diagnostics

// Input that --op2-plan would not make.

func.func private @change(memref<2xf64>)

func.func @no_colors(%edges: !op2.set, %m: !op2.map<2>, %r: !op2.dat<2xf64>) {
  // expected-error @+1 {{indirect rw, min or max, and inc of run-time dim or of more than 65536 bytes, need a plan with colours}}
  %loop = op2.loop_begin "change" over %edges args(
      rw %r : !op2.dat<2xf64> via %m[0] : !op2.map<2>)
      {strategy = "atomics", target = #op2.target<emulator>}
  %plan = op2.plan %loop block_size 128 {coloring = #op2.coloring<none>}
  %data = op2.dat_data %r : !op2.dat<2xf64> -> memref<?x2xf64>
  op2.for_colors %c of %plan {
    op2.for_blocks %b of %plan color %c {
      op2.for_elements %e of %plan block %b {
        %row = op2.row %data[%e] : memref<?x2xf64> -> memref<2xf64>
        func.call @change(%row) : (memref<2xf64>) -> ()
      }
    }
  }
  op2.loop_end %loop
  return
}

// -----

func.func @no_call(%edges: !op2.set, %m: !op2.map<2>, %r: !op2.dat<2xf64>) {
  // expected-error @+1 {{expected a call of the loop's kernel in the body of its elements}}
  %loop = op2.loop_begin "nothing" over %edges args(
      inc %r : !op2.dat<2xf64> via %m[0] : !op2.map<2>)
      {strategy = "two-level colours", target = #op2.target<emulator>}
  %plan = op2.plan %loop block_size 128 {coloring = #op2.coloring<two_level>}
  op2.for_colors %c of %plan {
    op2.for_blocks %b of %plan color %c {
      op2.for_elements %e of %plan block %b {
      }
    }
  }
  op2.loop_end %loop
  return
}

// -----

llvm.func @rows(!llvm.ptr)

func.func @no_table(%edges: !op2.set, %m: !op2.map<2>, %r: !op2.dat<2xf64>,
                    %table: !llvm.ptr) {
  %loop = op2.loop_begin "rows" over %edges args(
      inc %r : !op2.dat<2xf64> via %m[0 to 2] : !op2.map<2>)
      {strategy = "atomics", target = #op2.target<emulator>}
  %plan = op2.plan %loop block_size 128 {coloring = #op2.coloring<none>}
  op2.for_colors %c of %plan {
    op2.for_blocks %b of %plan color %c {
      op2.for_elements %e of %plan block %b {
        // expected-error @+1 {{operand 0: expected an op2.row_table, for vector argument 0}}
        llvm.call @rows(%table) : (!llvm.ptr) -> ()
      }
    }
  }
  op2.loop_end %loop
  return
}

// -----

func.func private @change(memref<2xf64>)

func.func @no_rows(%edges: !op2.set, %m: !op2.map<2>, %r: !op2.dat<2xf64>,
                   %row: memref<2xf64>) {
  // expected-error @+1 {{expected rows of argument 0 in the body of its elements}}
  %loop = op2.loop_begin "change" over %edges args(
      inc %r : !op2.dat<2xf64> via %m[0] : !op2.map<2>)
      {strategy = "owned rows", target = #op2.target<emulator>}
  %plan = op2.plan %loop block_size 128 {coloring = #op2.coloring<owned_rows>}
  op2.for_colors %c of %plan {
    op2.for_blocks %b of %plan color %c {
      op2.for_elements %e of %plan block %b {
        func.call @change(%row) : (memref<2xf64>) -> ()
      }
    }
  }
  op2.loop_end %loop
  return
}
