// The system calls behind the "perf" source, replaceable so that tests need no PMU and no preload.
#pragma once

#include <linux/perf_event.h>
#include <sys/types.h>

namespace hitmark {

struct PerfSystem {
  int (*open)(perf_event_attr* attributes, pid_t pid, int cpu, int group, unsigned long flags);
  int (*control)(int fd, unsigned long request, unsigned long argument);
  ssize_t (*read)(int fd, void* buffer, std::size_t size);
  int (*close)(int fd);
};

// The kernel's, until a test assigns others.
PerfSystem& perf_system();

}  // namespace hitmark
