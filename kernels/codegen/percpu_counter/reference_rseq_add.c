/* An add in a restartable sequence (kernels/percpu_counter/rseq.hpp). */
#include "kernels/codegen/percpu_counter/reference_counter.h"

#define VARIANT "rseq-add"

struct counter {
  HITMARK_ONCE unsigned long part;
  HITMARK_ONCE long rseq_offset;
};

struct rseq_count {
  HITMARK_ONCE long count;
  HITMARK_ONCE unsigned int player, restarts;
};

static __always_inline bool restartable_add(unsigned long part, long rseq, long amount) {
  asm goto(
      ".pushsection __rseq_cs, \"aw\"\n\t"
      ".balign 32\n"
      "3:\t.long 0, 0\n\t"
      ".quad 1f, 2f - 1f, 4f\n\t"
      ".popsection\n"
      "5:\tleaq 3b(%%rip), %%rax\n\t"
      "movq %%rax, %%fs:8(%[rseq])\n"
      "1:\tmovl %%gs:8(%[part]), %%eax\n\t"
      "cmpl %%fs:4(%[rseq]), %%eax\n\t"
      "jne %l[elsewhere]\n\t"
      "addq %[amount], %%gs:(%[part])\n"
      "2:\n\t"
      ".pushsection __rseq_failure, \"ax\"\n\t"
      ".byte 0x0f, 0xb9, 0x3d\n\t"
      ".long 0x53053053\n"
      "4:\taddl $1, %%gs:12(%[part])\n\t"
      "jmp 5b\n\t"
      ".popsection"
      :
      : [rseq] "r"(rseq), [part] "r"(part), [amount] "er"(amount)
      : "memory", "cc", "rax"
      : elsewhere);
  return true;
elsewhere:
  return false;
}

static noinline void adopt_and_add(unsigned long part, long rseq, long amount) {
  unsigned int player;

  do {
    asm volatile("movl %%fs:4(%1), %0" : "=r"(player) : "r"(rseq));
    this_cpu_write_int(((struct rseq_count*)part)->player, player);
  } while (!restartable_add(part, rseq, amount));
}

static __always_inline void counter_add(struct family_state* state, struct counter* c, long amount) {
  unsigned long part = c->part;
  long rseq = c->rseq_offset;

  (void)state;
  if (unlikely(!restartable_add(part, rseq, amount))) adopt_and_add(part, rseq, amount);
}

static __always_inline long counter_sum(struct family_state* state, struct counter* c) {
  return sum_of_parts(struct rseq_count, state, c->part);
}

static __always_inline long counter_read(struct family_state* state, struct counter* c) {
  return counter_sum(state, c);
}

#include "kernels/codegen/percpu_counter/reference_counter_operations.h"
