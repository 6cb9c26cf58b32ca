//===- DeviceLaunch.cpp - Images, kernels and launches ----------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Images are loaded at the first launch of one of their kernels.
//
//===----------------------------------------------------------------------===//

#include "DeviceLaunch.h"
#include "Core/Error.h"
#include "Core/Memory.h"
#include "Core/Options.h"
#include "DeviceCuda.h"
#include "DeviceGlobals.h"
#include "DeviceTiming.h"
#include "Execute/Loop.h"

#include <climits>
#include <cstring>

using namespace op2::rt;

// What a block may ask for without a word, whatever the device.
static constexpr int64_t kUsualShared = 48 << 10;

namespace {
struct Constant {
  std::string name;
  void *place;             ///< in the image
  std::vector<char> value; ///< what it has; empty: unknown
};

struct Kernel {
  CUfunction function = nullptr; ///< NULL until the image is loaded
  int staticShared = 0, maxThreads = 0;
  int64_t allowedShared = 0; ///< dynamic bytes that were requested
};

/// Like the images and kernels themselves, these live as long as the program.
struct Image {
  CUmodule module = nullptr;
  std::vector<Constant> constants;
  std::vector<Kernel *> kernels;
};
} // namespace

static std::vector<Image *> &images() {
  static auto *list = new std::vector<Image *>;
  return *list;
}

void op2::rt::unloadImages(CudaDevice &device) {
  device.launches().close();
  for (Image *image : images()) {
    for (Kernel *kernel : image->kernels)
      *kernel = Kernel();
    image->constants.clear();
    if (image->module)
      device.check(device.api().moduleUnload(image->module),
                   "unloading a module");
    image->module = nullptr;
  }
}

//===----------------------------------------------------------------------===//
// Images
//===----------------------------------------------------------------------===//

/// PTX is text and must end with a zero; binaries are taken as they are.
static bool isText(op2rt_device_image const &image) {
  auto const *bytes = static_cast<unsigned char const *>(image.data);
  return image.size > 0 && bytes[0] < 0x7f &&
         (bytes[0] >= 0x20 || bytes[0] == '\n' || bytes[0] == '\t') &&
         bytes[image.size - 1] != 0 &&
         !std::memchr(bytes, 0, static_cast<size_t>(image.size));
}

static void loadModule(CudaDevice &device, op2rt_device_image const &image,
                       CUmodule &module) {
  std::vector<char> log(8192, '\0');
  int options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  // The driver takes the number itself in place of a pointer.
  void *values[] = {log.data(), reinterpret_cast<void *>(log.size() - 1)};
  std::string text;
  void const *data = image.data;
  if (isText(image)) {
    text.assign(static_cast<char const *>(data),
                static_cast<size_t>(image.size));
    data = text.c_str();
  }
  CUresult result = device.api().moduleLoad(&module, data, 2, options, values);
  if (result == CUDA_SUCCESS)
    return;
  module = nullptr;
  device.fail(result,
              "loading an image of %llu bytes (compiled for this device's "
              "architecture, sm_%d?)%s%s",
              static_cast<unsigned long long>(image.size),
              device.architecture(), log[0] ? "; its messages: " : "",
              log.data());
}

/// As --op2-to-gpu makes it of such a chip: assembly.
static bool isForAMD(op2rt_device_image const &image) {
  constexpr char kBegin[] = "\t.amdgcn_target";
  std::size_t length = sizeof kBegin - 1;
  return image.size >= length && std::memcmp(image.data, kBegin, length) == 0;
}

static Image &loadedImage(CudaDevice &device, op2rt_device_image &image) {
  if (!image.state) {
    if (image.abi_version != OP2RT_ABI_VERSION)
      fatal(Problem::Version,
            "%sa device image was compiled for version %u of the "
            "runtime's interface, this is version %d: compile the "
            "program again",
            inLoop().c_str(), image.abi_version, OP2RT_ABI_VERSION);
    if (isForAMD(image))
      fatal(Problem::Gpu,
            "%sa device image is code for a chip of AMD's, which cannot be "
            "launched yet; expected one for NVIDIA's (chips=sm_90)",
            inLoop().c_str());
    images().push_back(new Image);
    image.state = images().back();
  }
  auto &state = *static_cast<Image *>(image.state);
  if (!state.module) {
    device.makeCurrent();
    loadModule(device, image, state.module);
  }
  return state;
}

static Kernel &loadedKernel(CudaDevice &device, op2rt_device_kernel &kernel) {
  auto *state = static_cast<Kernel *>(kernel.state);
  if (state && state->function)
    return *state;
  Image &image = loadedImage(device, *kernel.image);
  if (!state) {
    kernel.state = state = new Kernel;
    image.kernels.push_back(state);
  }
  CudaDriver const &api = device.api();
  CUfunction function = nullptr;
  device.check(api.moduleGetFunction(&function, image.module, kernel.name),
               "finding kernel %s in its image", kernel.name);
  device.check(api.functionGetAttribute(&state->staticShared,
                                        CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES,
                                        function),
               "asking for the shared memory of kernel %s", kernel.name);
  device.check(api.functionGetAttribute(&state->maxThreads,
                                        CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK,
                                        function),
               "asking for the threads of kernel %s", kernel.name);
  state->allowedShared = kUsualShared - state->staticShared;
  state->function = function;
  return *state;
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

static void checkSizes(CudaDevice &device, Kernel const &kernel,
                       char const *name, int64_t blocks, int32_t threads,
                       int64_t sharedBytes) {
  int64_t most = device.maxSharedBytes() - kernel.staticShared;
  if (blocks < 0 || blocks > INT_MAX)
    fatal(Problem::Launch, "%skernel %s: %lld blocks; expected 0..%d",
          inLoop().c_str(), name, static_cast<long long>(blocks), INT_MAX);
  if (threads < 1 || threads > kernel.maxThreads)
    fatal(Problem::Launch,
          "%skernel %s: %d threads per block; expected 1..%d (%s takes "
          "up to %d, the kernel's registers may lower that)",
          inLoop().c_str(), name, threads, kernel.maxThreads,
          device.name().c_str(), device.maxThreads());
  if (sharedBytes < 0 || sharedBytes > most)
    fatal(Problem::Launch,
          "%skernel %s: %lld bytes of dynamic shared memory; %s has %lld "
          "for a block, %d of them taken by the kernel's own variables; "
          "use smaller blocks",
          inLoop().c_str(), name, static_cast<long long>(sharedBytes),
          device.name().c_str(),
          static_cast<long long>(device.maxSharedBytes()), kernel.staticShared);
}

static Kernel &prepare(CudaDevice &device, op2rt_device_kernel &kernel,
                       int64_t blocks, int32_t threads, int64_t sharedBytes) {
  device.makeCurrent();
  Kernel &loaded = loadedKernel(device, kernel);
  checkSizes(device, loaded, kernel.name, blocks, threads, sharedBytes);
  if (sharedBytes <= loaded.allowedShared)
    return loaded;
  device.check(device.api().functionSetAttribute(
                   loaded.function,
                   CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                   static_cast<int>(sharedBytes)),
               "asking for %lld bytes of dynamic shared memory for kernel %s",
               static_cast<long long>(sharedBytes), kernel.name);
  loaded.allowedShared = sharedBytes;
  return loaded;
}

static void start(CudaDevice &device, CUfunction function,
                  op2rt_device_kernel const &kernel, int64_t blocks,
                  int32_t threads, int64_t sharedBytes, void **args) {
  device.launches().add({function, kernel.name, kernel.param_bytes,
                         kernel.num_params, blocks, threads, sharedBytes},
                        args);
  if (OP_diags > 3)
    device.check(device.api().streamSynchronize(device.stream()),
                 "running kernel %s", kernel.name);
}

void op2::rt::launch(CudaDevice &device, op2rt_device_kernel &kernel,
                     int64_t blocks, int32_t threads, void **args) {
  Kernel const &loaded =
      prepare(device, kernel, blocks, threads, /*sharedBytes=*/0);
  start(device, loaded.function, kernel, blocks, threads, /*sharedBytes=*/0,
        args);
}

extern "C" void op2rt_device_launch(op2rt_loop *loop,
                                    op2rt_device_kernel *kernel, int64_t blocks,
                                    int32_t threads, int64_t shared_bytes,
                                    void **args) try {
  if (loop->desc->target != OP2RT_TARGET_CUDA)
    fatal(Problem::Target, "loop %s: kernel %s cannot be launched on %s",
          loop->desc->name, kernel->name, targetName(loop->desc->target));
  if (blocks == 0)
    return;
  CudaDevice &device = cudaDevice();
  Kernel const &loaded =
      prepare(device, *kernel, blocks, threads, shared_bytes);
  startDeviceTime(device, *loop->state);
  start(device, loaded.function, *kernel, blocks, threads, shared_bytes, args);
} catch (std::bad_alloc const &) {
  endWithoutMemory("device data");
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

static Constant &findConstant(CudaDevice &device, Image &image,
                              char const *name, int64_t size) {
  for (Constant &known : image.constants)
    if (known.name == name)
      return known;
  CUdeviceptr place = 0;
  size_t bytes = 0;
  device.check(device.api().moduleGetGlobal(&place, &bytes, image.module, name),
               "finding variable %s in its image", name);
  if (size < 0 || static_cast<size_t>(size) > bytes)
    fatal(Problem::Call,
          "%sconstant %s: %lld bytes are given, its variable in the "
          "device image has %zu",
          inLoop().c_str(), name, static_cast<long long>(size), bytes);
  image.constants.push_back(
      {name, reinterpret_cast<void *>(static_cast<uintptr_t>(place)), {}});
  return image.constants.back();
}

extern "C" void op2rt_device_constant(op2rt_device_image *image,
                                      char const *name, void const *host,
                                      int64_t size) try {
  CudaDevice &device = cudaDevice();
  Image &loaded = loadedImage(device, *image);
  Constant &constant = findConstant(device, loaded, name, size);
  settleGlobals(host, size);
  auto const *bytes = static_cast<char const *>(host);
  auto count = static_cast<size_t>(size);
  if (constant.value.size() == count &&
      std::memcmp(constant.value.data(), bytes, count) == 0)
    return;
  device.upload(constant.place, host, size);
  constant.value.assign(bytes, bytes + count);
} catch (std::bad_alloc const &) {
  endWithoutMemory("device data");
}
