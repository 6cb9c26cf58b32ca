//===- VectorizePasses.td - Passes that vectorize loops -*- tablegen -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_TRANSFORMS_VECTORIZEPASSES_TD
#define OP2_TRANSFORMS_VECTORIZEPASSES_TD

include "mlir/Pass/PassBase.td"

def OP2VectorizePass : Pass<"op2-vectorize", "::mlir::ModuleOp"> {
  let summary = "Vectorize kernels across elements";
  let description = [{
    Gives `op2.for_elements` of loops planned for OpenMP their second region,
    for a vector of elements: the rows of all of them are loaded whole and
    transposed to vectors with a lane for each element, a version of the kernel
    for vectors is called, and results are transposed back. What the kernel adds
    goes to lanes of its own first, and then to the rows in the order of the
    elements, so that two elements of a vector may add to one row.

    The kernel must be a `func.func` with structured control flow on arith,
    math, memref and scf. What depends on no element stays scalar. Both sides of
    a branch whose condition differs between elements are executed under masks;
    a loop runs until its last lane is done. Kernels that spend most of their
    time in functions of the C library, such as exp, run `one_by_one`, unless
    these are called for several lanes at once (`vector_math_bits`). Cores do not
    see past such calls what later elements read: if one element takes less time
    (300 cycles) than a line needs from memory, the loop `prefetch`. Kernels that
    mostly read at indices that vary, or have more branches that exclude each
    other than pays, stay scalar. Remarks
    tell which loops stay as they are, and why; so does `op2.not_vectorized` on
    the loop's beginning.

    Of a loop with `op2.usual` the elements of a vector are checked first; if one
    takes a path that its kernel lacks, all of them call the whole kernel, one
    after the other, and so do elements that no vector takes.

    The vector factor follows from `op2.machine` (`vector_bits`),
    and so does whether rows of at most 64 bits are
    fetched by gathers. Without vector registers nothing is vectorized.

    Example:

    ```mlir
    op2.for_elements %e of %plan block %b {
      %0 = op2.row %qd[%e] : memref<?x2xf64> -> memref<2xf64>
      func.call @scale(%0) : (memref<2xf64>) -> ()
    }
    ```

    becomes, with 128 bits,

    ```mlir
    op2.for_elements %e of %plan block %b {
      …
    } lanes 2 %first {
      %l = memref.alloca() : memref<2x2xf64>
      %second = arith.addi %first, %c1 : index
      %0 = op2.row %qd[%first] : memref<?x2xf64> -> memref<2xf64>
      %1 = op2.row %qd[%second] : memref<?x2xf64> -> memref<2xf64>
      %2 = vector.load %0[%c0] : memref<2xf64>, vector<2xf64>
      %3 = vector.load %1[%c0] : memref<2xf64>, vector<2xf64>
      %4 = vector.shuffle %2, %3 [0, 2] : vector<2xf64>, vector<2xf64>
      %5 = vector.shuffle %2, %3 [1, 3] : vector<2xf64>, vector<2xf64>
      vector.store %4, %l[%c0, %c0] : memref<2x2xf64>, vector<2xf64>
      vector.store %5, %l[%c1, %c0] : memref<2x2xf64>, vector<2xf64>
      func.call @scale_x2(%l) : (memref<2x2xf64>) -> ()
      …
    }
    ```
  }];
  let statistics = [
    Statistic<"numLoops", "num-loops", "Number of loops vectorized">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect",
    "::mlir::op2::OP2Dialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"
  ];
}

def OP2VectorMathPass : Pass<"op2-vector-math", "::mlir::ModuleOp"> {
  let summary = "Call libmvec for functions of vectors";
  let description = [{
    Operations of the math dialect on vectors of f32 or f64 become calls of
    libmvec, which comes with glibc on x86-64; without this pass they become
    calls of the C library, lane by lane. Vectors that are larger than a register
    are cut, and those smaller than 128 bits stay. libmvec's results may differ
    from those of the C library by a few units in the last place: this is done if
    `op2.machine` has `vector_math_bits`, the size of a register.

    Example:

    ```mlir
    %0 = math.exp %x : vector<8xf64>
    ```

    becomes

    ```mlir
    %0 = llvm.call @_ZGVeN8v_exp(%x) : (vector<8xf64>) -> vector<8xf64>
    ```
  }];
  let statistics = [
    Statistic<"numReplaced", "num-replaced", "Number of operations replaced">
  ];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::op2::OP2Dialect",
    "::mlir::vector::VectorDialect"
  ];
}

#endif // OP2_TRANSFORMS_VECTORIZEPASSES_TD
