//===- Passes.td - Passes that leave the op2 dialect -*- tablegen -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_CONVERSION_PASSES_TD
#define OP2_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertOP2ToSCFPass : Pass<"convert-op2-to-scf", "::mlir::ModuleOp"> {
  let summary = "Run parallel loops one element after another";
  let description = [{
    Replaces each `op2.par_loop` by an `scf.for` over the elements of its set,
    in ascending order, with reductions done in place. This is the sequential
    oracle: what every other lowering is tested against.

    Before: `op2.par_loop` whose kernel is in the module. After: none left;
    `func.func` kernels have got the attribute `llvm.bareptr`. Scratch (`work`)
    arguments are an error.

    Example:

    ```mlir
    op2.par_loop @scale over %cells args(rw %q : !op2.dat<4xf64>)
    ```

    becomes

    ```mlir
    %loop = op2.loop_begin "scale" over %cells args(rw %q : !op2.dat<4xf64>) {…}
    %qd = op2.dat_data %q : !op2.dat<4xf64> -> memref<?x4xf64>
    %begin, %end = op2.loop_range %loop
    scf.for %e = %begin to %end step %c1 {
      %0 = op2.row %qd[%e] : memref<?x4xf64> -> memref<4xf64>
      func.call @scale(%0) : (memref<4xf64>) -> ()
    }
    op2.loop_end %loop
    ```
  }];
  let statistics = [
    Statistic<"numLoops", "num-loops", "Number of loops converted">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect",
    "::mlir::op2::OP2Dialect", "::mlir::scf::SCFDialect"
  ];
}

def ConvertOP2ToOpenMPPass
    : Pass<"convert-op2-to-openmp", "::mlir::ModuleOp"> {
  let summary = "Run the blocks of a plan on OpenMP threads";
  let description = [{
    Turns the loops over a plan into OpenMP: one `omp.parallel` around the loop
    over colours, a loop over the thread's share of the blocks of one colour, a
    barrier unless it is the last one, and for the elements of a block a call of
    a *chunk function*. Where `op2.uses_threads` says that one
    thread is to run all blocks, plain loops do it: a parallel region with one
    thread costs more than a small loop takes. What a block does is a function
    of its own where it is more than a call.

    Rows that are written through maps, and not read, are asked for
    (`memref.prefetch`) before, those of 256 elements at a time: stores would
    wait for one line after the other. So are rows that are only read, where
    elements say `prefetch`. Vectors of loops through maps ask for what they
    read of the elements themselves, some KiB ahead.

    A chunk function `(begin, end, pointers…)` holds the loop over elements.
    Its pointers, one for each distinct dat, map table, partial result and
    global, are `noalias`, those that are only read `readonly`, so that LLVM
    can keep values in registers and vectorize. In a map of unknown arity the
    loop is taken to use every slot, so that its stride is a constant. Where two
    different handles might be the same dat, or an arity was guessed, a second,
    general version runs unless `op2.is_alias_free` holds and the guess is
    right.

    Before: loops over plans (`--op2-plan`). After: no `op2.for_*` left.

    Example:

    ```mlir
    op2.for_colors %c of %plan {
      op2.for_blocks %b of %plan color %c {
        op2.for_elements %e of %plan block %b {
          %r = op2.row %data[%e] : memref<?x4xf64> -> memref<4xf64>
          func.call @scale(%r) : (memref<4xf64>) -> ()
        }
      }
    }
    ```

    becomes

    ```mlir
    %p = op2.ptr_cast %data : memref<?x4xf64> -> !llvm.ptr
    %threads = op2.uses_threads %plan
    scf.if %threads {
      omp.parallel {
        %n = op2.num_colors %plan
        scf.for %c = %c0 to %n step %c1 {
          %first, %last = op2.thread_range %plan[%c]
          scf.for %b = %first to %last step %c1 {
            %begin, %end = op2.block_range %plan[%b]
            func.call @scale_chunk(%begin, %end, %p) : (index, index, !llvm.ptr) -> ()
          }
          %next = arith.addi %c, %c1 : index
          %more = arith.cmpi slt, %next, %n : index
          scf.if %more {
            omp.barrier
          }
        }
        omp.terminator
      }
    } else {
      // The same with op2.color_range in place of op2.thread_range.
    }
    ```
  }];
  let statistics = [
    Statistic<"numChunks", "num-chunks", "Number of chunk functions made">,
    Statistic<"numVersioned", "num-versioned",
              "Number of loops with a second, general version">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect", "::mlir::omp::OpenMPDialect",
    "::mlir::op2::OP2Dialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"
  ];
}

def ConvertGPUToEmulatorPass
    : Pass<"convert-gpu-to-emulator", "::mlir::ModuleOp"> {
  let summary = "Run gpu kernels on the CPU, each thread as a fibre";
  let description = [{
    Moves everything in the module's `gpu.module`s to the module itself and
    makes each kernel a function that runs one thread; ids, barriers, shuffles
    and shared memory come from the runtime (include/OP2/Runtime/op2emu.h), and
    `gpu.launch_func` becomes a call of `op2emu_launch`. Address spaces vanish
    from all types of the module.

    A kernel `@k` becomes `@k_thread`, with the kernel's parameters, and `@k`,
    which takes a table of their addresses. The attribute `op2.loop_name` of a
    kernel is its name in messages. Names that the host uses already: a function
    or global that is only declared in the `gpu.module` means the host's; one
    that is defined there gets another name. A global in address space 3 is
    static shared memory, or dynamic if it is an array of no elements.

    Before: kernels as `gpu.func`. Bodies may hold any op that the later
    lowering to LLVM takes, and of the gpu dialect: ids and sizes, `barrier`,
    `shuffle` (up to 64 bits), uniform `all_reduce`, `dynamic_shared_memory`.
    After: neither gpu ops nor address spaces. Other gpu ops, nvvm ops,
    asynchronous launches and clusters are errors.

    Example:

    ```mlir
    gpu.module @device {
      gpu.func @zero(%x: memref<8xf64>) kernel {
        %c0 = arith.constant 0.0 : f64
        %t = gpu.thread_id x
        memref.store %c0, %x[%t] : memref<8xf64>
        gpu.return
      }
    }
    ```

    becomes

    ```mlir
    func.func private @zero_thread(%x: memref<8xf64>) {
      %c0 = arith.constant 0.0 : f64
      %self = func.call @op2emu_self() : () -> !llvm.ptr
      %p = llvm.getelementptr %self[0] : (!llvm.ptr) -> !llvm.ptr, i8
      %i = llvm.load %p : !llvm.ptr -> i64
      %t = arith.index_cast %i : i64 to index
      memref.store %c0, %x[%t] : memref<8xf64>
      return
    }
    func.func private @zero(%args: !llvm.ptr) {
      …
      func.call @zero_thread(%x) : (memref<8xf64>) -> ()
      return
    }
    ```
  }];
  let statistics = [
    Statistic<"numKernels", "num-kernels", "Number of kernels converted">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect",
    "::mlir::op2::OP2Dialect"
  ];
}

def OP2CountAccessesPass : Pass<"op2-count-accesses", "::mlir::ModuleOp"> {
  let summary = "Let emulated kernels tell what they access";
  let description = [{
    Inserts a call of `op2emu_access` before each load, store, copy and atomic
    operation of functions that --convert-gpu-to-emulator has made or moved
    (`op2.emulated`), but for those of the thread's own frame. The runtime then
    finds accesses that race, or, with `OP2_EMULATOR_MODEL`, says what a GPU's
    memory would have to move.

    Before: the LLVM dialect.
  }];
  let dependentDialects = ["LLVM::LLVMDialect"];
  let statistics = [Statistic<"numPlaces", "num-places",
                              "Number of accesses that are told">];
}

def ConvertOP2ToGPUPass : Pass<"convert-op2-to-gpu", "::mlir::ModuleOp"> {
  let summary = "Launch device kernels for the blocks of a plan";
  let description = [{
    The body of `op2.for_blocks` becomes a `gpu.func` that a thread block runs
    for one block of the plan; each colour is a `gpu.launch_func`. Staging,
    colours and reductions become loops of the block's threads, barriers and
    shuffles; handles become addresses on the device (`op2.device_storage` and the
    like), kernels are copied to the device module. As on OpenMP, a loop in
    which two handles may be one dat gets a second kernel without `noalias`.

    Before: loops planned for a device, those with increments through maps made
    free of races by `--op2-color-increments`. After: no `op2.for_*` left; the
    device module `op2_device` holds the kernels.

    Example:

    ```mlir
    op2.for_colors %c of %plan {
      op2.for_blocks %b of %plan color %c {
        op2.for_elements %e of %plan block %b {
          …
        }
      }
    }
    ```

    becomes

    ```mlir
    %d, %none = op2.device_storage aos %loop arg 0 : !llvm.ptr
    %n = op2.num_colors %plan
    scf.for %c = %c0 to %n step %c1 {
      %first, %last = op2.color_range %plan[%c]
      %count = arith.subi %last, %first : index
      gpu.launch_func @op2_device::@flux blocks in (%count, %c1, %c1)
          threads in (%c128, %c1, %c1) args(%first : index, %d : !llvm.ptr)
    }
    ```
  }];
  let statistics = [
    Statistic<"numLaunches", "num-launches", "Number of loops converted">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect",
    "::mlir::op2::OP2Dialect", "::mlir::scf::SCFDialect"
  ];
}

def OP2ExpandStridesPass : Pass<"op2-expand-strides"> {
  let summary = "Turn views of memory into arithmetic";
  let description = [{
    MLIR's `expand-strided-metadata`, for what is an offset or a stride of a
    subview or the like: the conversion of memref to LLVM expects descriptors
    only. It leaves the blocks of functions as they are. Those that differ in
    constants only would be merged otherwise, and immediates of intrinsics be
    arguments of blocks.
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::memref::MemRefDialect"
  ];
}

def ConvertOP2ToLLVMPass : Pass<"convert-op2-to-llvm", "::mlir::ModuleOp"> {
  let summary = "Convert a module with planned or sequential loops to LLVM";
  let description = [{
    Converts everything that the OP2 lowerings leave (op2, func, memref, arith,
    math, index, cf, omp) to the LLVM dialect in one conversion with one type
    converter. Handles become pointers, op2 ops calls of the runtime
    (include/OP2/Runtime/op2rt.h), each loop gets a constant description.

    Before: no `op2.par_loop`, no loops over plans, no scf; device code, if any,
    as `gpu.binary` with one object. After: the LLVM dialect, with `omp` ops on
    LLVM types, only.

    Example:

    ```mlir
    op2.loop_end %loop
    ```

    becomes

    ```mlir
    llvm.call @op2rt_loop_end(%loop) : (!llvm.ptr) -> ()
    ```
  }];
  let options = [
    Option<"registerLoops", "register-loops", "bool", /*default=*/"false",
           "Emit a constructor that registers every loop of the "
           "module with the runtime, for its diagnostics">
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

//===----------------------------------------------------------------------===//
// Device code for CUDA
//===----------------------------------------------------------------------===//

def OP2BindLaunchesPass : Pass<"op2-bind-launches", "::mlir::ModuleOp"> {
  let summary = "Tie launches to their loops";
  let description = [{
    Replaces each `gpu.launch_func` by `op2.launch`, which carries the loop that
    is in progress where it stands.

    Before: launches between `op2.loop_begin` and `op2.loop_end`, in structured
    control flow, with grids of one dimension. After: no `gpu.launch_func`.

    Example:

    ```mlir
    gpu.launch_func @op2_device::@flux blocks in (%n, %c1, %c1)
        threads in (%c128, %c1, %c1) dynamic_shared_memory_size %s
        args(%first : index, %d : !llvm.ptr)
    ```

    becomes

    ```mlir
    %bytes = arith.index_cast %s : i32 to index
    op2.launch %loop @op2_device::@flux blocks %n threads %c128 shared %bytes
        args(%first, %d : index, !llvm.ptr)
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::op2::OP2Dialect"
  ];
}

def ConvertOP2DeviceToLLVMPass
    : Pass<"convert-op2-device-to-llvm", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Convert device code to the LLVM and NVVM or ROCDL dialects";
  let description = [{
    Converts everything in a `gpu.module` to the LLVM and NVVM dialects, for a
    chip of AMD's to LLVM and ROCDL, in one conversion with one type converter,
    and states the chips that the code is compiled for. Kernels keep the attributes of their parameters: loads through
    `noalias readonly` ones become `ld.global.nc`. Atomic additions are relaxed
    and of device scope: no thread waits for another one's value.

    Before: kernels as `gpu.func`, other functions as `func.func` with the
    attribute `llvm.bareptr` or as `llvm.func`; no scf. After: `llvm.func` only,
    the module has a `#nvvm.target` for each chip, or one `#rocdl.target`.

    Example:

    ```mlir
    gpu.module @op2_device {
      gpu.func @zero(%x: !llvm.ptr {llvm.noalias}) kernel
          attributes {known_block_size = array<i32: 128, 1, 1>} {
        …
        gpu.return
      }
    }
    ```

    becomes

    ```mlir
    gpu.module @op2_device [#nvvm.target<O = 3, chip = "sm_90">] {
      llvm.func @zero(%x: !llvm.ptr {llvm.noalias})
          attributes {nvvm.kernel, nvvm.maxntid = array<i32: 128, 1, 1>} {
        …
        llvm.return
      }
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect",
    "::mlir::ROCDL::ROCDLDialect", "::mlir::op2::OP2Dialect"
  ];
}

def OP2RetargetDeviceCodePass
    : Pass<"op2-retarget-device-code", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Make functions compiled for the host fit for the GPU";
  let description = [{
    Kernels come from Clang's code for the host. Attributes that speak of the
    host's processor go; all functions but the kernels become internal and are
    inlined always; calls of the C library's mathematics become LLVM intrinsics
    where the GPU has instructions (sqrt, fabs, fma, fmin, floor, …) and
    libdevice functions (`__nv_pow`, …) where not.

    A call of any other function that has no body is an error, which names the
    loop that it belongs to; so is a call through a pointer.

    Before and after: the LLVM and NVVM dialects.

    Example:

    ```mlir
    llvm.func @pow(f64, f64) -> f64
    llvm.func @k(%x: !llvm.ptr) attributes {target_cpu = "x86-64"} {
      …
      %z = llvm.call @pow(%y, %y) : (f64, f64) -> f64
    ```

    becomes

    ```mlir
    llvm.func @__nv_pow(f64, f64) -> f64
    llvm.func internal @k(%x: !llvm.ptr) attributes {always_inline} {
      …
      %z = llvm.call @__nv_pow(%y, %y) : (f64, f64) -> f64
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def OP2DeviceConstantsPass : Pass<"op2-device-constants", "::mlir::ModuleOp"> {
  let summary = "Give kernels the host's variables in constant memory";
  let description = [{
    Variables that the program sets (`op_decl_const` and other globals) and
    kernels read move to the GPU's constant memory, as far as its 64 KiB go, the
    rest to global memory. The host tells the runtime their values at the
    beginning of each loop whose kernels read them. Constants with a value stay
    what they are. A kernel that writes such a variable is an error. What
    pointers in variables lead to (`op2.device_constant table`) is in global
    memory, and no kernel changes it.

    Before: launches as `op2.launch`, device code in the LLVM dialect. After:
    variables of the device code that are not constant are
    `externally_initialized`, and those in constant memory have address space 4.

    Example:

    ```mlir
    llvm.mlir.global external @gam() : f64
    ```

    becomes

    ```mlir
    llvm.mlir.global external @gam(0.0 : f64)
        {addr_space = 4, externally_initialized} : f64
    ```

    and, on the host,

    ```mlir
    op2.device_constant @op2_device::@gam bytes 8
    ```
  }];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::op2::OP2Dialect"
  ];
}

def OP2PackDeviceCodePass : Pass<"op2-pack-device-code", "::mlir::ModuleOp"> {
  let summary = "Make one image of the code for all chips";
  let description = [{
    Replaces the PTX objects of each `gpu.binary` by one object: PTX for the
    oldest chip (`isa`), machine code for the only chip (`cubin`), or machine
    code for every chip and PTX of the newest for later ones (`fatbin`). The
    last two call ptxas and fatbinary, which are looked for in `cuda-path`,
    PATH, CUDA_PATH, CUDA_HOME, CUDA_ROOT and /usr/local/cuda.

    PTX that still calls libdevice functions is an error: it was compiled
    without libdevice.

    Before: `--gpu-module-to-binary=format=isa`. After: one object each.

    Example:

    ```mlir
    gpu.binary @op2_device [#gpu.object<#nvvm.target<chip = "sm_80">, assembly = "…">,
                            #gpu.object<#nvvm.target<chip = "sm_90">, assembly = "…">]
    ```

    becomes, with `format=fatbin`,

    ```mlir
    gpu.binary @op2_device [#gpu.object<#nvvm.target<chip = "sm_90">, "…">]
    ```
  }];
  let options = [
    Option<"format", "format", "::mlir::op2::DeviceFormat",
           /*default=*/"::mlir::op2::DeviceFormat::PTX", "What the image is",
           [{::mlir::op2::OneOf(::mlir::op2::kDeviceFormats)}]>,
    Option<"cudaPath", "cuda-path", "std::string", /*default=*/"",
           "Where CUDA is installed">
  ];
  let dependentDialects = ["::mlir::gpu::GPUDialect"];
}

#endif // OP2_CONVERSION_PASSES_TD
