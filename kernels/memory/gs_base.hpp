// The GS base of the calling thread: where NativeCpu finds its per-CPU area. 64-bit user space on Linux leaves
// the register free. A thread that never sets it and calls a native operation faults at address 0.
#pragma once

namespace hitmark {

// Points %gs at `area` (Arena::percpu_address(cpu, 0)) for the calling thread, until it is set again.
void set_gs_base(void* area);

}  // namespace hitmark
