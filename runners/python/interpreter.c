// The interpreter's part of the zygote: warming it up, and running a program in a forked child with nothing of ours on
// Python's stack. What CPython does around a main file, and what a program can see of its end, is done here in the same
// order (Python/pythonrun.c, Python/pylifecycle.c: Py_FinalizeEx); what nobody can see, taking apart all that was
// imported, is left out: it would copy most pages of the heap, twice the cost of everything else.

#include <dirent.h>
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

static PyObject *refresh, *exit_code, *finalize; // functions of `source`

// refresh: before the program. exit_code: of a SystemExit. finalize: after the program.
static const char source[] =
	"import gc, os, sys\n"
	"import _frozen_importlib_external as bootstrap\n"
	"real_getppid = os.getppid\n"
	"startup = frozenset(sys.modules)\n"
	"def getppid():\n"
	"    return real_getppid() or 1\n"
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
	"    os.getppid = getppid\n"
	"    modules = sys.modules\n"
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
	"def exit_code(code):\n"
	"    if code is None:\n"
	"        return 0\n"
	"    if isinstance(code, int):\n"
	"        return code & 255 if -2**63 <= code < 2**63 else 255\n"
	"    sys.stderr.write(str(code) + '\\n')\n"
	"    return 1\n"
	"def finalize(warm):\n"
	"    modules = sys.modules\n"
	"    for name in 'path', 'argv', 'ps1', 'ps2', 'last_type', 'last_value', 'last_traceback', 'path_hooks', \\\n"
	"            'path_importer_cache', 'meta_path':\n"
	"        sys.__dict__[name] = None\n"
	"    sys.stdin, sys.stdout, sys.stderr = sys.__stdin__, sys.__stdout__, sys.__stderr__\n"
	"    for name in [name for name in modules if name not in warm]:\n"
	"        del modules[name]\n"
	"    gc.collect()\n";

static PyObject *warm_names; // of all modules that are there before a program

static void define_functions(void)
{
	PyObject *globals = PyDict_New();
	PyObject *code = Py_CompileString(source, "<zygote>", PY_FILE_INPUT);
	if (!globals || !code || PyDict_SetItemString(globals, "__builtins__", PyEval_GetBuiltins()) < 0 ||
	    !PyEval_EvalCode(code, globals, globals))
		die(ERROR_ASSERTION, "preparing the interpreter");
	Py_DecRef(code);
	refresh = PyDict_GetItemString(globals, "refresh");
	exit_code = PyDict_GetItemString(globals, "exit_code");
	finalize = PyDict_GetItemString(globals, "finalize");
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

// Objects made so far are never looked at by the collector again, so that it does not copy their pages in a child.
static void freeze(void)
{
	PyObject *gc = PyImport_ImportModule("gc");
	if (!gc || !PyObject_CallMethod(gc, "collect", NULL) || !PyObject_CallMethod(gc, "freeze", NULL))
		die(ERROR_ASSERTION, "freezing the heap");
	Py_DecRef(gc);
}

void interpreter_warm_up(char *imports)
{
	define_functions();
	import_all(imports);
	warm_names = PyDict_Copy(PyImport_GetModuleDict());
	if (!warm_names || PyDict_DelItemString(warm_names, "__main__") < 0)
		die(ERROR_ASSERTION, "listing the modules");
	freeze();
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

// False if the program's last output could not be written.
static bool flush(const char *stream)
{
	PyObject *file = PySys_GetObject(stream);
	if (!file || file == PY_NONE)
		return true;
	PyObject *closed = PyObject_GetAttrString(file, "closed");
	bool is_closed = closed && PyObject_IsTrue(closed);
	PyErr_Clear();
	if (is_closed || PyObject_CallMethod(file, "flush", NULL))
		return true;
	if (!strcmp(stream, "stdout"))
		PyErr_WriteUnraisable(file);
	PyErr_Clear();
	return false;
}

static bool flush_both(void)
{
	bool whole = flush("stdout");
	(void)flush("stderr");
	return whole;
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
		(void)flush("stderr");
		_exit(1);
	}
	Py_DecRef(done);
}

// Of the error that is set: the exit code of a SystemExit, else 1 after its traceback.
static int end_code(void)
{
	if (!PyErr_ExceptionMatches(PyExc_SystemExit)) {
		PyErr_Print();
		return 1;
	}
	PyObject *type, *value, *traceback;
	PyErr_Fetch(&type, &value, &traceback);
	PyErr_NormalizeException(&type, &value, &traceback);
	PyObject *code = value ? PyObject_GetAttrString(value, "code") : NULL;
	PyErr_Clear();
	PyObject *number = PyObject_CallFunction(exit_code, "O", code ? code : PY_NONE);
	long result = number ? PyLong_AsLong(number) : 1;
	PyErr_Clear();
	return (int)result;
}

static void call_if_imported(const char *module, const char *function)
{
	PyObject *m = PyDict_GetItemString(PyImport_GetModuleDict(), module);
	if (m && !PyObject_CallMethod(m, function, NULL))
		PyErr_WriteUnraisable(m);
}

static int end(int code)
{
	// Also what it waits for is the program's: threads that are no daemons.
	call_if_imported("threading", "_shutdown");
	call_if_imported("atexit", "_run_exitfuncs");
	bool whole = flush_both();
	if (!PyObject_CallFunction(finalize, "O", warm_names))
		PyErr_Clear();
	whole = flush_both() && whole;
	return whole ? code : EXIT_FLUSH;
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
	bool interrupted = !done && PyErr_ExceptionMatches(PyExc_KeyboardInterrupt);
	int code = done ? 0 : end_code();
	if (PyDict_DelItemString(main_dict, "__file__") < 0 || PyDict_DelItemString(main_dict, "__cached__") < 0)
		PyErr_Clear();
	code = end(code);
	fflush(NULL);
	if (interrupted) {
		signal(SIGINT, SIG_DFL);
		kill(getpid(), SIGINT);
	}
	_exit(code);
}
