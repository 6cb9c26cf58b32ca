//===- FakeCudaDriver.cpp - A CUDA driver without a device ------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See the header.
//
//===----------------------------------------------------------------------===//

#include "FakeCudaDriver.h"
#include "Device/DeviceDriver.h"
#include "FakeImage.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

using namespace op2::rt;
using namespace op2::test;

namespace {
struct FakeFunction {
  std::string name;
  int staticShared = 0, allowedShared = 48 << 10;
  std::vector<int> params; ///< bytes of each, if the image tells
};

struct FakeModule {
  FakeImage image;
  std::vector<std::unique_ptr<FakeFunction>> functions;
  std::map<std::string, std::vector<char>> variables;
};

struct FakeEvent {
  bool done = false;
  double time;
};

struct FakeKernel {
  int params;
  void (*run)(FakeLaunch const &);
};

using Work = std::vector<std::function<void()>>;

struct Driver {
  std::map<std::string, int> calls;
  std::map<std::string, FakeKernel> kernels;
  std::map<char *, std::size_t> memory;
  std::set<void *> modules, events, pinned, streams, graphs;
  std::deque<std::function<void()>> work;
  Work *captured = nullptr; ///< where launches go instead
  std::size_t used = 0, most = 0;
  double milliseconds = 0; ///< the device's clock
  int contexts = 0, allowedShared = 0, pendingError = 0;
  void *latestVariable = nullptr;
};
} // namespace

static Driver &driver() {
  static auto *theDriver = new Driver;
  return *theDriver;
}

static char const *environment(char const *name, char const *otherwise) {
  char const *text = std::getenv(name);
  return text ? text : otherwise;
}

/// Counts the call; what OP2_FAKE_CUDA_FAIL says about it.
static CUresult called(char const *symbol) {
  int call = ++driver().calls[symbol];
  std::string fail = environment("OP2_FAKE_CUDA_FAIL", "");
  std::size_t equals = fail.find('='), at = fail.find('@');
  if (equals == fail.npos || fail.substr(0, equals) != symbol)
    return CUDA_SUCCESS;
  int from = at == fail.npos ? 1 : std::atoi(fail.c_str() + at + 1);
  return call >= from ? std::atoi(fail.c_str() + equals + 1) : CUDA_SUCCESS;
}

/// A line in the file that OP2_FAKE_CUDA_LOG names.
template <class... Values>
static void say(char const *format, Values... values) {
  char const *file = environment("OP2_FAKE_CUDA_LOG", "");
  std::FILE *log = *file ? std::fopen(file, "a") : nullptr;
  if (!log)
    return;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-security"
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  std::fprintf(log, format, values...);
#pragma GCC diagnostic pop
  std::fclose(log);
}

#define FAKE_CALL                                                              \
  if (CUresult failure = called(__func__))                                     \
  return failure

/// A graph is of launches alone here.
#define FAKE_CALL_OUTSIDE_OF_GRAPH                                             \
  FAKE_CALL;                                                                   \
  if (driver().captured)                                                       \
  return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED

/// Does what is to be done before `event`, or all of it. Kernels fail when they
/// run, not when they are launched.
static CUresult finish(FakeEvent const *event = nullptr) {
  while (!driver().work.empty() && !(event && event->done)) {
    auto next = std::move(driver().work.front());
    driver().work.pop_front();
    next();
  }
  return driver().pendingError;
}

static bool isInside(CUdeviceptr data, std::size_t bytes) {
  auto *begin = reinterpret_cast<char *>(data);
  for (auto const &entry : driver().memory)
    if (begin >= entry.first && begin + bytes <= entry.first + entry.second)
      return true;
  return false;
}

/// Static memory of a module.
static void addVariable(std::vector<char> &variable, std::size_t bytes) {
  if (bytes == 0)
    return;
  variable.resize(bytes);
  driver().memory[variable.data()] = bytes;
  driver().used += bytes;
}

//===----------------------------------------------------------------------===//
// For tests
//===----------------------------------------------------------------------===//

extern "C" void op2::test::fakeCudaReset(void) {
  driver().calls.clear();
  driver().kernels.clear();
  driver().work.clear();
  driver().pendingError = 0;
}
extern "C" int op2::test::fakeCudaCalls(char const *symbol) {
  return driver().calls[symbol];
}
extern "C" void op2::test::fakeCudaKernel(char const *name, int params,
                                          void (*run)(FakeLaunch const &)) {
  driver().kernels[name] = {params, run};
}
extern "C" void op2::test::fakeCudaSpend(double milliseconds) {
  driver().milliseconds += milliseconds;
}
extern "C" int op2::test::fakeCudaLeaks(void) {
  Driver &d = driver();
  return static_cast<int>(d.memory.size() + d.modules.size() + d.events.size() +
                          d.pinned.size() + d.streams.size() +
                          d.graphs.size()) +
         d.contexts;
}
extern "C" int64_t op2::test::fakeCudaBytes(void const *data) {
  auto at = driver().memory.find(static_cast<char *>(const_cast<void *>(data)));
  return at == driver().memory.end() ? 0 : static_cast<int64_t>(at->second);
}
extern "C" void *op2::test::fakeCudaVariable(void) {
  return driver().latestVariable;
}
extern "C" int op2::test::fakeCudaAllowedShared(void) {
  return driver().allowedShared;
}

//===----------------------------------------------------------------------===//
// The driver
//===----------------------------------------------------------------------===//

namespace op2::rt {
extern "C" {

CUresult cuGetErrorName(CUresult error, char const **text) {
  *text = error == CUDA_ERROR_OUT_OF_MEMORY     ? "CUDA_ERROR_OUT_OF_MEMORY"
          : error == CUDA_ERROR_ILLEGAL_ADDRESS ? "CUDA_ERROR_ILLEGAL_ADDRESS"
                                                : "CUDA_ERROR_FAKE";
  return CUDA_SUCCESS;
}
CUresult cuGetErrorString(CUresult error, char const **text) {
  *text = error == CUDA_ERROR_ILLEGAL_ADDRESS ? "an illegal address"
                                              : "a fake error";
  return CUDA_SUCCESS;
}
CUresult cuInit(unsigned) {
  FAKE_CALL;
  driver().most = std::strtoull(
      environment("OP2_FAKE_CUDA_MEMORY", "1099511627776"), nullptr, 10);
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetCount(int *count) {
  FAKE_CALL;
  *count = std::atoi(environment("OP2_FAKE_CUDA_DEVICES", "1"));
  return CUDA_SUCCESS;
}
CUresult cuDeviceGet(CUdevice *device, int number) {
  FAKE_CALL;
  int count = 0;
  cuDeviceGetCount(&count);
  if (number < 0 || number >= count)
    return CUDA_ERROR_NO_DEVICE;
  say("device %d\n", number);
  *device = number;
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetName(char *name, int length, CUdevice) {
  FAKE_CALL;
  std::snprintf(name, static_cast<std::size_t>(length), "Fake GPU");
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetAttribute(int *value, int attribute, CUdevice) {
  FAKE_CALL;
  *value = attribute == CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK      ? 1024
           : attribute == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR ? 9
           : attribute == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR
               ? 0
               : 227 << 10;
  return CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice) {
  FAKE_CALL;
  *context = reinterpret_cast<CUcontext>(&driver());
  ++driver().contexts;
  return CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxRelease_v2(CUdevice) {
  FAKE_CALL;
  --driver().contexts;
  return CUDA_SUCCESS;
}
CUresult cuCtxSetCurrent(CUcontext) {
  FAKE_CALL;
  return CUDA_SUCCESS;
}

CUresult cuMemGetInfo_v2(std::size_t *free, std::size_t *total) {
  FAKE_CALL;
  *total = driver().most;
  *free = driver().most - driver().used;
  return CUDA_SUCCESS;
}
CUresult cuMemAlloc_v2(CUdeviceptr *data, std::size_t bytes) {
  FAKE_CALL;
  if (driver().used + bytes > driver().most)
    return CUDA_ERROR_OUT_OF_MEMORY;
  auto *memory =
      static_cast<char *>(std::aligned_alloc(256, (bytes / 256 + 1) * 256));
  std::memset(memory, 0xFF, bytes);
  driver().memory[memory] = bytes;
  driver().used += bytes;
  *data = reinterpret_cast<uintptr_t>(memory);
  return CUDA_SUCCESS;
}
CUresult cuMemFree_v2(CUdeviceptr data) {
  FAKE_CALL_OUTSIDE_OF_GRAPH;
  finish();
  auto at = driver().memory.find(reinterpret_cast<char *>(data));
  if (at == driver().memory.end())
    return 1;
  driver().used -= at->second;
  std::free(at->first);
  driver().memory.erase(at);
  return CUDA_SUCCESS;
}
CUresult cuMemAllocHost_v2(void **data, std::size_t bytes) {
  FAKE_CALL;
  *data = std::malloc(bytes);
  driver().pinned.insert(*data);
  return CUDA_SUCCESS;
}
CUresult cuMemFreeHost(void *data) {
  FAKE_CALL;
  driver().pinned.erase(data);
  std::free(data);
  return CUDA_SUCCESS;
}

CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, void const *from,
                              std::size_t bytes, CUstream) {
  FAKE_CALL_OUTSIDE_OF_GRAPH;
  if (!isInside(to, bytes))
    return 1;
  say("upload %zu\n", bytes);
  driver().work.push_back(
      [=] { std::memcpy(reinterpret_cast<void *>(to), from, bytes); });
  return CUDA_SUCCESS;
}
CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, std::size_t bytes,
                              CUstream) {
  FAKE_CALL_OUTSIDE_OF_GRAPH;
  if (!isInside(from, bytes))
    return 1;
  say("download %zu\n", bytes);
  driver().work.push_back(
      [=] { std::memcpy(to, reinterpret_cast<void *>(from), bytes); });
  return CUDA_SUCCESS;
}
CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from,
                              std::size_t bytes, CUstream) {
  FAKE_CALL_OUTSIDE_OF_GRAPH;
  if (!isInside(to, bytes) || !isInside(from, bytes))
    return 1;
  driver().work.push_back([=] {
    std::memmove(reinterpret_cast<void *>(to), reinterpret_cast<void *>(from),
                 bytes);
  });
  return CUDA_SUCCESS;
}

CUresult cuStreamCreate(CUstream *stream, unsigned) {
  FAKE_CALL;
  auto *memory = new char;
  driver().streams.insert(memory);
  *stream = reinterpret_cast<CUstream>(memory);
  return CUDA_SUCCESS;
}
CUresult cuStreamSynchronize(CUstream) {
  FAKE_CALL_OUTSIDE_OF_GRAPH;
  say("wait\n");
  return finish();
}
CUresult cuStreamDestroy_v2(CUstream stream) {
  FAKE_CALL;
  driver().streams.erase(stream);
  delete reinterpret_cast<char *>(stream);
  return CUDA_SUCCESS;
}

CUresult cuEventCreate(CUevent *event, unsigned) {
  FAKE_CALL;
  auto *made = new FakeEvent;
  driver().events.insert(made);
  *event = reinterpret_cast<CUevent>(made);
  return CUDA_SUCCESS;
}
CUresult cuEventRecord(CUevent handle, CUstream) {
  FAKE_CALL_OUTSIDE_OF_GRAPH;
  auto *event = reinterpret_cast<FakeEvent *>(handle);
  event->done = false;
  driver().work.push_back([=] {
    event->done = true;
    event->time = driver().milliseconds;
  });
  return CUDA_SUCCESS;
}
CUresult cuEventQuery(CUevent event) {
  FAKE_CALL;
  return reinterpret_cast<FakeEvent *>(event)->done ? CUDA_SUCCESS
                                                    : CUDA_ERROR_NOT_READY;
}
CUresult cuEventSynchronize(CUevent event) {
  FAKE_CALL_OUTSIDE_OF_GRAPH;
  say("wait\n");
  return finish(reinterpret_cast<FakeEvent *>(event));
}
CUresult cuEventElapsedTime(float *milliseconds, CUevent start, CUevent stop) {
  FAKE_CALL;
  auto *a = reinterpret_cast<FakeEvent *>(start);
  auto *b = reinterpret_cast<FakeEvent *>(stop);
  if (!a->done || !b->done)
    return CUDA_ERROR_NOT_READY;
  *milliseconds = static_cast<float>(b->time - a->time);
  return CUDA_SUCCESS;
}
CUresult cuEventDestroy_v2(CUevent event) {
  FAKE_CALL;
  finish();
  driver().events.erase(event);
  delete reinterpret_cast<FakeEvent *>(event);
  return CUDA_SUCCESS;
}

CUresult cuModuleLoadDataEx(CUmodule *module, void const *image, unsigned count,
                            int *options, void **values) {
  FAKE_CALL;
  auto made = std::make_unique<FakeModule>();
  made->image = FakeImage::read(image);
  if (made->image.kind.empty()) {
    for (unsigned n = 0; n < count; ++n)
      if (options[n] == CU_JIT_ERROR_LOG_BUFFER)
        std::strcpy(static_cast<char *>(values[n]), "line 1: no such thing");
    return 218;
  }
  for (auto const &variable : made->image.variables)
    addVariable(made->variables[variable.first], variable.second);
  say("load %s, %zu bytes\n", made->image.kind.c_str(), made->image.bytes);
  driver().modules.insert(made.get());
  *module = reinterpret_cast<CUmodule>(made.release());
  return CUDA_SUCCESS;
}
CUresult cuModuleUnload(CUmodule handle) {
  FAKE_CALL_OUTSIDE_OF_GRAPH;
  finish();
  auto *module = reinterpret_cast<FakeModule *>(handle);
  for (auto &variable : module->variables) {
    if (variable.second.empty())
      continue;
    driver().memory.erase(variable.second.data());
    driver().used -= variable.second.size();
  }
  driver().modules.erase(module);
  delete module;
  return CUDA_SUCCESS;
}
CUresult cuModuleGetFunction(CUfunction *function, CUmodule module,
                             char const *name) {
  FAKE_CALL;
  auto *from = reinterpret_cast<FakeModule *>(module);
  FakeKernelText const *kernel = from->image.findKernel(name);
  if (!kernel)
    return CUDA_ERROR_NOT_FOUND;
  from->functions.push_back(std::make_unique<FakeFunction>());
  FakeFunction &made = *from->functions.back();
  made.name = name;
  made.staticShared = kernel->staticShared;
  made.params = kernel->params;
  *function = reinterpret_cast<CUfunction>(&made);
  return CUDA_SUCCESS;
}
CUresult cuModuleGetGlobal_v2(CUdeviceptr *data, std::size_t *bytes,
                              CUmodule handle, char const *name) {
  FAKE_CALL;
  auto *module = reinterpret_cast<FakeModule *>(handle);
  std::vector<char> &variable = module->variables[name];
  // Machine code: not known before.
  if (variable.empty())
    addVariable(variable, module->image.findVariable(name));
  if (variable.empty())
    return CUDA_ERROR_NOT_FOUND;
  say("variable %s\n", name);
  *data = reinterpret_cast<uintptr_t>(variable.data());
  *bytes = variable.size();
  driver().latestVariable = variable.data();
  return CUDA_SUCCESS;
}
CUresult cuFuncGetAttribute(int *value, int attribute, CUfunction function) {
  FAKE_CALL;
  *value = attribute == CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK
               ? 512
               : reinterpret_cast<FakeFunction *>(function)->staticShared;
  return CUDA_SUCCESS;
}
CUresult cuFuncSetAttribute(CUfunction handle, int attribute, int value) {
  FAKE_CALL;
  auto *function = reinterpret_cast<FakeFunction *>(handle);
  if (attribute != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES ||
      value + function->staticShared > 227 << 10)
    return 1;
  function->allowedShared = driver().allowedShared = value;
  return CUDA_SUCCESS;
}
CUresult cuLaunchKernel(CUfunction handle, unsigned x, unsigned y, unsigned z,
                        unsigned threads, unsigned, unsigned, unsigned shared,
                        CUstream, void **params, void **) {
  FAKE_CALL;
  auto *function = reinterpret_cast<FakeFunction *>(handle);
  if (x == 0 || x > 0x7fffffff || y != 1 || z != 1 || threads == 0 ||
      int(shared) + function->staticShared >
          std::max(function->allowedShared + function->staticShared, 48 << 10))
    return 1;
  say("launch %s blocks %u threads %u shared %u params %zu\n",
      function->name.c_str(), x, threads, shared, function->params.size());
  // As many as the kernel has, each readable.
  std::vector<char> value;
  for (std::size_t n = 0; n < function->params.size(); ++n)
    value.assign(static_cast<char const *>(params[n]),
                 static_cast<char const *>(params[n]) + function->params[n]);
  auto kernel = driver().kernels.find(function->name);
  if (kernel == driver().kernels.end()) {
    if (driver().captured)
      driver().captured->push_back([] {});
    return CUDA_SUCCESS;
  }
  FakeLaunch launch = {x, threads, shared, {}};
  for (int n = 0; n < kernel->second.params; ++n)
    std::memcpy(&launch.params[n], params[n], sizeof launch.params[n]);
  auto run = kernel->second.run;
  auto work = [=] {
    if (std::getenv("OP2_FAKE_CUDA_CRASH"))
      driver().pendingError = CUDA_ERROR_ILLEGAL_ADDRESS;
    else
      run(launch);
  };
  if (driver().captured)
    driver().captured->push_back(work);
  else
    driver().work.push_back(work);
  return CUDA_SUCCESS;
}

CUresult cuStreamBeginCapture_v2(CUstream, int) {
  FAKE_CALL;
  if (driver().captured)
    return 1;
  driver().captured = new Work;
  return CUDA_SUCCESS;
}
CUresult cuStreamEndCapture(CUstream, CUgraph *graph) {
  FAKE_CALL;
  driver().graphs.insert(driver().captured);
  *graph = reinterpret_cast<CUgraph>(std::exchange(driver().captured, nullptr));
  return CUDA_SUCCESS;
}
CUresult cuGraphInstantiateWithFlags(CUgraphExec *made, CUgraph graph,
                                     unsigned long long) {
  FAKE_CALL;
  auto *copy = new Work(*reinterpret_cast<Work *>(graph));
  driver().graphs.insert(copy);
  *made = reinterpret_cast<CUgraphExec>(copy);
  return CUDA_SUCCESS;
}
CUresult cuGraphLaunch(CUgraphExec graph, CUstream) {
  FAKE_CALL;
  auto *all = reinterpret_cast<Work *>(graph);
  say("graph of %zu\n", all->size());
  driver().work.insert(driver().work.end(), all->begin(), all->end());
  return CUDA_SUCCESS;
}
static void destroyGraph(void *graph) {
  driver().graphs.erase(graph);
  delete static_cast<Work *>(graph);
}
CUresult cuGraphDestroy(CUgraph graph) {
  FAKE_CALL;
  destroyGraph(graph);
  return CUDA_SUCCESS;
}
CUresult cuGraphExecDestroy(CUgraphExec graph) {
  FAKE_CALL;
  destroyGraph(graph);
  return CUDA_SUCCESS;
}

} // extern "C"
} // namespace op2::rt
