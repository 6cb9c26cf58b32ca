//===- Emulator.cpp - Launches of emulated kernels --------------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sizes, shared memory, the order of blocks. What the threads of a block do is
// in EmulatorBlock.cpp.
//
//===----------------------------------------------------------------------===//

#include "Emulator.h"
#include "Core/Error.h"
#include "Core/Fault.h"
#include "Core/Memory.h"
#include "Core/Progress.h"
#include "Core/Registry.h"
#include "Core/Settings.h"
#include "MemoryModel.h"
#include "OP2/Runtime/op2rt.h"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <memory>
#include <mutex>
#include <numeric>

using namespace op2::rt;

/// Bytes behind each kind of shared memory that must not change.
static constexpr int64_t kGuardBytes = OP2EMU_SHARED_ALIGNMENT;
static constexpr char kGuardPattern = char(0xA5);
static constexpr char kUnsetPattern = char(0xFF);

Emulator &Emulator::get() {
  // Never destroyed: exit handlers may run on a fibre's stack.
  static auto *emulator = new Emulator;
  return *emulator;
}

//===----------------------------------------------------------------------===//
// Random orders
//===----------------------------------------------------------------------===//

OrderRandom::OrderRandom(uint64_t seed) {
  // splitmix64: seeds that differ in one bit give unrelated orders.
  uint64_t z = seed + 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  state = (z ^ (z >> 31)) | 1;
}

uint64_t OrderRandom::next() {
  state ^= state >> 12;
  state ^= state << 25;
  state ^= state >> 27;
  return state * 0x2545F4914F6CDD1Du;
}

void OrderRandom::permute(std::vector<int32_t> &values) {
  for (auto n = uint32_t(values.size()); n > 1; --n)
    std::swap(values[n - 1], values[below(n)]);
}

//===----------------------------------------------------------------------===//
// Launch
//===----------------------------------------------------------------------===//

static std::string triple(int64_t x, int64_t y, int64_t z) {
  return "(" + std::to_string(x) + "," + std::to_string(y) + "," +
         std::to_string(z) + ")";
}

static bool isIn(int64_t value, int64_t least, int64_t most) {
  return value >= least && value <= most;
}

void Emulator::checkSizes() const {
  int64_t const *grid = launch->grid;
  int32_t const *dim = launch->block;
  if (!isIn(grid[0], 0, INT32_MAX) || !isIn(grid[1], 0, OP2EMU_MAX_GRID_YZ) ||
      !isIn(grid[2], 0, OP2EMU_MAX_GRID_YZ))
    fatal(Problem::Launch,
          "loop '%s' (emulator): a grid of %s blocks; a GPU takes at most"
          " (%d,%d,%d)",
          launch->name, triple(grid[0], grid[1], grid[2]).c_str(), INT32_MAX,
          OP2EMU_MAX_GRID_YZ, OP2EMU_MAX_GRID_YZ);
  bool fits = isIn(dim[0], 1, OP2EMU_MAX_THREADS) &&
              isIn(dim[1], 1, OP2EMU_MAX_THREADS) && isIn(dim[2], 1, 64);
  if (!fits || int64_t(dim[0]) * dim[1] * dim[2] > OP2EMU_MAX_THREADS)
    fatal(Problem::Launch,
          "loop '%s' (emulator): blocks of %s threads; a GPU takes 1 to "
          "%d, at most 64 in z",
          launch->name, triple(dim[0], dim[1], dim[2]).c_str(),
          OP2EMU_MAX_THREADS);
  if (!isIn(launch->staticBytes, 0, OP2EMU_MAX_STATIC) ||
      !isIn(launch->dynamicBytes, 0, OP2EMU_MAX_SHARED - launch->staticBytes))
    fatal(Problem::Launch,
          "loop '%s' (emulator): %lld bytes of static and %lld of dynamic"
          " shared memory; a GPU takes at most %d static and %d in all",
          launch->name, static_cast<long long>(launch->staticBytes),
          static_cast<long long>(launch->dynamicBytes), OP2EMU_MAX_STATIC,
          OP2EMU_MAX_SHARED);
}

static int64_t alignShared(int64_t bytes) {
  return (bytes + kGuardBytes - 1) / kGuardBytes * kGuardBytes;
}

void Emulator::setUpShared() {
  int64_t dynamicBegin = alignShared(launch->staticBytes + kGuardBytes);
  int64_t bytes = dynamicBegin + launch->dynamicBytes + kGuardBytes;
  shared.resize(std::size_t(bytes + OP2EMU_SHARED_ALIGNMENT));
  auto address = reinterpret_cast<std::uintptr_t>(shared.data());
  char *base = shared.data() + (-address & (OP2EMU_SHARED_ALIGNMENT - 1));
  block.static_shared = base;
  block.dynamic_shared = base + dynamicBegin;
  block.dynamic_shared_bytes = launch->dynamicBytes;
  for (int64_t end : {launch->staticBytes, dynamicBegin + launch->dynamicBytes})
    std::memset(base + end, kGuardPattern, kGuardBytes);
}

static bool isGuardIntact(void const *memory, int64_t bytes) {
  char const *guard = static_cast<char const *>(memory) + bytes;
  return std::all_of(guard, guard + kGuardBytes,
                     [](char byte) { return byte == kGuardPattern; });
}

void Emulator::checkGuards() {
  if (!isGuardIntact(block.static_shared, launch->staticBytes))
    fail("a thread wrote behind the " + std::to_string(launch->staticBytes) +
         " bytes of static shared memory");
  if (!isGuardIntact(block.dynamic_shared, launch->dynamicBytes))
    fail("a thread wrote behind the " + std::to_string(launch->dynamicBytes) +
         " bytes of dynamic shared memory");
}

void Emulator::findBlock(int64_t number, int64_t (&at)[3]) const {
  int64_t const *grid = launch->grid;
  at[0] = number % grid[0];
  at[1] = number / grid[0] % grid[1];
  at[2] = number / grid[0] / grid[1];
}

void Emulator::startBlock(int64_t number) {
  findBlock(number, block.block);
  std::memset(block.static_shared, kUnsetPattern,
              std::size_t(launch->staticBytes));
  std::memset(block.dynamic_shared, kUnsetPattern,
              std::size_t(launch->dynamicBytes));
}

namespace {
#ifdef OP2_EMULATOR_ASAN
struct OverflowWatch {
  OverflowWatch() {} // AddressSanitizer reports it.
};
#else
struct sigaction previousHandler;

/// Turns a fault in a stack's guard page into a message. The fault is the
/// kernel's own, so that leaving the handler by exit is safe enough.
void onFault(int, siginfo_t *info, void *context) {
  Emulator &emulator = Emulator::get();
  if (emulator.isRunning() && isStackGuard(info->si_addr))
    fatal(Problem::Emulator,
          "loop '%s' (emulator): block %s: %s overflows its stack of %zu "
          "bytes",
          emulator.loopName(),
          triple(emulator.group()->block[0], emulator.group()->block[1],
                 emulator.group()->block[2])
              .c_str(),
          emulator.threadName(emulator.currentThread()).c_str(),
          Fibre::kStackBytes);
  leaveFaultTo(previousHandler, info, context);
}

/// While blocks run the handler has a stack; then the program has its own
/// again.
class OverflowWatch {
public:
  OverflowWatch() {
    stack_t own{};
    own.ss_sp = stack.get();
    own.ss_size = kBytes;
    sigaltstack(&own, &previous);
    static std::once_flag once;
    std::call_once(once, [] {
      struct sigaction action{};
      action.sa_sigaction = onFault;
      action.sa_flags = SA_SIGINFO | SA_ONSTACK;
      sigaction(SIGSEGV, &action, &previousHandler);
    });
  }
  ~OverflowWatch() { sigaltstack(&previous, nullptr); }
  OverflowWatch(OverflowWatch const &) = delete;
  OverflowWatch &operator=(OverflowWatch const &) = delete;

private:
  static constexpr std::size_t kBytes = 64 * 1024;
  std::unique_ptr<char[]> stack = std::make_unique<char[]>(kBytes);
  stack_t previous{};
};
#endif
} // namespace

/// All blocks, in steps of a random length that meets each of them once: a
/// table of a random order could need more memory than the program's data. With
/// a model one after the other, as GPUs start them.
void Emulator::runBlocks() {
  OverflowWatch const watch;
  int64_t const *grid = launch->grid;
  uint64_t count = uint64_t(grid[0]) * uint64_t(grid[1]) * uint64_t(grid[2]);
  uint64_t step = 1 + random.next() % count;
  while (std::gcd(step, count) != 1)
    ++step;
  step %= count;
  uint64_t number = random.next() % count;
  if (model) {
    step = 1;
    number = 0;
  }
  Progress progress("loop " + std::string(launch->name) + " on the emulator",
                    int64_t(count));
  for (uint64_t done = 0; done < count; ++done) {
    startBlock(int64_t(number));
    if (model)
      model->beginBlock(int64_t(number));
    races.beginBlock(int64_t(number));
    if (usesFibres)
      runFibres();
    else
      runThreadsInTurn();
    checkStores();
    if (auto race = races.findDifferentBlock())
      reportRace(*race);
    checkGuards();
    if (model)
      model->endBlock();
    progress.advance();
    number += step;
    number -= number >= count ? count : 0;
  }
}

void Emulator::run(EmulatorLaunch const &request) {
  if (launch)
    fatal(Problem::Threads,
          "loop '%s' (emulator): launched while loop '%s' runs", request.name,
          launch->name);
  launch = &request;
  checkSizes();
  if (request.grid[0] > 0 && request.grid[1] > 0 && request.grid[2] > 0) {
    random = OrderRandom(settingNumber("OP2_EMULATOR_SEED", 1) +
                         0x9E3779B97F4A7C15u * numLaunches++);
    usesFibres = !(request.flags & OP2EMU_INDEPENDENT_THREADS);
    setUpThreads();
    setUpShared();
    model = MemoryModel::get();
    if (model)
      model->beginLaunch(
          request.name, request.grid[0] * request.grid[1] * request.grid[2],
          numThreads, request.staticBytes + request.dynamicBytes);
    races.beginLaunch();
    runBlocks();
  }
  current = kScheduler;
  launch = nullptr;
}

/// Shared memory begins with what is static.
void Emulator::noteAccess(void const *address, int64_t bytes, int32_t kind,
                          int32_t place) {
  if (current == kScheduler)
    return;
  Fibre const &fibre = usesFibres ? *fibres[current] : turnRunner;
  if (fibre.contains(address))
    return;
  auto const *at = static_cast<char const *>(address);
  if (!model)
    checkRace(at, bytes, kind);
  else if (isShared(at))
    model->note(current, MemoryModel::Space::Shared,
                at - static_cast<char const *>(block.static_shared), bytes,
                kind, place);
  else
    model->note(current, MemoryModel::Space::Global,
                reinterpret_cast<intptr_t>(address), bytes, kind, place);
}

bool Emulator::isShared(char const *address) const {
  return address >= shared.data() && address < shared.data() + shared.size();
}

void Emulator::checkRace(char const *address, int64_t bytes, int32_t kind) {
  checkStores();
  if (auto race = races.note(current, address, isShared(address), bytes, kind))
    reportRace(*race);
}

/// A store is done when its thread does something else.
void Emulator::checkStores() {
  if (auto race = races.findDifferentStore())
    reportRace(*race);
}

void Emulator::reportRace(RaceCheck::Race const &race) {
  static constexpr char const *kVerbs[] = {"loads", "stores to", "updates"};
  auto name = [&](RaceCheck::Access const &access) {
    std::string text = threadName(access.thread);
    int64_t at[3];
    findBlock(access.block, at);
    if (access.block != race.later.block)
      text += " of block " + triple(at[0], at[1], at[2]);
    return text + " " + kVerbs[access.kind] + " ";
  };
  fail("a race, with no barrier between: " + name(race.earlier) + "and " +
       name(race.later) + placeOf(race.at));
}

std::string Emulator::placeOf(char const *address) const {
  if (!isShared(address)) {
    for (Dat const *dat : registry().dats)
      if (address >= dat->data_d && address < dat->data_d + dat->bytes)
        return "a byte of dat " + dat->ownName;
    return "a byte of global memory";
  }
  bool isDynamic = address >= block.dynamic_shared;
  auto const *begin = static_cast<char const *>(
      isDynamic ? block.dynamic_shared : block.static_shared);
  return "byte " + std::to_string(address - begin) + " of " +
         (isDynamic ? "dynamic" : "static") + " shared memory";
}

//===----------------------------------------------------------------------===//
// The C ABI
//===----------------------------------------------------------------------===//

extern "C" void op2emu_launch(char const *loop_name, void (*thread)(void **),
                              void **args, int64_t grid_x, int64_t grid_y,
                              int64_t grid_z, int32_t block_x, int32_t block_y,
                              int32_t block_z, int64_t static_shared_bytes,
                              int64_t dynamic_shared_bytes, int32_t flags) try {
  EmulatorLaunch request = {loop_name,
                            thread,
                            args,
                            {grid_x, grid_y, grid_z},
                            {block_x, block_y, block_z},
                            static_shared_bytes,
                            dynamic_shared_bytes,
                            flags};
  Emulator::get().run(request);
} catch (std::bad_alloc const &) {
  endWithoutMemory("the emulator");
}

static Emulator &running(char const *function) {
  Emulator &emulator = Emulator::get();
  if (!emulator.isRunning())
    fatal(Problem::Call, "%s: called outside of a kernel", function);
  return emulator;
}

extern "C" op2emu_thread const *op2emu_self(void) {
  return running("op2emu_self").self();
}

extern "C" op2emu_block const *op2emu_group(void) {
  return running("op2emu_group").group();
}

extern "C" void op2emu_barrier(void) { running("op2emu_barrier").barrier(); }

extern "C" op2emu_shuffled op2emu_shuffle(int64_t value, int32_t offset,
                                          int32_t width, int32_t mode,
                                          int32_t bits) {
  return running("op2emu_shuffle").shuffle(value, offset, width, mode, bits);
}

extern "C" void op2emu_access(void const *address, int64_t bytes, int32_t kind,
                              int32_t place) {
  Emulator::get().noteAccess(address, bytes, kind, place);
}
