//===- Workers.cpp - Programs in processes of their own -------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Workers.h"
#include "OP2/Pipelines/Pipelines.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"

#include <chrono>
#include <csignal>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlir;
using namespace mlir::op2;
using namespace mlir::op2::fuzz;

/// Programs in one child: its context and the runtime keep something of each.
static constexpr int64_t kBatch = 100;
/// Seconds that one step of a program may compute, and may take: others share
/// the cores.
static constexpr unsigned kLongestAlone = 20;
static constexpr double kLongest = 300;
/// What a child says to its parent begins so; the rest are messages.
static constexpr char kMark = '\1';

void fuzz::fillRegistry(DialectRegistry &registry) {
  registerOP2Dialects(registry);
  registerAllToLLVMIRTranslations(registry);
}

static double now() {
  using namespace std::chrono;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

//===----------------------------------------------------------------------===//
// Children
//===----------------------------------------------------------------------===//

static void say(const std::string &line) {
  std::string text = kMark + line + "\n";
  for (size_t sent = 0; sent < text.size();) {
    ssize_t count =
        ::write(STDOUT_FILENO, text.data() + sent, text.size() - sent);
    if (count <= 0)
      ::_exit(3);
    sent += size_t(count);
  }
}

static std::string oneLine(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

/// Ends the process if it computes for too long from now on.
static void limitTime() {
  rusage used;
  rlimit limit;
  ::getrusage(RUSAGE_SELF, &used);
  ::getrlimit(RLIMIT_CPU, &limit);
  limit.rlim_cur =
      rlim_t(used.ru_utime.tv_sec + used.ru_stime.tv_sec) + kLongestAlone;
  ::setrlimit(RLIMIT_CPU, &limit);
}

static void sayReached(uint64_t seed, int variant, const char *what) {
  limitTime();
  say("at " + std::to_string(seed) + " " + std::to_string(variant) + " " +
      what);
}

static void sayFailure(uint64_t seed, int variant, const std::string &message) {
  say("failed " + std::to_string(seed) + " " + std::to_string(variant) + " " +
      oneLine(message));
}

static void sayCoverage(const Coverage &coverage) {
  for (auto &[what, count] : coverage.counts)
    say("count " + std::to_string(count) + " " + what);
  for (auto &[phase, seconds] : coverage.seconds)
    say("time " + std::to_string(seconds) + " " + phase);
}

/// A context for the programs of a child.
static std::unique_ptr<MLIRContext> makeContext() {
  DialectRegistry registry;
  fillRegistry(registry);
  auto context =
      std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  context->printOpOnDiagnostic(false);
  context->loadAllAvailableDialects();
  return context;
}

static void runBatch(uint64_t first, uint64_t end, const Settings &settings) {
  std::unique_ptr<MLIRContext> context = makeContext();
  Coverage coverage;
  Runner runner(*context, coverage);
  for (uint64_t seed = first; seed < end; ++seed) {
    Program program = generate(seed);
    std::vector<Variant> variants = variantsOf(program, settings);
    int variant = -1;
    auto failure = checkProgram(runner, program, *context, variants,
                                [&](int number, const char *what) {
                                  variant = number;
                                  sayReached(seed, number, what);
                                });
    if (failure)
      sayFailure(seed, variant, failure->message);
    coverage.addProgram(program);
    for (const Variant &variant : variants)
      coverage.addVariant(variant);
    say("done " + std::to_string(seed));
    // What went wrong may have left its marks on this process.
    if (failure)
      break;
  }
  sayCoverage(coverage);
}

namespace {
/// A process of its own, and what it says.
struct Child {
  pid_t pid = -1;
  int pipe = -1;
  std::string unread;   ///< the beginning of a line
  std::string messages; ///< what was not for the parent
  double heardAt = 0;
  uint64_t end = 0; ///< of its seeds

  // Where it is.
  uint64_t seed = 0;
  int variant = -1;
  std::string step;
};
} // namespace

/// The system has nothing left.
[[noreturn]] static void stop() {
  std::perror("op2-fuzz");
  std::exit(1);
}

static Child startChild(llvm::function_ref<void()> work) {
  int ends[2];
  if (::pipe(ends) != 0)
    stop();
  Child child;
  std::fflush(nullptr);
  child.pid = ::fork();
  if (child.pid < 0)
    stop();
  if (child.pid == 0) {
    ::close(ends[0]);
    ::dup2(ends[1], STDOUT_FILENO);
    ::dup2(ends[1], STDERR_FILENO);
    work();
    std::fflush(nullptr);
    // Destructors of what waits for nobody take time.
    ::_exit(0);
  }
  ::close(ends[1]);
  child.pipe = ends[0];
  child.heardAt = now();
  return child;
}

/// What became of a child that is at its end.
static std::string describeEnd(const Child &child) {
  int status = 0;
  ::waitpid(child.pid, &status, 0);
  ::close(child.pipe);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
    return "";
  std::string text = WIFSIGNALED(status)
                         ? std::string(strsignal(WTERMSIG(status)))
                         : "exit status " + std::to_string(WEXITSTATUS(status));
  std::string messages = oneLine(child.messages);
  return child.step + ": " + text + ": " +
         messages.substr(0, std::min<size_t>(messages.size(), 600));
}

/// Takes what has come; false at the end.
static bool hear(Child &child, llvm::function_ref<void(llvm::StringRef)> take) {
  char buffer[4096];
  ssize_t count = ::read(child.pipe, buffer, sizeof buffer);
  if (count <= 0)
    return false;
  child.heardAt = now();
  child.unread.append(buffer, size_t(count));
  for (size_t end; (end = child.unread.find('\n')) != std::string::npos;) {
    std::string line = child.unread.substr(0, end);
    child.unread.erase(0, end + 1);
    // A message need not have ended its line.
    size_t mark = line.find(kMark);
    child.messages += line.substr(0, mark);
    if (mark == std::string::npos)
      child.messages += "\n";
    else
      take(llvm::StringRef(line).drop_front(mark + 1));
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Campaigns
//===----------------------------------------------------------------------===//

namespace {
class CampaignRunner {
public:
  CampaignRunner(const Campaign &campaign, Coverage &coverage,
                 const std::function<void(const Finding &)> &found)
      : campaign(campaign), coverage(coverage), found(found),
        next(campaign.firstSeed), start(now()) {}

  int64_t run() {
    while (true) {
      while (int(children.size()) < campaign.jobs && hasWork())
        startBatch();
      if (children.empty())
        return done;
      hearAll();
    }
  }

private:
  bool isOver() const {
    return campaign.time > 0 && now() - start >= campaign.time;
  }
  bool hasWork() const {
    if (!pieces.empty())
      return !isOver();
    uint64_t end = campaign.firstSeed + uint64_t(campaign.programs);
    return !isOver() && (campaign.programs == 0 || next < end);
  }

  void startBatch() {
    std::pair<uint64_t, uint64_t> seeds;
    if (!pieces.empty()) {
      seeds = pieces.back();
      pieces.pop_back();
    } else {
      seeds = {next, next + kBatch};
      if (campaign.programs > 0)
        seeds.second = std::min(seeds.second, campaign.firstSeed +
                                                  uint64_t(campaign.programs));
      next = seeds.second;
    }
    children.push_back(startChild(
        [&] { runBatch(seeds.first, seeds.second, campaign.settings); }));
    children.back().end = seeds.second;
    children.back().seed = seeds.first;
  }

  void hearAll() {
    std::vector<pollfd> waits;
    for (const Child &child : children)
      waits.push_back({child.pipe, POLLIN, 0});
    ::poll(waits.data(), waits.size(), 1000);
    for (size_t n = children.size(); n-- > 0;) {
      Child &child = children[n];
      bool goesOn = true;
      if (waits[n].revents != 0)
        goesOn = hear(child, [&](llvm::StringRef line) { take(child, line); });
      if (goesOn && now() - child.heardAt > kLongest)
        ::kill(child.pid, SIGKILL);
      if (goesOn)
        continue;
      finish(child);
      children.erase(children.begin() + long(n));
    }
  }

  /// The programs behind the one that ended a child get another child.
  void finish(const Child &child) {
    std::string end = describeEnd(child);
    if (end.empty()) {
      if (child.seed < child.end)
        pieces.push_back({child.seed, child.end});
      return;
    }
    found({child.seed, child.variant, end});
    ++done;
    if (child.seed + 1 < child.end)
      pieces.push_back({child.seed + 1, child.end});
  }

  void take(Child &child, llvm::StringRef line) {
    auto [kind, rest] = line.split(' ');
    auto [first, second] = rest.split(' ');
    if (kind == "done") {
      ++done;
      child.seed += 1;
      child.step = "between programs";
      child.messages.clear();
    } else if (kind == "at") {
      auto [variant, step] = second.split(' ');
      first.getAsInteger(10, child.seed);
      variant.getAsInteger(10, child.variant);
      child.step = step.str();
    } else if (kind == "failed") {
      auto [variant, message] = second.split(' ');
      Finding finding;
      first.getAsInteger(10, finding.seed);
      variant.getAsInteger(10, finding.variant);
      finding.message = message.str();
      found(finding);
    } else if (kind == "count") {
      int64_t count = 0;
      first.getAsInteger(10, count);
      coverage.add(second.str(), count);
    } else if (kind == "time") {
      double seconds = 0;
      first.getAsDouble(seconds);
      coverage.addSeconds(second.str(), seconds);
    }
  }

  const Campaign &campaign;
  Coverage &coverage;
  const std::function<void(const Finding &)> &found;
  std::vector<Child> children;
  /// Seeds that are left from children that ended early.
  std::vector<std::pair<uint64_t, uint64_t>> pieces;
  uint64_t next;
  double start;
  int64_t done = 0;
};
} // namespace

int64_t fuzz::runCampaign(const Campaign &campaign, Coverage &coverage,
                          const std::function<void(const Finding &)> &found) {
  return CampaignRunner(campaign, coverage, found).run();
}

std::string fuzz::checkAlone(const Program &program, const Variant &variant) {
  Child child = startChild([&] {
    std::unique_ptr<MLIRContext> context = makeContext();
    Coverage coverage;
    Runner runner(*context, coverage);
    auto failure = checkProgram(runner, program, *context, variant,
                                [&](int number, const char *what) {
                                  sayReached(program.seed, number, what);
                                });
    if (failure)
      sayFailure(program.seed, 0, failure->message);
  });
  std::string message;
  while (true) {
    pollfd wait = {child.pipe, POLLIN, 0};
    ::poll(&wait, 1, 1000);
    if (wait.revents != 0) {
      bool goesOn = hear(child, [&](llvm::StringRef line) {
        auto [kind, rest] = line.split(' ');
        auto [seed, more] = rest.split(' ');
        if (kind == "failed")
          message = more.split(' ').second.str();
        else if (kind == "at")
          child.step = more.split(' ').second.str();
      });
      if (!goesOn)
        break;
    } else if (now() - child.heardAt > kLongest) {
      ::kill(child.pid, SIGKILL);
      child.heardAt = now();
    }
  }
  std::string end = describeEnd(child);
  return message.empty() ? end : message;
}
