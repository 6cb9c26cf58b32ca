// Loops that do not have the form that op2-plan gives them.
//
// RUN: op2-opt %s --convert-op2-to-gpu --split-input-file --verify-diagnostics

func.func @no_plan(%plan: !op2.plan) {
  // expected-error @+1 {{expected one op2.for_blocks in it, and a plan and a loop whose op2.loop_begin is in the same function}}
  op2.for_colors %c of %plan {
    op2.for_blocks %b of %plan color %c {
    }
  }
  return
}

// -----

func.func @region_between(%s: !op2.set, %d: !op2.dat<1xf64>, %n: index) {
  %loop = op2.loop_begin "k" over %s args(rw %d : !op2.dat<1xf64>)
      {target = #op2.target<cuda>, strategy = "direct"}
  %plan = op2.plan %loop block_size 128
  op2.for_colors %c of %plan {
    op2.for_blocks %b of %plan color %c {
      // expected-error @+1 {{cannot stand between the loops over blocks and elements of a loop for a device}}
      scf.for %i = %b to %n step %n {
      }
      op2.for_elements %e of %plan block %b {
      }
    }
  }
  op2.loop_end %loop
  return
}

// -----

func.func @increments_from_outside(
    %s: !op2.set, %m: !op2.map<1>, %d: !op2.dat<1xf64>,
    %w: memref<?x1xf64, strided<[1, ?]>, #gpu.address_space<workgroup>>) {
  %loop = op2.loop_begin "k" over %s args(inc %d : !op2.dat<1xf64> via %m[0] : !op2.map<1>)
      {target = #op2.target<cuda>, strategy = "owned rows", op2.race_free}
  %plan = op2.plan %loop block_size 128 {coloring = #op2.coloring<owned_rows>}
  %data = op2.dat_data %d : !op2.dat<1xf64> -> memref<?x1xf64>
  op2.for_colors %c of %plan {
    op2.for_blocks %b of %plan color %c {
      // expected-error @+1 {{expected what an op2.owned_increments before it in the block has made}}
      op2.add_owned %w to %data arg 0 of %plan block %b
          : memref<?x1xf64, strided<[1, ?]>, #gpu.address_space<workgroup>>, memref<?x1xf64>
    }
  }
  op2.loop_end %loop
  return
}

// -----

func.func @increments_for_nobody(%s: !op2.set, %m: !op2.map<1>, %d: !op2.dat<1xf64>) {
  %loop = op2.loop_begin "k" over %s args(inc %d : !op2.dat<1xf64> via %m[0] : !op2.map<1>)
      {target = #op2.target<cuda>, strategy = "owned rows", op2.race_free}
  %plan = op2.plan %loop block_size 128 {coloring = #op2.coloring<owned_rows>}
  op2.for_colors %c of %plan {
    op2.for_blocks %b of %plan color %c {
      // expected-error @+1 {{expected an op2.add_owned that takes its increments}}
      %w = op2.owned_increments %plan block %b arg 0 number 0 rows 128
          : memref<?x1xf64, strided<[1, ?]>, #gpu.address_space<workgroup>>
    }
  }
  op2.loop_end %loop
  return
}

// -----

func.func private @add(memref<1xf64>)
func.func @at_the_same_time(%s: !op2.set, %m: !op2.map<1>, %d: !op2.dat<1xf64>) {
  // expected-error @+1 {{elements change the same rows at the same time; expected --op2-color-increments before}}
  %loop = op2.loop_begin "k" over %s args(inc %d : !op2.dat<1xf64> via %m[0] : !op2.map<1>)
      {target = #op2.target<cuda>, strategy = "two-level"}
  %plan = op2.plan %loop block_size 128
  op2.for_colors %c of %plan {
    op2.for_blocks %b of %plan color %c {
    }
  }
  op2.loop_end %loop
  return
}

// -----

func.func @colors_twice(%s: !op2.set, %m: !op2.map<1>, %d: !op2.dat<1xf64>) {
  %loop = op2.loop_begin "k" over %s args(inc %d : !op2.dat<1xf64> via %m[0] : !op2.map<1>)
      {target = #op2.target<cuda>, strategy = "two-level", op2.race_free}
  %plan = op2.plan %loop block_size 128
  op2.for_colors %c of %plan {
    op2.for_blocks %b of %plan color %c {
      op2.for_elements %e of %plan block %b {
        // expected-error @+1 {{expected it to be the last op of the loop over elements}}
        op2.by_color %e of %plan block %b {
        }
        op2.by_color %e of %plan block %b {
        }
      }
    }
  }
  op2.loop_end %loop
  return
}
