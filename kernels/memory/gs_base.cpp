// arch_prctl has no wrapper in glibc.
#include "kernels/memory/gs_base.hpp"

#include <asm/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "support/check.hpp"

namespace hitmark {

void set_gs_base(void* area) {
  HITMARK_CHECK(syscall(SYS_arch_prctl, ARCH_SET_GS, area) == 0, "arch_prctl(ARCH_SET_GS) failed");
}

}  // namespace hitmark
