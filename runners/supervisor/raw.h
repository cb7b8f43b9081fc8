// System calls without the C library's errno, and processes that share memory with their maker. A run's init and the way
// to its program execute in the supervisor's own memory: a copy of it would cost each run a fifth of a millisecond in page
// tables and faults. So there they may use nothing of the C library that writes to memory, errno above all.
#ifndef ASSAY_RAW_H
#define ASSAY_RAW_H

#include <stdint.h>
#include <sys/syscall.h>

#define RAW_ARG(x) ((long)(uintptr_t)(x))
#define RAW_1(n) raw_call(n, 0, 0, 0, 0, 0)
#define RAW_2(n, a) raw_call(n, RAW_ARG(a), 0, 0, 0, 0)
#define RAW_3(n, a, b) raw_call(n, RAW_ARG(a), RAW_ARG(b), 0, 0, 0)
#define RAW_4(n, a, b, c) raw_call(n, RAW_ARG(a), RAW_ARG(b), RAW_ARG(c), 0, 0)
#define RAW_5(n, a, b, c, d) raw_call(n, RAW_ARG(a), RAW_ARG(b), RAW_ARG(c), RAW_ARG(d), 0)
#define RAW_6(n, a, b, c, d, e) raw_call(n, RAW_ARG(a), RAW_ARG(b), RAW_ARG(c), RAW_ARG(d), RAW_ARG(e))
#define RAW_PICK(a, b, c, d, e, f, name, ...) name
/// raw(number, up to five arguments…): what the call returns, or −errno.
#define raw(...) RAW_PICK(__VA_ARGS__, RAW_6, RAW_5, RAW_4, RAW_3, RAW_2, RAW_1, )(__VA_ARGS__)

#if defined __x86_64__

static inline long raw_call(long number, long a, long b, long c, long d, long e)
{
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	__asm__ volatile("syscall"
			 : "+a"(number)
			 : "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8)
			 : "rcx", "r11", "memory");
	return number;
}

/// Makes a process or a thread with clone(flags, stack, …) or clone3(arguments, size), on a stack of its own. It calls
/// `entry`, which does not return. The maker gets the number, or −errno.
static inline long raw_spawn(long number, const long arguments[5], void (*entry)(const void *), const void *argument)
{
	register long r10 __asm__("r10") = arguments[3];
	register long r8 __asm__("r8") = arguments[4];
	__asm__ volatile("syscall\n\t"
			 "test %%rax, %%rax\n\t"
			 "jnz 1f\n\t"
			 "mov %[argument], %%rdi\n\t"
			 "call *%[entry]\n\t"
			 "ud2\n"
			 "1:"
			 : "+a"(number)
			 : "D"(arguments[0]), "S"(arguments[1]), "d"(arguments[2]), "r"(r10), "r"(r8), [entry] "r"(entry),
			   [argument] "r"(argument)
			 : "rcx", "r11", "memory");
	return number;
}

/// The last two arguments of clone for a thread, whose order is the machine's own.
#define RAW_CLONE_TAIL(tid, tls) RAW_ARG(tid), RAW_ARG(tls)

#elif defined __aarch64__

static inline long raw_call(long number, long a, long b, long c, long d, long e)
{
	register long x8 __asm__("x8") = number;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c;
	register long x3 __asm__("x3") = d;
	register long x4 __asm__("x4") = e;
	__asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4) : "memory");
	return x0;
}

static inline long raw_spawn(long number, const long arguments[5], void (*entry)(const void *), const void *argument)
{
	register long x8 __asm__("x8") = number;
	register long x0 __asm__("x0") = arguments[0];
	register long x1 __asm__("x1") = arguments[1];
	register long x2 __asm__("x2") = arguments[2];
	register long x3 __asm__("x3") = arguments[3];
	register long x4 __asm__("x4") = arguments[4];
	__asm__ volatile("svc 0\n\t"
			 "cbnz x0, 1f\n\t"
			 "mov x0, %[argument]\n\t"
			 "blr %[entry]\n\t"
			 "brk 0\n"
			 "1:"
			 : "+r"(x0)
			 : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), [entry] "r"(entry), [argument] "r"(argument)
			 : "memory");
	return x0;
}

#define RAW_CLONE_TAIL(tid, tls) RAW_ARG(tls), RAW_ARG(tid)

#else
#error "no system calls for this architecture"
#endif

_Noreturn static inline void raw_exit(int status)
{
	for (;;)
		(void)raw(SYS_exit_group, status);
}

#endif
