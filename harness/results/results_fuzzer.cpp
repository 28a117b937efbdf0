// Any bytes as a store: opened, listed, read to the end, appended to. Nothing may crash or hang.
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "harness/results/result_store.hpp"
#include "harness/results/testing_records.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using hitmark::ResultStore;
  // A real file, in memory: SQLite wants a name to put its journal beside.
  static const std::string path = "/dev/shm/hitmark_results_fuzzer_" + std::to_string(::getpid());
  std::FILE* file = std::fopen(path.c_str(), "w");
  if (file == nullptr || std::fwrite(data, 1, size, file) != size || std::fclose(file) != 0) std::abort();

  if (auto store = ResultStore::open(path, ResultStore::Access::kRead, 0)) {
    std::size_t slices = 0, places = 0;
    if (const auto runs = store->runs())
      for (const auto& run : *runs)
        (void)store->for_each_block(run.run_id, [&](const hitmark::BlockRecord& block) {
          slices += block.slices.size();
          for (const auto& reading : block.readings) places += reading.object.size() + reading.field.size();
        });
  }
  if (auto store = ResultStore::open(path, ResultStore::Access::kAppend, 0))
    if (const auto run = store->latest_run()) {
      auto block = hitmark::testing_records::block(0, 0, 0);
      block.readings.push_back(hitmark::testing_records::reading_of_field("vmstats[root]", "stats_updates"));
      (void)store->append_block(run->run_id, block);
    }
  for (const char* suffix : {"", "-journal", "-wal", "-shm"}) ::unlink((path + suffix).c_str());
  return 0;
}
