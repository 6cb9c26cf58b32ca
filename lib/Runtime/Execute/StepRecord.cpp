//===- StepRecord.cpp - The loops of a time step --------------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StepRecord.h"

#include <algorithm>
#include <map>

using namespace op2::rt;

/// Executions that are kept, and those of the end that may be no step.
static constexpr std::size_t kKept = 2048, kAtEnd = 64, kShown = 40;

namespace {
struct Record {
  /// What distinguishes them: loop and dats. Loops by name: a description may
  /// lie where that of a library was that is closed.
  std::map<std::pair<std::string, std::vector<uint64_t>>, int32_t> numbers;
  std::vector<StepLoop> loops; ///< by number
  std::vector<int32_t> latest; ///< numbers; the oldest is at `begin`
  std::size_t begin = 0;
};
} // namespace

static Record &record() {
  static auto *all = new Record;
  return *all;
}

static std::string locationOf(LoopCall const &call) {
  auto const *state = static_cast<LoopState const *>(call.desc->state);
  return state ? state->location : "";
}

static StepLoop describe(LoopCall const &call) {
  StepLoop loop;
  loop.name = call.desc->name;
  loop.location = locationOf(call);
  for (int32_t n = 0; n < call.desc->nargs; ++n) {
    op2rt_arg_desc const &arg = call.desc->args[n];
    void const *data = call.args[std::size_t(n)].data;
    if (arg.kind != OP2RT_ARG_DAT || !data)
      continue;
    std::string dat = static_cast<op_dat_core const *>(data)->name;
    uint64_t serial = call.serials[std::size_t(n)].dat;
    bool isKnown = std::any_of(
        loop.args.begin(), loop.args.end(), [&](StepLoop::Arg const &known) {
          return known.serial == serial && known.access == arg.access;
        });
    if (!isKnown)
      loop.args.push_back({dat, serial, arg.access});
  }
  return loop;
}

void op2::rt::recordStep(LoopCall const &call) {
  Record &all = record();
  std::vector<uint64_t> serials = {call.setSerial};
  for (ArgSerials const &ofArg : call.serials)
    serials.push_back(ofArg.dat);
  auto [at, isNew] = all.numbers.emplace(
      std::pair(std::string(call.desc->name) + '\0' + locationOf(call),
                std::move(serials)),
      int32_t(all.loops.size()));
  if (isNew)
    all.loops.push_back(describe(call));
  if (all.latest.size() < kKept) {
    all.latest.push_back(at->second);
    return;
  }
  all.latest[all.begin] = at->second;
  all.begin = (all.begin + 1) % kKept;
}

/// The shortest period of the sequence's end; 0 if there is none.
static std::size_t findPeriod(std::vector<int32_t> const &sequence) {
  std::size_t size = sequence.size();
  for (std::size_t period = 1; 3 * period <= size; ++period) {
    std::size_t length = std::max(2 * period, size / 2);
    if (length + period <= size &&
        std::equal(sequence.end() - long(length), sequence.end(),
                   sequence.end() - long(length + period)))
      return period;
  }
  return 0;
}

Step op2::rt::takeStep() {
  Record all = std::exchange(record(), Record());
  std::rotate(all.latest.begin(), all.latest.begin() + long(all.begin),
              all.latest.end());
  std::vector<int32_t> sequence = all.latest;
  std::size_t period = 0;
  for (std::size_t left = 0; left <= kAtEnd && !sequence.empty(); ++left) {
    if ((period = findPeriod(sequence)))
      break;
    sequence.pop_back();
  }
  if (!period)
    sequence = all.latest;
  std::size_t count = period ? period : std::min(kShown, sequence.size());
  Step step;
  step.repeats = period != 0;
  for (auto at = sequence.end() - long(count); at != sequence.end(); ++at)
    step.loops.push_back(all.loops[std::size_t(*at)]);
  return step;
}
