// hitmark-likwid: likwid in a process that may be lost. Reads commands from stdin, answers one line each:
//
//   init CPU              ok                       loads the library for one hardware thread
//   probe EVENT SPELLING  counted... | unavailable...  verdict.hpp's line; counts known work alone
//   open SPELLING,...     ok                       sets up what start, stop and read are about
//   start | stop          ok
//   read                  values V V ...
//   quit                  ok, and ends
//
// Anything else, and whatever fails: "error TEXT", or "refused TEXT" when stderr adds nothing to it. likwid itself
// writes to stderr (and, sent there, to stdout).
#include <likwid.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <sstream>
#include <string>

#include "harness/counters/known_work.hpp"
#include "harness/counters/verdict.hpp"

namespace hitmark {
namespace {

// The protocol's own descriptor; 1 is pointed at stderr.
int answers = -1;

void answer(std::string line) {
  line += '\n';
  for (std::size_t at = 0; at < line.size();) {
    const ssize_t put = ::write(answers, line.data() + at, line.size() - at);
    if (put <= 0) ::_exit(1);
    at += static_cast<std::size_t>(put);
  }
}

std::string failed(const std::string& what, int code) {
  return "error likwid " HITMARK_LIKWID_VERSION " " + what + " (" + std::to_string(code) + ")";
}

struct Session {
  int cpu = -1;
  int group = -1;
  int events = 0;
  bool ready = false;
};

std::string initialise(Session& session, int cpu) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(cpu, &one);
  if (::sched_setaffinity(0, sizeof one, &one) != 0) return "error cannot run on CPU " + std::to_string(cpu);
  // Reading the registers ourselves needs no daemon, whose start takes seconds even where it fails. Only a device
  // that is there and closed to us makes the daemon worth a try.
  const std::string device = "/dev/cpu/" + std::to_string(cpu) + "/msr";
  const bool closed = ::access(device.c_str(), F_OK) == 0 && ::access(device.c_str(), R_OK | W_OK) != 0;
  if (init_configuration() == 0 && get_configuration()->daemonMode != ACCESSMODE_PERF)
    HPMmode(closed ? ACCESSMODE_DAEMON : ACCESSMODE_DIRECT);
  if (const int code = topology_init(); code != 0) return failed("cannot read the topology", code);
  numa_init();
  affinity_init();
  session.cpu = cpu;
  if (const int code = perfmon_init(1, &session.cpu); code != 0) {
    const bool there = ::access(device.c_str(), R_OK | W_OK) == 0;
    const std::string why = std::strerror(errno);
    const CpuInfo_t info = get_cpuInfo();
    const bool known = info && info->name;
    if (there && known) return failed("cannot reach the counters", code);
    return "refused likwid " HITMARK_LIKWID_VERSION " cannot reach the counters: " +
           (there ? "" : "no MSRs, " + device + ": " + why) + (there || known ? "" : ", and ") +
           (known ? ""
                  : "it does not know this CPU (family " + std::to_string(info ? info->family : 0) + " model " +
                        std::to_string(info ? info->model : 0) + ")");
  }
  session.ready = true;
  return "ok";
}

std::string set_up(const std::string& events, int& group) {
  group = perfmon_addEventSet(events.c_str());
  if (group < 0) return failed("does not accept " + events, group);
  if (const int code = perfmon_setupCounters(group); code < 0) return failed("cannot set up " + events, code);
  return "ok";
}

std::string probe(const std::string& event, const std::string& spelling) {
  int group = -1;
  const EventName* known = find_event(event);
  if (const std::string status = set_up(spelling, group); status != "ok")
    return to_line(unavailable_probe("likwid", event, {status.substr(6), "likwid-perfctr -E " + spelling}));
  std::vector<Counted> counted;
  for (int i = 0; i < kRepetitions; ++i) {
    int started = 0, stopped = 0;
    Counted one;
    one.work = do_known_work(
        known ? known->work : KnownWork::kSharedLine, [&] { started = perfmon_startCounters(); },
        [&] { stopped = perfmon_stopCounters(); });
    one.value = perfmon_getLastResult(group, 0, 0);
    if (started != 0 || stopped != 0 || !std::isfinite(one.value))
      return to_line(unavailable_probe("likwid", event, {"likwid does not start or read " + spelling, ""}));
    counted.push_back(one);
  }
  return to_line(judge("likwid", event, counted));
}

std::string read_values(const Session& session) {
  std::ostringstream line;
  line.precision(17);
  line << "values";
  for (int i = 0; i < session.events; ++i) {
    const double value = perfmon_getLastResult(session.group, i, 0);
    if (!std::isfinite(value)) return "error likwid gives no number for event " + std::to_string(i + 1);
    line << ' ' << value;
  }
  return line.str();
}

std::string obey(Session& session, const std::string& line) {
  std::istringstream words(line);
  std::string command, first, second;
  words >> command >> first >> second;
  if (command == "init") {
    if (session.ready || first.empty() || first.size() > 6 ||
        !std::all_of(first.begin(), first.end(), [](char c) { return c >= '0' && c <= '9'; }))
      return "error init takes one CPU number, once";
    return initialise(session, std::stoi(first));
  }
  if (!session.ready) return "error init comes first";
  if (command == "probe" && !second.empty()) return probe(first, second);
  if (command == "open" && !first.empty()) {
    session.events = static_cast<int>(std::count(first.begin(), first.end(), ',')) + 1;
    return set_up(first, session.group);
  }
  if (session.group < 0) return "error open comes first";
  if (command == "start") {
    const int code = perfmon_startCounters();
    return code == 0 ? "ok" : failed("does not start", code);
  }
  if (command == "stop") {
    const int code = perfmon_stopCounters();
    return code == 0 ? "ok" : failed("does not stop", code);
  }
  if (command == "read") return read_values(session);
  return "error no such command";
}

int run() {
  answers = ::dup(STDOUT_FILENO);
  ::dup2(STDERR_FILENO, STDOUT_FILENO);
  Session session;
  for (std::string line; std::getline(std::cin, line);) {
    if (line == "quit") {
      if (session.ready) perfmon_finalize();
      answer("ok");
      break;
    }
    answer(obey(session, line));
  }
  return 0;
}

}  // namespace
}  // namespace hitmark

int main() { return hitmark::run(); }
