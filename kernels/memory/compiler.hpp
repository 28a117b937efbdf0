// The compiler's part of the contract: what is inlined, what is a function of its own, which branch is
// expected. As in Linux by __builtin_expect: C++'s [[likely]] weighs branches differently and gives another
// block order.
#pragma once

#define HITMARK_INLINE [[gnu::always_inline]] inline

// One function, one address, one symbol: never inlined, cloned or specialised for its callers. clang has no
// noipa; its noinline keeps the function whole.
#if defined(__clang__)
#define HITMARK_NOIPA [[gnu::noinline]]
#else
#define HITMARK_NOIPA [[gnu::noipa]]
#endif

// Bodies that a variant inlines or keeps out of line by choice. The build that tests the patch's remark on
// profiles (kernels/pgo) leaves both to the compiler, as the kernel's plain static functions do; `used` stands
// for the kernel's other callers of the out-of-line ones.
#ifdef HITMARK_COMPILER_DECIDES
#define HITMARK_BODY
#define HITMARK_OUT_OF_LINE [[gnu::used]]
#else
#define HITMARK_BODY HITMARK_INLINE
#define HITMARK_OUT_OF_LINE HITMARK_NOIPA
#endif

// Under ThreadSanitizer NativeCpu is another class, because inline assembly is invisible to it.
#if defined(__SANITIZE_THREAD__)
#define HITMARK_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define HITMARK_TSAN 1
#endif
#endif
#ifndef HITMARK_TSAN
#define HITMARK_TSAN 0
#endif

namespace hitmark {

// About one condition each: `unlikely(a && b)` says nothing about `a` here, as a function's argument is a value
// and no expression. The macros of Linux spread over && and ||; write unlikely(a) && unlikely(b).
HITMARK_INLINE bool likely(bool condition) { return __builtin_expect(condition, true); }
HITMARK_INLINE bool unlikely(bool condition) { return __builtin_expect(condition, false); }

}  // namespace hitmark
