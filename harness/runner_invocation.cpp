// The half of the runner that measures: one invocation, in a process of its own.
#include <algorithm>
#include <chrono>

#include "harness/runner.hpp"
#include "harness/runner_tally.hpp"
#include "support/seeds.hpp"

namespace hitmark {
namespace {

// Counting takes as long as a block and is not timed; readings are totals, so few will do.
constexpr int kBlocksPerCount = 8;

class Invocation {
 public:
  Invocation(const Plan& plan, const RunRecord& run, int number, Machine& machine, const RunOptions& options,
             ResultStore& store, RunTally& tally)
      : plan_(plan),
        run_(run),
        number_(number),
        machine_(machine),
        options_(options),
        store_(store),
        tally_(tally),
        done_(tally.used()) {}

  Result<void> run() {
    end_ = now() + options_.budget_seconds;
    std::vector<int> order =
        permutation(static_cast<int>(plan_.conditions.size()),
                    mixed_seed({plan_.seed, 0x696e766f63617469u, static_cast<std::uint64_t>(number_)}));
    std::erase_if(order, [&](int condition) { return !wants_block(plan_, tally_.at(condition, number_)); });
    for (std::size_t i = 0; i < order.size(); ++i) {
      const double left = end_ - now();
      if (stopped() || left <= 0) return {};
      const double share = left / static_cast<double>(order.size() - i);
      if (const auto ran = run_condition(order[i], now() + share); !ran) return ran.error();
    }
    return {};
  }

 private:
  double now() const { return options_.now(); }
  bool stopped() const { return options_.stop && options_.stop->load(); }

  // Until it has its blocks, or the next would end after `end`; the first is run in any case.
  Result<void> run_condition(int index, double end) {
    const Condition& condition = plan_.conditions[static_cast<std::size_t>(index)];
    auto bench = machine_.prepare(plan_, condition);
    if (!bench) return bench.error();
    BlockTally& tally = tally_.at(index, number_);
    const double begin = now();
    for (int blocks = 0; wants_block(plan_, tally) && !stopped(); ++blocks) {
      const double per_block = blocks == 0 ? 0 : (now() - begin) / blocks;
      if (now() + per_block > end && blocks > 0) break;
      if (const auto ran = run_block(**bench, index, tally); !ran) return ran.error();
      report(condition, (now() - begin) / (blocks + 1));
    }
    return (*bench)->check();
  }

  Result<void> run_block(Bench& bench, int condition, BlockTally& tally) {
    Trial trial{number_, tally.stored, block_order(plan_, condition, number_, tally.stored), plan_.slice_seconds};
    auto block = bench.run(trial);
    if (!block) return block.error();
    block->condition = condition;
    block->invocation = number_;
    block->block = trial.block;
    block->seed = plan_.seed;
    if (!plan_.counting.source.empty() && trial.block % kBlocksPerCount == 0) {
      auto readings = bench.count(trial.order);
      if (!readings) return readings.error();
      block->readings.insert(block->readings.end(), readings->begin(), readings->end());
    }
    if (const auto kept = store_.append_block(run_.run_id, *block); !kept) return kept.error();
    ++tally.stored;
    tally.used += block->discarded.empty();
    done_ += block->discarded.empty();
    return {};
  }

  void report(const Condition& condition, double per_block) const {
    if (!options_.on_progress) return;
    const int planned = plan_.blocks * plan_.invocations * static_cast<int>(plan_.conditions.size());
    const double by_budget = end_ - now() + options_.budget_seconds * (plan_.invocations - 1 - number_);
    const double left = std::max(0.0, std::min(per_block * (planned - done_), by_budget));
    options_.on_progress({done_, planned, left, condition.record.name});
  }

  const Plan& plan_;
  const RunRecord& run_;
  const int number_;
  Machine& machine_;
  const RunOptions& options_;
  ResultStore& store_;
  RunTally& tally_;
  int done_;
  double end_ = 0;
};

}  // namespace

Result<void> run_invocation(const Plan& plan, const RunRecord& run, int invocation, Machine& machine,
                            const RunOptions& given) {
  RunOptions options = given;
  if (!options.now)
    options.now = [] {
      return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
    };
  auto store = ResultStore::open(options.store_path, ResultStore::Access::kAppend);
  if (!store) return store.error();
  auto tally = RunTally::of(*store, run.run_id);
  if (!tally) return tally.error();
  return Invocation(plan, run, invocation, machine, options, *store, *tally).run();
}

}  // namespace hitmark
