// What forks of one process would draw alike: OpenSSL takes a fork for one by the process's number, which in a run is the
// runtime's own again, and V8, from whose generator Math.random is seeded, not at all. Both are in the Node binary.

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../warm/runtime.h"
#include "node.h"

enum { SEED_BYTES = 32 };

// OpenSSL's RAND_add.
static void (*add_randomness)(const void *bytes, int count, double entropy);
// V8: v8::base::RandomNumberGenerator::SetSeed, and the generator of this thread's isolate.
static void (*set_seed)(void *generator, int64_t seed);
static void *generator;

static void *exported(const char *name)
{
	void *address = dlsym(RTLD_DEFAULT, name);
	if (!address)
		die(ERROR_ASSERTION, "the interpreter has no %s", name);
	return address;
}

static int base_of_program(struct dl_phdr_info *info, size_t size, void *base)
{
	(void)size;
	*(uintptr_t *)base = info->dlpi_addr;
	return 1; // the first one is the program
}

static const void *map_program(size_t *length)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	struct stat about;
	if (fd < 0 || fstat(fd, &about) < 0)
		die(ERROR_SYSCALL, "the interpreter's binary");
	*length = (size_t)about.st_size;
	const void *file = mmap(NULL, *length, PROT_READ, MAP_PRIVATE, fd, 0);
	if (file == MAP_FAILED)
		die(ERROR_SYSCALL, "mapping the interpreter's binary");
	close(fd);
	return file;
}

// Its value in one table of symbols, 0 where that has no such function.
static uintptr_t value_in(const char *file, const Elf64_Shdr *table, const char *strings, const char *name)
{
	const Elf64_Sym *symbols = (const void *)(file + table->sh_offset);
	for (size_t i = 0; i < table->sh_size / sizeof *symbols; i++)
		if (ELF64_ST_TYPE(symbols[i].st_info) == STT_FUNC && !strcmp(strings + symbols[i].st_name, name))
			return symbols[i].st_value;
	return 0;
}

// A function that the binary does not export, from its table of all symbols.
static void *internal(const char *name)
{
	size_t length;
	const char *file = map_program(&length);
	const Elf64_Ehdr *head = (const void *)file;
	const Elf64_Shdr *sections = (const void *)(file + head->e_shoff);
	uintptr_t base = 0, value = 0;
	for (int i = 0; i < head->e_shnum && !value; i++)
		if (sections[i].sh_type == SHT_SYMTAB)
			value = value_in(file, &sections[i], file + sections[sections[i].sh_link].sh_offset, name);
	if (munmap((void *)(uintptr_t)file, length) < 0)
		die(ERROR_SYSCALL, "munmap");
	if (!value)
		die(ERROR_ASSERTION, "the interpreter's binary has no %s", name);
	(void)dl_iterate_phdr(base_of_program, &base);
	return (void *)(base + value);
}

void random_find(void)
{
	void *(*isolate)(void), *(*generator_of)(void *);
	*(void **)&add_randomness = exported("RAND_add");
	*(void **)&set_seed = exported("_ZN2v84base21RandomNumberGenerator7SetSeedEl");
	*(void **)&isolate = exported("_ZN2v87Isolate10GetCurrentEv");
	*(void **)&generator_of = internal("_ZN2v88internal7Isolate23random_number_generatorEv");
	generator = generator_of(isolate());
}

void random_renew(int status_fd)
{
	struct {
		char bytes[SEED_BYTES];
		int64_t seed;
	} fresh;
	if (getrandom(&fresh, sizeof fresh, 0) != sizeof fresh)
		step_failed(status_fd, STEP_THREAD, -errno);
	add_randomness(fresh.bytes, SEED_BYTES, SEED_BYTES);
	set_seed(generator, fresh.seed);
}
