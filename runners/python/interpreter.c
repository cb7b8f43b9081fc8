// The interpreter's part of the zygote: warming it up, and running a program in a forked child with nothing of ours on
// Python's stack. What CPython does around a main file is done here in the same order (Python/pythonrun.c,
// Python/pylifecycle.c). At the end Py_FinalizeEx takes the interpreter apart, which copies most pages of the heap and
// costs as much as everything before; where nobody is left who could see it, the process just ends.

#include <dirent.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "../supervisor/supervisor.h"
#include "interpreter.h"
#include "python.h"

/// The interpreter's exit code when its standard output cannot be flushed.
enum { EXIT_FLUSH = 120 };
/// A child that has grown by more ends as a fresh interpreter does: looking at all its objects would cost as much, and
/// memory that the program may not have.
enum { SCAN_MAX_KIB = 16 * 1024 };

static PyObject *own; // globals of `source`
static PyObject *refresh, *exit_code, *is_quiet, *unfreeze; // functions there
static long warm_kib; // largest resident set before the first program

// refresh: before the program. exit_code: of a SystemExit, None where the interpreter has to say more about it.
// is_quiet: whether no object that is new since the fork does anything at its end. All types with a finalizer have the
// attribute __del__, those of C too. The metaclasses of a program are kept from taking part.
static const char source[] =
	"import _weakref, gc, io, os, sys\n"
	"import _frozen_importlib_external as bootstrap\n"
	"stdout, stderr = sys.stdout, sys.stderr\n"
	"buffers = stdout.buffer, stderr.buffer\n"
	"modules, unfreeze = sys.modules, gc.unfreeze\n"
	"get_objects, get_debug, callbacks = gc.get_objects, gc.get_debug, gc.callbacks\n"
	"mro_of, dict_of = type.__dict__['__mro__'].__get__, type.__dict__['__dict__'].__get__\n"
	"harmless = {id(io.BytesIO), id(io.StringIO)}\n"
	"reference = _weakref.ReferenceType\n"
	"builtin_callback = type(len)\n"
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
	"    random = modules.get('numpy.random')\n"
	"    if random is not None:\n"
	"        random.seed()\n"
	"    main = modules['__main__']\n"
	"    main.__file__ = path\n"
	"    main.__cached__ = None\n"
	"    main.__loader__ = bootstrap.SourceFileLoader('__main__', path)\n"
	"def exit_code(error):\n"
	"    if type(error) is not SystemExit:\n"
	"        return None\n"
	"    code = error.code\n"
	"    if code is None:\n"
	"        return 0\n"
	"    return code if type(code) is int and 0 <= code < 256 else None\n"
	"def has_finalizer(kind):\n"
	"    if id(kind) in harmless:\n"
	"        return False\n"
	"    for base in mro_of(kind):\n"
	"        if '__del__' in dict_of(base):\n"
	"            return True\n"
	"    return False\n"
	"def calls_back(ref):\n"
	"    call = reference.__callback__.__get__(ref)\n"
	"    return call is not None and not (type(call) is builtin_callback and call.__name__ == '_destroy')\n"
	"def is_quiet():\n"
	"    if sys.stdout is not stdout or sys.stderr is not stderr or callbacks or get_debug() or '_ctypes' in modules:\n"
	"        return False\n"
	"    if stdout.buffer is not buffers[0] or stderr.buffer is not buffers[1]:\n"
	"        return False\n"
	"    objects = get_objects()\n"
	"    kinds = {id(kind): kind for kind in map(type, objects)}\n"
	"    for kind in kinds.values():\n"
	"        if has_finalizer(kind):\n"
	"            return False\n"
	"        bases = mro_of(kind)\n"
	"        if type in bases:\n"
	"            for each in objects:\n"
	"                if type(each) is kind and has_finalizer(each):\n"
	"                    return False\n"
	"        if reference in bases:\n"
	"            for each in objects:\n"
	"                if type(each) is kind and calls_back(each):\n"
	"                    return False\n"
	"    return True\n";

static void define_functions(void)
{
	own = PyDict_New();
	PyObject *code = Py_CompileString(source, "<zygote>", PY_FILE_INPUT);
	if (!own || !code || PyDict_SetItemString(own, "__builtins__", PyEval_GetBuiltins()) < 0 ||
	    !PyEval_EvalCode(code, own, own))
		die(ERROR_ASSERTION, "preparing the interpreter");
	Py_DecRef(code);
	refresh = PyDict_GetItemString(own, "refresh");
	exit_code = PyDict_GetItemString(own, "exit_code");
	is_quiet = PyDict_GetItemString(own, "is_quiet");
	unfreeze = PyDict_GetItemString(own, "unfreeze");
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

static long resident_kib(void)
{
	struct rusage usage;
	return getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_maxrss : LONG_MAX;
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

void interpreter_warm_up(char *imports)
{
	define_functions();
	import_all(imports);
	freeze();
	warm_kib = resident_kib();
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
			_exit(1);
		Py_DecRef(item);
	}
	return list;
}

static void prepare(const char *path, char *const *argv, char *const *env)
{
	PyObject *arguments = argv ? to_list(argv, PyUnicode_DecodeFSDefault) : PY_NONE;
	PyObject *variables = env ? to_list(env, PyBytes_FromString) : PY_NONE;
	PyObject *done = PyObject_CallFunction(refresh, "sOO", path, arguments, variables);
	if (!done) {
		PyErr_Print();
		flush_quietly();
		_exit(1);
	}
	Py_DecRef(done);
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
	if (resident_kib() - warm_kib > SCAN_MAX_KIB)
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

_Noreturn void interpreter_run(const char *main_file, char *const *argv, char *const *env)
{
	char *path = realpath(main_file, NULL);
	FILE *file = path ? fopen(path, "rb") : NULL;
	if (!file) {
		fprintf(stderr, "cannot open the main file\n");
		_exit(2);
	}
	prepare(path, argv, env);
	PyObject *main_dict = PyModule_GetDict(PyImport_AddModule("__main__"));
	PyObject *done = PyRun_FileExFlags(file, path, PY_FILE_INPUT, main_dict, main_dict, 1, NULL);
	flush_quietly();
	bool interrupted = !done && PyErr_ExceptionMatches(PyExc_KeyboardInterrupt);
	bool exited = !done && PyErr_ExceptionMatches(PyExc_SystemExit);
	int code = done ? 0 : end_code();
	if (!exited && (PyDict_DelItemString(main_dict, "__file__") < 0 || PyDict_DelItemString(main_dict, "__cached__") < 0))
		PyErr_Clear();
	end(code, interrupted);
}
