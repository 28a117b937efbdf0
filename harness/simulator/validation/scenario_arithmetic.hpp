// When the statistics of a memcg are flushed every so often, how much of the time its updates still accumulate.
//
// After a flush, updates reach the shared counter until it exceeds the flush threshold; from then on it is only read
// (reference, section 3.7). The two phases are simulated as windows of their own and weighted by what they last.
#pragma once

namespace hitmark::simulator {

// min(1, threshold / (rate x interval)): the share of updates that are made while accumulating. `threshold` in
// updates, `rate` in updates per second, `interval` in seconds. 1 when nothing is ever updated or flushed.
double accumulating_share(double threshold, double rate, double interval);

// The share of calls that fall into windows of `calls` calls and `seconds` seconds, one every `interval` seconds.
// Between them come `rate` calls per second. A window that is slower than that is not caught up with: those who wait
// for an answer send no new request meanwhile. 1 when the windows leave no time between them.
double share_of_windows(double calls, double seconds, double rate, double interval);

// A reader flushes only above the threshold. So of readers that come every `period` seconds, the first after
// `accumulating` seconds (flush included) flushes: the seconds between two flushes.
double flush_interval_of_readers(double period, double accumulating);

// Of two phases, by the share of calls in the first.
double weighted(double share, double first, double second);

// A mean of batches, and how well it is known.
struct BatchMean {
  double mean = 0;
  double half_width = 0;  // of a 95 % confidence interval, Student's t; infinite for fewer than two batches
  unsigned batches = 0;
};
class BatchMeans {
 public:
  void add(double value);
  BatchMean get() const;
  bool as_precise_as(double relative) const;  // half_width <= relative x mean

 private:
  double sum_ = 0, sum_of_squares_ = 0;
  unsigned count_ = 0;
};

}  // namespace hitmark::simulator
