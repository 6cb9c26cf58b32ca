//===- Loop.h - Loops in progress and what is remembered of them *- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A call site has one LoopState for the whole program. It remembers the
// combinations of handles it was called with (a multigrid code runs one call
// site on many sets), so that a later call only compares them.
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_EXECUTE_LOOP_H
#define OP2_LIB_RUNTIME_EXECUTE_LOOP_H

#include "Core/Error.h"
#include "Core/FastPath.h"
#include "Core/Options.h"
#include "Core/Registry.h"
#include "LoopTuning.h"
#include "OP2/Runtime/op2rt.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace op2::rt {

/// The handles of one argument.
struct ArgKey {
  void const *dat = nullptr; ///< NULL for what is none
  void const *map = nullptr;
  bool active = false;
  bool isGlobal = false; ///< which may be anywhere
};

/// The serial numbers of the same.
struct ArgSerials {
  uint64_t dat = 0, map = 0;
};

/// How a kernel may reach what the loop changes, otherwise than by arguments
/// that have the dat, or one that shares its storage by construction.
enum class Aliasing {
  None,
  Pointers, ///< those of the program, which no device follows there
  Memory    ///< another dat, a global, the name of a variable
};

struct PlanUse {
  int64_t blockSize;
  uint32_t what;
  bool areCopies; ///< RunOfCopies
  Aliasing aliasing;
  op2rt_plan const *plan;
};

/// What a loop that is not on trial gets when it asks for a plan.
struct PlanAnswer {
  int64_t blockSize = 0;              ///< requested
  uint32_t what = 0;                  ///< requested
  int32_t partSize = 0;               ///< OP_part_size
  Aliasing aliasing = Aliasing::None; ///< as it was
  op2rt_plan const *plan = nullptr;
  char const *strategy = "";
  bool inThreads = false;
  bool leavesThreads = false; ///< there are more than it runs on
};

/// What a loop on a device works on in one execution.
enum class WorkMemory { Nothing, HostMemory, CopyAoS, CopySoA };

/// A dat of a call, each once.
struct UsedDat {
  Dat *dat;
  bool written;
  bool asSoA;
  bool severalGroups = false;  ///< reached by arguments of different groups
  bool severalLayouts = false; ///< some of which are structs of arrays
  WorkMemory memory = WorkMemory::Nothing;
};

/// What the room Queue keeps with a call.
struct QueuedCall;
/// What the room Ranks keeps with a call.
struct RankCall;

/// A loop with its handles, as all ranks know it.
struct LoopName {
  char const *name; ///< lives as long as the loop's state
  uint32_t hash;
};

/// A checked combination of handles.
struct alignas(64) LoopCall {
  // What a loop that has run before looks at comes first.
  Set *set = nullptr;
  uint64_t checkedAt = 0; ///< FastPath::freed when all handles were alive
  std::vector<ArgKey> keys;
  double bytes = 0;       ///< useful traffic of one execution
  bool isSettled = false; ///< on the host, and not on trial
  PlanAnswer answer;      ///< once it is settled

  uint64_t number = 0; ///< of calls made before, of all loops
  uint64_t setSerial = 0;
  std::vector<ArgSerials> serials;
  op2rt_loop_desc *desc = nullptr;
  std::vector<op2rt_arg> args; ///< as it was checked; of globals no address
  std::vector<Set const *> targets; ///< to which it adds through maps
  double distance = 0;              ///< the greatest sampleDistance of its maps
  std::vector<UsedDat> dats;
  std::vector<PlanUse> plans;
  op2rt_plan const *plan = nullptr;   ///< of the latest execution
  int32_t planPartSize = 0;           ///< OP_part_size then
  bool hasSeveralPlans = false;       ///< in one execution
  std::unique_ptr<LoopTuning> tuning; ///< once it has a plan on OpenMP
  std::shared_ptr<QueuedCall> queued; ///< NULL: nothing is kept
  std::shared_ptr<RankCall> ranks;    ///< the same
  /// On ranks: the two loops that it is, or none. Whether ranks run them as one
  /// is nothing that the others must know.
  std::vector<LoopName> parts;

  bool isOnTrial() const { return tuning && !tuning->trial.isSettled(); }
};

/// Does the loop change a global?
bool reducesGlobals(LoopCall const &call);
/// Do elements change one in a way that depends on their order?
bool reducesInOrder(LoopCall const &call);
/// Do elements add to one? They must do so once.
bool countsElements(LoopCall const &call);

/// The copy of a global on the loop's device, and what it holds.
struct DeviceGlobal {
  void *data = nullptr;
  std::vector<char> value;
};

/// What a loop does on several ranks beside its own elements.
struct RankFigures {
  double waiting = 0; ///< seconds, for other ranks: exchanges and sums
  double border = 0;  ///< seconds, for elements that run twice
  int64_t messages = 0, bytes = 0; ///< sent
};

/// Executions of a loop on a device whose time is read (DeviceTiming.h).
struct DeviceExecutions {
  int64_t timed = 0, untimed = 0; ///< in all; since the last timed one
  double seconds = 0;             ///< of the last timed one
};

struct alignas(64) LoopState {
  // What a loop that has run before looks at comes first.
  LoopCall *latest = nullptr; ///< of the calls
  double seconds = 0, planSeconds = 0, bytes = 0;
  int64_t count = 0;
  int64_t countAlone = 0; ///< of them, on one thread although there are more
  int target = 0;
  int kernel = -1;           ///< in OP_kernels
  char const *strategy = ""; ///< of the latest execution; lives on
  int64_t countChained = 0;  ///< in the tiles of a chain
  RankFigures ranks;
  DeviceExecutions device;
  /// As the description has them, whose library may be unloaded.
  std::string name, location, compiledStrategy;
  std::vector<std::shared_ptr<LoopCall>> calls; ///< the latest first
  std::vector<DeviceGlobal> globals;            ///< by argument
};

/// Is the argument a global, or does it go along with one?
inline bool isGlobal(op2rt_arg_desc const &arg) {
  return arg.kind == OP2RT_ARG_GLOBAL || arg.kind == OP2RT_ARG_INFO;
}
int64_t bytesOfGlobal(op2rt_arg_desc const &arg);

/// Every call site that has run, in the order of first use.
std::vector<LoopState *> const &allLoopStates();
/// One more, which lives as long as the program.
LoopState &newLoopState(std::string const &name);
/// Forgets handles and counts, at op_exit.
void forgetLoopCalls();
/// Forgets those of loops over this set, or of all loops if it is NULL: every
/// call is checked again.
void forgetHandles(Set const *set);
/// The call of a loop with these handles; NULL if there has been none.
std::shared_ptr<LoopCall> findKnownCall(op2rt_loop_desc &desc,
                                        op_set_core const *set,
                                        op2rt_arg const *args);
/// The same, checked if it is new.
std::shared_ptr<LoopCall>
findCheckedCall(op2rt_loop_desc &desc, op_set_core *set, op2rt_arg const *args);
/// Do no two dats of different groups, at least one of them written or only one
/// a struct of arrays, share storage as it is now? Applications may exchange
/// data pointers.
bool haveOwnStorage(LoopCall const &call);
/// Do two dats that do not share their storage by construction, at least one of
/// them changed, lie in arrays of the application that overlap?
bool haveOneArray(LoopCall const &call);
/// In this execution: applications may exchange data pointers.
Aliasing aliasingOf(op2rt_loop const &loop);
/// NULL outside of a loop.
char const *currentLoopName();

/// Before and after a loop on the host: its dats.
void beginOnHost(LoopCall &call);
void endOnHost(LoopCall &call);

/// Adds what is found out once for a loop and its data: checks, plans. The
/// caller ensures that it is part of the loop's time as well.
inline void bookPlanTime(LoopState &state, double seconds) {
  state.planSeconds += seconds;
  OP_plan_time += seconds;
}

/// Gives the loop an entry of OP_kernels.
void addKernel(LoopState &state);
/// Brings it up to date.
inline void bookKernel(LoopState &state) {
  if (state.kernel < 0)
    addKernel(state);
  op_kernel &kernel = fastPath.kernels[state.kernel];
  kernel.count = static_cast<int>(state.count);
  kernel.time = state.seconds;
  kernel.plan_time = static_cast<float>(state.planSeconds);
  kernel.transfer = kernel.transfer2 = static_cast<float>(state.bytes);
}
/// Empties OP_kernels, at op_exit.
/// An entry with this number, and so many `times`, for who fills it himself.
void provideKernel(int number, int timers, char const *where);
void forgetKernels();

/// op2rt_loop_desc.strategy of loops that the header's template runs.
inline constexpr char kHeaderStrategy[] = "op_seq.h, not compiled";

/// Ends the program with an error if an argument breaks a rule of the API.
void checkLoop(op2rt_loop_desc const &desc, op_set_core *set,
               op2rt_arg const *args);
/// An error about argument number `arg` (from 0), naming the loop.
[[noreturn]] void argError(op2rt_loop_desc const &desc, int arg,
                           Problem problem, char const *format, ...)
    __attribute__((format(printf, 4, 5)));

/// "loop NAME (FILE:LINE), argument N".
std::string argPlace(op2rt_loop_desc const &desc, int arg);

/// Do two pieces of storage share a byte?
bool overlap(char const *a, int64_t aBytes, char const *b, int64_t bBytes);
/// What may be at a variable that a kernel reads by its name.
int64_t extentOf(op2rt_variable const &variable);
/// Does the kernel read variables of the program by their names that are the
/// storage of the dat?
bool readsByName(op2rt_loop_desc const &desc, Dat const &dat);
/// Does a pointer that the kernel is known to follow lead into the storage of
/// the dat?
bool followsTo(op2rt_loop_desc const &desc, Dat const &dat);
/// May the kernel follow a pointer to the storage of the dat? That of the
/// program's own may be part of what the pointer leads into.
bool mayFollowTo(op2rt_loop_desc const &desc, Dat const &dat);
/// Does the kernel of `desc` see rows that `call` changes otherwise than by its
/// parameters: by the name of a variable, or through a pointer in one?
bool readsChanges(op2rt_loop_desc const &desc, LoopCall const &call);

/// Bytes that one execution must move between memory and cores: each value
/// once per loop, twice if it is read and written, plus the maps.
double usefulBytes(op2rt_loop_desc const &desc, op_set_core const *set,
                   op2rt_arg const *args);

} // namespace op2::rt

/// The loop in progress.
struct op2rt_loop {
  op2rt_loop_desc *desc;
  op_set_core *set;
  op2rt_arg const *args;
  op2::rt::LoopState *state;
  op2::rt::LoopCall *call;
  double start;
  double planSeconds; ///< of the state, at the start
  // Decided with the plan.
  bool inThreads;
  bool leavesThreads;
  op2rt_plan const *copies; ///< it runs for copies, by this plan; or NULL
  /// aliasingOf(), once it was asked for.
  mutable std::optional<op2::rt::Aliasing> aliasing = std::nullopt;
};

namespace op2::rt {

/// The loop in progress, if there is one.
OP2_OWN_VARIABLE extern op2rt_loop theLoop;

/// While one lives, op2rt_loop_desc.run of the call's loop runs for the copies
/// of elements at the border of the rank's part, by their plan.
class RunOfCopies {
public:
  RunOfCopies(LoopCall &call, op2rt_plan const &plan);
  ~RunOfCopies();
  RunOfCopies(RunOfCopies const &) = delete;
  RunOfCopies &operator=(RunOfCopies const &) = delete;
};

/// NULL outside of a loop.
inline op2rt_loop *currentLoop() {
  return isPending(kInLoop) ? &theLoop : nullptr;
}

} // namespace op2::rt

#endif // OP2_LIB_RUNTIME_EXECUTE_LOOP_H
