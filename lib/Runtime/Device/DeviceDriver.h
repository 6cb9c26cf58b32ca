//===- DeviceDriver.h - The CUDA driver's interface -------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of the driver's C interface that the runtime uses, declared here so
// that the project builds without CUDA, and the table of its functions, filled
// from libcuda.so.1 at run time.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_DEVICE_DEVICEDRIVER_H
#define OP2_LIB_RUNTIME_DEVICE_DEVICEDRIVER_H

#include <cstddef>
#include <string>

namespace op2::rt {

using CUresult = int;
using CUdevice = int;
using CUdeviceptr = unsigned long long;
using CUcontext = struct CUctx_st *;
using CUmodule = struct CUmod_st *;
using CUfunction = struct CUfunc_st *;
using CUstream = struct CUstream_st *;
using CUevent = struct CUevent_st *;
using CUgraph = struct CUgraph_st *;
using CUgraphExec = struct CUgraphExec_st *;

// Names and numbers are the driver's.
enum : int {
  CUDA_SUCCESS = 0,
  CUDA_ERROR_OUT_OF_MEMORY = 2,
  CUDA_ERROR_NO_DEVICE = 100,
  CUDA_ERROR_NOT_FOUND = 500,
  CUDA_ERROR_NOT_READY = 600,
  CUDA_ERROR_ILLEGAL_ADDRESS = 700,
  CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED = 900,

  CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 1,
  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76,
  CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 97,

  CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 0,
  CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES = 1,
  CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8,

  CU_EVENT_DISABLE_TIMING = 2,

  CU_STREAM_CAPTURE_MODE_THREAD_LOCAL = 1,

  CU_JIT_ERROR_LOG_BUFFER = 5,
  CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6
};

/// F(member, symbol, parameters). The symbols with a suffix are those that
/// cuda.h stands for with the plain names; those without have never changed.
#define OP2_CUDA_FUNCTIONS(F)                                                  \
  F(getErrorName, cuGetErrorName, (CUresult, char const **))                   \
  F(getErrorString, cuGetErrorString, (CUresult, char const **))               \
  F(init, cuInit, (unsigned))                                                  \
  F(deviceGetCount, cuDeviceGetCount, (int *))                                 \
  F(deviceGet, cuDeviceGet, (CUdevice *, int))                                 \
  F(deviceGetName, cuDeviceGetName, (char *, int, CUdevice))                   \
  F(deviceGetAttribute, cuDeviceGetAttribute, (int *, int, CUdevice))          \
  F(contextRetain, cuDevicePrimaryCtxRetain, (CUcontext *, CUdevice))          \
  F(contextRelease, cuDevicePrimaryCtxRelease_v2, (CUdevice))                  \
  F(contextSetCurrent, cuCtxSetCurrent, (CUcontext))                           \
  F(memGetInfo, cuMemGetInfo_v2, (std::size_t *, std::size_t *))               \
  F(memAlloc, cuMemAlloc_v2, (CUdeviceptr *, std::size_t))                     \
  F(memFree, cuMemFree_v2, (CUdeviceptr))                                      \
  F(memAllocHost, cuMemAllocHost_v2, (void **, std::size_t))                   \
  F(memFreeHost, cuMemFreeHost, (void *))                                      \
  F(copyToDevice, cuMemcpyHtoDAsync_v2,                                        \
    (CUdeviceptr, void const *, std::size_t, CUstream))                        \
  F(copyToHost, cuMemcpyDtoHAsync_v2,                                          \
    (void *, CUdeviceptr, std::size_t, CUstream))                              \
  F(copyOnDevice, cuMemcpyDtoDAsync_v2,                                        \
    (CUdeviceptr, CUdeviceptr, std::size_t, CUstream))                         \
  F(streamCreate, cuStreamCreate, (CUstream *, unsigned))                      \
  F(streamSynchronize, cuStreamSynchronize, (CUstream))                        \
  F(streamDestroy, cuStreamDestroy_v2, (CUstream))                             \
  F(streamBeginCapture, cuStreamBeginCapture_v2, (CUstream, int))              \
  F(streamEndCapture, cuStreamEndCapture, (CUstream, CUgraph *))               \
  F(graphInstantiate, cuGraphInstantiateWithFlags,                             \
    (CUgraphExec *, CUgraph, unsigned long long))                              \
  F(graphLaunch, cuGraphLaunch, (CUgraphExec, CUstream))                       \
  F(graphDestroy, cuGraphDestroy, (CUgraph))                                   \
  F(graphExecDestroy, cuGraphExecDestroy, (CUgraphExec))                       \
  F(eventCreate, cuEventCreate, (CUevent *, unsigned))                         \
  F(eventRecord, cuEventRecord, (CUevent, CUstream))                           \
  F(eventQuery, cuEventQuery, (CUevent))                                       \
  F(eventSynchronize, cuEventSynchronize, (CUevent))                           \
  F(eventElapsedTime, cuEventElapsedTime, (float *, CUevent, CUevent))         \
  F(eventDestroy, cuEventDestroy_v2, (CUevent))                                \
  F(moduleLoad, cuModuleLoadDataEx,                                            \
    (CUmodule *, void const *, unsigned, int *, void **))                      \
  F(moduleUnload, cuModuleUnload, (CUmodule))                                  \
  F(moduleGetFunction, cuModuleGetFunction,                                    \
    (CUfunction *, CUmodule, char const *))                                    \
  F(moduleGetGlobal, cuModuleGetGlobal_v2,                                     \
    (CUdeviceptr *, std::size_t *, CUmodule, char const *))                    \
  F(functionGetAttribute, cuFuncGetAttribute, (int *, int, CUfunction))        \
  F(functionSetAttribute, cuFuncSetAttribute, (CUfunction, int, int))          \
  F(launchKernel, cuLaunchKernel,                                              \
    (CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,   \
     unsigned, CUstream, void **, void **))

struct CudaDriver {
#define OP2_CUDA_MEMBER(member, symbol, parameters)                            \
  CUresult(*member) parameters = nullptr;
  OP2_CUDA_FUNCTIONS(OP2_CUDA_MEMBER)
#undef OP2_CUDA_MEMBER

  /// Loads the driver: the file that OP2_CUDA_DRIVER names, or libcuda.so.1.
  /// Returns what is missing, "" if nothing is. The library stays loaded.
  std::string load();

  /// "out of memory (CUDA_ERROR_OUT_OF_MEMORY, 2)"
  std::string describe(CUresult result) const;
};

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_DEVICE_DEVICEDRIVER_H
