// The interpreter's part of the zygote: warming it up, and running a program in a forked child with nothing of ours on
// Python's stack. What CPython does around a main file is done here in the same order (Python/pythonrun.c,
// Python/pylifecycle.c). At the end Py_FinalizeEx takes the interpreter apart, which copies most pages of the heap and
// costs as much as everything before; where nobody is left who could see it, the process just ends.

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../supervisor/supervisor.h"
#include "interpreter.h"
#include "python.h"

/// The interpreter's exit code when its standard output cannot be flushed.
enum { EXIT_FLUSH = 120 };
/// A child whose objects have grown by more ends as a fresh interpreter does: looking at all its objects would cost as much, and
/// memory that the program may not have.
enum { SCAN_MAX_KIB = 16 * 1024 };

static PyObject *own; // globals of `source`
static PyObject *refresh, *note_imports, *exit_code, *is_quiet, *unfreeze, *preload, *run_preloaded; // functions there
static bool has_preloaded;
static long warm_kib; // small objects before the first program

// refresh: before the program. note_imports: once; the generators of random numbers that imported modules made for themselves,
// which a fresh interpreter would have seeded anew, whether one of them imported ctypes (programs that use it are then started
// cold, by its name), and the filters of warnings that they left. exit_code: of a SystemExit, None where the interpreter has to say more about it.
// preload: once; our own modules, which only run_preloaded gives their names. is_quiet: whether no object that is new since the fork does anything at its end. All types with a finalizer have the
// attribute __del__, those of C too; harmless are a generator that handles no exception, files that only read, and weak
// references that leave a collection. The metaclasses of a program are kept from taking part.
static const char source[] =
	"import _thread, _weakref, _weakrefset, gc, io, os, sys, warnings, weakref\n"
	"import _frozen_importlib_external as bootstrap\n"
	"stdout, stderr = sys.stdout, sys.stderr\n"
	"buffers = stdout.buffer, stderr.buffer\n"
	"modules, unfreeze = sys.modules, gc.unfreeze\n"
	"get_objects, get_debug, callbacks = gc.get_objects, gc.get_debug, gc.callbacks\n"
	"mro_of, dict_of, flags_of = (type.__dict__[name].__get__ for name in ('__mro__', '__dict__', '__flags__'))\n"
	"reference, builtin, function = _weakref.ReferenceType, type(len), type(lambda: 0)\n"
	"generator, text, reader, raw = type((i for i in ())), io.TextIOWrapper, io.BufferedReader, io.FileIO\n"
	"HAVE_GC = 1 << 14\n"
	"def refresh(path, argv, env):\n"
	"    folder = path.rpartition('/')[0] or '/'\n"
	"    sys.path_importer_cache.pop(folder, None)\n"
	"    if not sys.flags.isolated and sys.path:\n"
	"        sys.path[0] = folder\n"
	"    if argv is not None:\n"
	"        sys.orig_argv[:] = argv\n"
	"        sys.argv[:] = argv[1:]\n"
	"    if env is not None:\n"
	"        os.environb.clear()\n"
	"        os.environb.update(item.split(b'=', 1) for item in env)\n"
	"    threading = modules.get('threading')\n"
	"    if threading is not None and hasattr(threading.main_thread(), '_set_native_id'):\n"
	"        threading.main_thread()._set_native_id()\n"
	"    for seed in seeds:\n"
	"        seed()\n"
	"    main = modules['__main__']\n"
	"    main.__file__ = path\n"
	"    main.__cached__ = None\n"
	"    main.__loader__ = bootstrap.SourceFileLoader('__main__', path)\n"
	"seeds = []\n"
	"has_ctypes = False\n"
	"def note_imports():\n"
	"    global has_ctypes, filters, filters_before\n"
	"    filters, filters_before = warnings.filters, warnings.filters[:]\n"
	"    has_ctypes = '_ctypes' in modules\n"
	"    random = modules.get('random')\n"
	"    if random is not None:\n"
	"        seeds.extend(each.seed for each in get_objects() if type(each) is random.Random)\n"
	"    if 'numpy.random' in modules:\n"
	"        seeds.append(modules['numpy.random'].seed)\n"
	"loaded = []\n"
	"def preload(paths):\n"
	"    for path in filter(None, paths.split(',')):\n"
	"        name = path.rpartition('/')[2][:-3]\n"
	"        with open(path, encoding='utf-8') as file:\n"
	"            code = compile(file.read(), '<assay ' + name + '>', 'exec', dont_inherit=True)\n"
	"        module = modules['assay_' + name] = type(sys)('assay_' + name)\n"
	"        exec(code, module.__dict__)\n"
	"        loaded.append(module)\n"
	"    for module in loaded:\n"
	"        getattr(module, 'warm_up', int)()\n"
	"    for module in loaded:\n"
	"        del modules[module.__name__]\n"
	"def run_preloaded():\n"
	"    for module in loaded:\n"
	"        modules[module.__name__] = module\n"
	"    loaded[-1].main()\n"
	"def exit_code(error):\n"
	"    if type(error) is not SystemExit:\n"
	"        return None\n"
	"    code = error.code\n"
	"    if code is None:\n"
	"        return 0\n"
	"    return code if type(code) is int and 0 <= code < 256 else None\n"
	"def has_finalizer(kind):\n"
	"    return any('__del__' in dict_of(base) for base in mro_of(kind))\n"
	"def is_kind_of(kind, wanted):\n"
	"    return any(base is wanted for base in mro_of(kind))\n"
	"def is_idle(gen):\n"
	"    if gen.gi_frame is None:\n"
	"        return True\n"
	"    inner = gen.gi_yieldfrom\n"
	"    if inner is not None and type(inner) is not generator:\n"
	"        return False\n"
	"    return not getattr(gen.gi_code, 'co_exceptiontable', True)\n"
	"def only_reads(file):\n"
	"    file = file.buffer if type(file) is text else file\n"
	"    file = file.raw if type(file) is reader else file\n"
	"    return type(file) is memory or type(file) is raw and not raw.writable(file)\n"
	"def forgets(ref):\n"
	"    call = reference.__callback__.__get__(ref)\n"
	"    if type(call) is function:\n"
	"        return call.__code__ in sets\n"
	"    return call is None or type(call) is builtin and call.__name__ in ('_destroy', '_localdummy_destroyed')\n"
	"memory = io.BytesIO\n"
	"harmless = {id(generator): is_idle, id(text): only_reads, id(reader): only_reads, id(raw): only_reads}\n"
	"harmless[id(memory)] = harmless[id(io.StringIO)] = lambda file: True\n"
	"sets = [code for kind in (_weakrefset.WeakSet, weakref.WeakValueDictionary, weakref.WeakKeyDictionary)\n"
	"        for code in kind.__init__.__code__.co_consts if type(code) is type(is_idle.__code__)]\n"
	"def is_harmless(each):\n"
	"    kind = type(each)\n"
	"    if has_finalizer(kind):\n"
	"        return id(kind) in harmless and harmless[id(kind)](each)\n"
	"    if is_kind_of(kind, reference):\n"
	"        return forgets(each)\n"
	"    return not is_kind_of(kind, type) or flags_of(each) & HAVE_GC or not has_finalizer(each)\n"
	"def is_quiet():\n"
	"    if sys.stdout is not stdout or sys.stderr is not stderr or callbacks or get_debug():\n"
	"        return False\n"
	"    if '_ctypes' in modules and not has_ctypes:\n"
	"        return False\n"
	"    if stdout.buffer is not buffers[0] or stderr.buffer is not buffers[1] or _thread._count():\n"
	"        return False\n"
	"    if warnings.filters is not filters or filters != filters_before:\n"
	"        return False\n"
	"    objects = get_objects()\n"
	"    suspects = set()\n"
	"    for kind in {id(kind): kind for kind in map(type, objects)}.values():\n"
	"        if is_kind_of(kind, type) or is_kind_of(kind, reference) or has_finalizer(kind):\n"
	"            suspects.add(id(kind))\n"
	"    return all(id(type(each)) not in suspects or is_harmless(each) for each in objects)\n";

static void define_functions(void)
{
	own = PyDict_New();
	PyObject *code = Py_CompileString(source, "<zygote>", PY_FILE_INPUT);
	// A copy, because a program may change them.
	PyObject *builtins = PyDict_Copy(PyEval_GetBuiltins());
	if (!own || !code || !builtins || PyDict_SetItemString(own, "__builtins__", builtins) < 0 ||
	    !PyEval_EvalCode(code, own, own))
		die(ERROR_ASSERTION, "preparing the interpreter");
	Py_DecRef(builtins);
	Py_DecRef(code);
	refresh = PyDict_GetItemString(own, "refresh");
	note_imports = PyDict_GetItemString(own, "note_imports");
	exit_code = PyDict_GetItemString(own, "exit_code");
	is_quiet = PyDict_GetItemString(own, "is_quiet");
	unfreeze = PyDict_GetItemString(own, "unfreeze");
	preload = PyDict_GetItemString(own, "preload");
	run_preloaded = PyDict_GetItemString(own, "run_preloaded");
}

static void import_all(char *rest)
{
	for (char *name; (name = strsep(&rest, ","));) {
		if (!*name)
			continue;
		PyObject *module = PyImport_ImportModule(name);
		// A program that wants it finds the same error.
		if (!module)
			PyErr_Clear();
		else
			Py_DecRef(module);
	}
}

// Memory of the interpreter's own allocator, about: what is resident and not malloc's, which has large blocks, as of numpy's
// arrays, but no small objects. LONG_MAX if unknown.
static long small_objects_kib(void)
{
	char text[128] = "";
	int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
	long pages = 0;
	bool known = fd >= 0 && read(fd, text, sizeof text - 1) > 0 && sscanf(text, "%*d %ld", &pages) == 1;
	if (fd >= 0)
		close(fd);
	const struct mallinfo2 m = mallinfo2();
	return known ? pages * (sysconf(_SC_PAGESIZE) / 1024) - (long)((m.arena + m.hblkhd) / 1024) : LONG_MAX;
}

// Objects made so far are never looked at by the collector again, so that it does not copy their pages in a child.
static void freeze(void)
{
	PyObject *gc = PyImport_ImportModule("gc");
	if (!gc || !PyObject_CallMethod(gc, "collect", NULL) || !PyObject_CallMethod(gc, "freeze", NULL))
		die(ERROR_ASSERTION, "freezing the heap");
	Py_DecRef(gc);
}

// Before the interpreter is taken apart: the collector finds everything again, and nothing is held by us.
static void let_go(void)
{
	if (!PyObject_CallFunction(unfreeze, NULL))
		PyErr_Clear();
	PyDict_Clear(own);
}

void interpreter_warm_up(char *imports, const char *paths)
{
	define_functions();
	import_all(imports);
	PyObject *done = PyObject_CallFunction(preload, "s", paths);
	if (!done)
		die(ERROR_ASSERTION, "loading %s", paths);
	Py_DecRef(done);
	has_preloaded = *paths;
	PyObject *found = PyObject_CallFunction(note_imports, NULL);
	if (!found)
		die(ERROR_ASSERTION, "looking at what was imported");
	Py_DecRef(found);
	freeze();
	warm_kib = small_objects_kib();
	if (warm_kib == LONG_MAX)
		die(ERROR_SYSCALL, "measuring memory");
}

bool interpreter_is_shadowed(const char *folder)
{
	DIR *work = opendir(folder);
	bool found = !work;
	for (const struct dirent *e; !found && (e = readdir(work));) {
		char name[256];
		snprintf(name, sizeof name, "%s", e->d_name);
		name[strcspn(name, ".")] = 0;
		found = *name && PyDict_GetItemString(PyImport_GetModuleDict(), name);
	}
	if (work)
		closedir(work);
	return found;
}

/* In a child */

static PyObject *stream(const char *name)
{
	PyObject *file = PySys_GetObject(name);
	return file == PY_NONE ? NULL : file;
}

// flush_io: between the program and whatever is said about its end. Errors show again later.
static void flush_quietly(void)
{
	PyObject *type, *value, *traceback;
	PyErr_Fetch(&type, &value, &traceback);
	static const char *const names[] = { "stderr", "stdout" };
	for (size_t i = 0; i < 2; i++) {
		PyObject *file = PySys_GetObject(names[i]);
		if (file && !PyObject_CallMethod(file, "flush", NULL))
			PyErr_Clear();
	}
	PyErr_Restore(type, value, traceback);
}

// flush_std_files: false if the program's last output could not be written.
static bool flush_at_end(const char *name, bool tell)
{
	PyObject *file = stream(name);
	if (!file)
		return true;
	PyObject *closed = PyObject_GetAttrString(file, "closed");
	bool is_closed = closed && PyObject_IsTrue(closed);
	PyErr_Clear();
	if (is_closed || PyObject_CallMethod(file, "flush", NULL))
		return true;
	if (tell)
		PyErr_WriteUnraisable(file);
	PyErr_Clear();
	return false;
}

static PyObject *to_list(char *const *texts, PyObject *(*convert)(const char *))
{
	PyObject *list = PyList_New(0);
	for (; list && *texts; texts++) {
		PyObject *item = convert(*texts);
		if (!item || PyList_Append(list, item) < 0)
			return NULL;
		Py_DecRef(item);
	}
	return list;
}

static char *main_path;
static FILE *main_file;

bool interpreter_prepare(const char *name, char *const *argv, char *const *env)
{
	main_path = realpath(name, NULL);
	main_file = main_path ? fopen(main_path, "rbe") : NULL;
	PyObject *arguments = argv ? to_list(argv, PyUnicode_DecodeFSDefault) : PY_NONE;
	PyObject *variables = env ? to_list(env, PyBytes_FromString) : PY_NONE;
	if (!main_file || !arguments || !variables)
		return false;
	PyObject *done = PyObject_CallFunction(refresh, "sOO", main_path, arguments, variables);
	if (!done)
		return false;
	Py_DecRef(done);
	return true;
}

// Of the error that is set. A SystemExit with something to say ends the process here.
static int end_code(void)
{
	if (PyErr_ExceptionMatches(PyExc_SystemExit)) {
		PyObject *type, *value, *traceback;
		PyErr_Fetch(&type, &value, &traceback);
		PyErr_NormalizeException(&type, &value, &traceback);
		PyObject *number = PyObject_CallFunction(exit_code, "O", value);
		if (number && number != PY_NONE) {
			long code = PyLong_AsLong(number);
			PyErr_Restore(type, value, traceback);
			PyErr_Clear();
			return (int)code;
		}
		let_go();
		PyErr_Restore(type, value, traceback);
	}
	PyErr_Print();
	return 1;
}

static void call_if_imported(const char *module, const char *function)
{
	PyObject *m = PyDict_GetItemString(PyImport_GetModuleDict(), module);
	if (m && !PyObject_CallMethod(m, function, NULL))
		PyErr_WriteUnraisable(m);
}

// Whether the rest of the interpreter's end can be left out.
static bool ends_quietly(void)
{
	if (small_objects_kib() > warm_kib + SCAN_MAX_KIB)
		return false;
	PyObject *quiet = PyObject_CallFunction(is_quiet, NULL);
	PyErr_Clear();
	return quiet && PyObject_IsTrue(quiet);
}

static _Noreturn void end(int code, bool interrupted)
{
	// Also what it waits for is the program's: threads that are no daemons.
	call_if_imported("threading", "_shutdown");
	call_if_imported("atexit", "_run_exitfuncs");
	bool whole, quiet = ends_quietly();
	if (quiet) {
		whole = flush_at_end("stdout", true);
		whole = flush_at_end("stderr", false) && whole;
	} else {
		let_go();
		whole = Py_FinalizeEx() == 0;
	}
	if (interrupted) {
		fflush(NULL);
		signal(SIGINT, SIG_DFL);
		kill(getpid(), SIGINT);
	}
	if (!whole)
		code = EXIT_FLUSH;
	if (!quiet)
		exit(code);
	fflush(NULL);
	_exit(code);
}

// Whether the main file only loads what is loaded.
static bool asks_for_preloaded(void)
{
	static const char line[] = PRELOADED_LINE;
	char text[sizeof line - 1];
	return has_preloaded && pread(fileno(main_file), text, sizeof text, 0) == sizeof text &&
	       !memcmp(text, line, sizeof text);
}

_Noreturn void interpreter_run(void)
{
	PyObject *main_dict = PyModule_GetDict(PyImport_AddModule("__main__"));
	PyObject *done;
	if (asks_for_preloaded())
		done = PyObject_CallFunction(run_preloaded, NULL);
	else
		done = PyRun_FileExFlags(main_file, main_path, PY_FILE_INPUT, main_dict, main_dict, 1, NULL);
	flush_quietly();
	bool interrupted = !done && PyErr_ExceptionMatches(PyExc_KeyboardInterrupt);
	bool exited = !done && PyErr_ExceptionMatches(PyExc_SystemExit);
	int code = done ? 0 : end_code();
	if (!exited && (PyDict_DelItemString(main_dict, "__file__") < 0 || PyDict_DelItemString(main_dict, "__cached__") < 0))
		PyErr_Clear();
	end(code, interrupted);
}
