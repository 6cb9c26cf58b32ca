//===- DeviceCuda.cpp - A CUDA device ---------------------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Context, stream, memory and copies.
//
//===----------------------------------------------------------------------===//

#include "DeviceCuda.h"
#include "Core/Error.h"
#include "Core/Job.h"

#include <cstdarg>
#include <cstdio>
#include <cstring>

using namespace op2::rt;

static constexpr int64_t kRingBytes = int64_t(1) << 20;
/// Larger uploads are waited for.
static constexpr int64_t kSmall = int64_t(64) << 10;

// What the calling thread uses; devices are distinguished even if a context
// comes back at the same address.
static thread_local CudaDevice const *current = nullptr;
static thread_local uint64_t currentOpening = 0;
static uint64_t openings = 0;

static CUdeviceptr address(void const *data) {
  return reinterpret_cast<uintptr_t>(data);
}

//===----------------------------------------------------------------------===//
// Beginning and end
//===----------------------------------------------------------------------===//

std::unique_ptr<CudaDevice> CudaDevice::open(std::string &problem) {
  CudaDriver driver;
  problem = driver.load();
  if (!problem.empty())
    return nullptr;
  std::unique_ptr<CudaDevice> device(new CudaDevice(driver));
  problem = device->start();
  if (!problem.empty())
    return nullptr;
  ++openings;
  return device;
}

std::string CudaDevice::start() {
  int count = 0;
  CUresult result = driver.init(0);
  if (result == CUDA_SUCCESS)
    result = driver.deviceGetCount(&count);
  if (result == CUDA_ERROR_NO_DEVICE || (result == CUDA_SUCCESS && count == 0))
    return "there is no CUDA device (the driver is loaded and offers none)";
  if (result != CUDA_SUCCESS)
    return "the CUDA driver does not start: " + driver.describe(result);
  // Ranks share a machine's devices.
  result = driver.deviceGet(&device, job.rankOnMachine % count);
  if (result == CUDA_SUCCESS)
    result = driver.contextRetain(&context, device);
  if (result != CUDA_SUCCESS) {
    context = nullptr;
    return "the CUDA device cannot be used: " + driver.describe(result);
  }
  std::string problem = readAttributes();
  if (!problem.empty())
    return problem;
  result = driver.contextSetCurrent(context);
  if (result == CUDA_SUCCESS)
    result = driver.streamCreate(&theStream, 0);
  if (result == CUDA_SUCCESS) {
    void *pinned = nullptr;
    result = driver.memAllocHost(&pinned, static_cast<size_t>(kRingBytes));
    ring = static_cast<char *>(pinned);
  }
  return result == CUDA_SUCCESS
             ? ""
             : deviceName + " cannot be used: " + driver.describe(result);
}

std::string CudaDevice::readAttributes() {
  char text[256] = "";
  int major = 0, minor = 0;
  CUresult result = driver.deviceGetName(text, sizeof text, device);
  struct {
    int attribute, *value;
  } const wanted[] = {
      {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, &threads},
      {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, &sharedBytes},
      {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, &major},
      {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, &minor}};
  for (auto const &entry : wanted)
    if (result == CUDA_SUCCESS)
      result = driver.deviceGetAttribute(entry.value, entry.attribute, device);
  if (result != CUDA_SUCCESS)
    return "the CUDA device does not answer: " + driver.describe(result);
  sm = major * 10 + minor;
  deviceName = std::string(text) + " (sm_" + std::to_string(sm) + ")";
  return "";
}

// What fails here concerns nothing that anybody will use.
CudaDevice::~CudaDevice() {
  if (!context)
    return;
  driver.contextSetCurrent(context);
  if (ring)
    driver.memFreeHost(ring);
  if (theStream)
    driver.streamDestroy(theStream);
  driver.contextRelease(device);
}

void CudaDevice::makeCurrent() {
  if (current == this && currentOpening == openings)
    return;
  check(driver.contextSetCurrent(context), "starting to use the device");
  current = this;
  currentOpening = openings;
}

void CudaDevice::fail(CUresult result, char const *format, ...) const {
  char text[1024];
  std::va_list values;
  va_start(values, format);
  std::vsnprintf(text, sizeof text, format, values);
  va_end(values);
  // These appear at any call after the kernel that is to blame.
  char const *hint = result >= CUDA_ERROR_ILLEGAL_ADDRESS && result < 800
                         ? "; an earlier kernel may be the cause: with "
                           "op_init's third argument (diags) 4, every launch "
                           "is waited for"
                         : "";
  fatal(Problem::CudaFailure, "%s%s failed on %s: %s%s", inLoop().c_str(), text,
        deviceName.c_str(), driver.describe(result).c_str(), hint);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

void *CudaDevice::obtain(int64_t bytes) {
  makeCurrent();
  CUdeviceptr data = 0;
  // Kernels add to a byte in the word that it is in.
  int64_t words = (bytes + 3) / 4 * 4;
  CUresult result = driver.memAlloc(&data, static_cast<size_t>(words));
  if (result == CUDA_ERROR_OUT_OF_MEMORY)
    return nullptr;
  check(result, "allocating %lld bytes", static_cast<long long>(bytes));
  return reinterpret_cast<void *>(static_cast<uintptr_t>(data));
}

void CudaDevice::giveBack(void *data) {
  makeCurrent();
  batch.submit();
  check(driver.memFree(address(data)), "freeing memory");
}

std::string CudaDevice::capacity() const {
  size_t free = 0, total = 0;
  if (driver.memGetInfo(&free, &total) != CUDA_SUCCESS)
    return "";
  return describeBytes(static_cast<int64_t>(total)) + ", " +
         describeBytes(static_cast<int64_t>(free)) + " of them free";
}

void CudaDevice::wait(char const *before) {
  makeCurrent();
  check(driver.streamSynchronize(stream()), "waiting for kernels before %s",
        before);
}

void CudaDevice::upload(void *to, void const *from, int64_t bytes) {
  if (bytes == 0)
    return;
  makeCurrent();
  bool isSmall = bytes <= kSmall;
  if (isSmall) {
    int64_t room = (bytes + 63) / 64 * 64;
    if (ringUsed + room > kRingBytes) {
      wait("more uploads");
      ringUsed = 0;
    }
    from = std::memcpy(ring + ringUsed, from, static_cast<size_t>(bytes));
    ringUsed += room;
  }
  check(driver.copyToDevice(address(to), from, static_cast<size_t>(bytes),
                            stream()),
        "copying %lld bytes to the device", static_cast<long long>(bytes));
  if (!isSmall)
    wait("an upload's end");
}

void CudaDevice::download(void *to, void const *from, int64_t bytes) {
  if (bytes == 0)
    return;
  makeCurrent();
  check(driver.copyToHost(to, address(from), static_cast<size_t>(bytes),
                          stream()),
        "copying %lld bytes from the device", static_cast<long long>(bytes));
  wait("a download's end");
}

//===----------------------------------------------------------------------===//
// Results that nobody waits for yet
//===----------------------------------------------------------------------===//

// Wherever the driver runs programs of 64 bits, host and device share one
// address space.
void *CudaDevice::allocatePinned(int64_t bytes) {
  makeCurrent();
  void *data = nullptr;
  check(driver.memAllocHost(&data, static_cast<size_t>(bytes)),
        "allocating %lld bytes of pinned memory",
        static_cast<long long>(bytes));
  return data;
}

void CudaDevice::releasePinned(void *data) {
  makeCurrent();
  batch.submit();
  check(driver.memFreeHost(data), "freeing pinned memory");
}

void CudaDevice::recordEvent(void *&event) {
  makeCurrent();
  auto handle = static_cast<CUevent>(event);
  if (!handle)
    check(driver.eventCreate(&handle, CU_EVENT_DISABLE_TIMING),
          "creating an event");
  event = handle;
  check(driver.eventRecord(handle, stream()), "recording an event");
}

void CudaDevice::waitFor(void *event, char const *what) {
  makeCurrent();
  check(driver.eventSynchronize(static_cast<CUevent>(event)), "waiting for %s",
        what);
}

void CudaDevice::destroyEvent(void *event) {
  makeCurrent();
  check(driver.eventDestroy(static_cast<CUevent>(event)),
        "destroying an event");
}
