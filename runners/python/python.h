// The few functions of CPython that the zygote calls, declared here because a host without the development package has
// no header for them. All are exported by every CPython since 3.7 and take no structure of a version's own.
#ifndef ASSAY_PYTHON_H
#define ASSAY_PYTHON_H

#include <stdio.h>
#include <sys/types.h>

typedef struct _object PyObject;

int PyGILState_Ensure(void);
void PyGILState_Release(int state);
void PyOS_BeforeFork(void);
void PyOS_AfterFork_Parent(void);
void PyOS_AfterFork_Child(void);

PyObject *PyImport_ImportModule(const char *name);
PyObject *PyImport_GetModuleDict(void); // borrowed
PyObject *PyObject_CallMethod(PyObject *object, const char *name, const char *format, ...);
PyObject *PyObject_CallFunction(PyObject *callable, const char *format, ...);
PyObject *PyDict_New(void);
PyObject *PyDict_GetItemString(PyObject *dict, const char *key); // borrowed
int PyDict_SetItemString(PyObject *dict, const char *key, PyObject *value);
PyObject *PyEval_GetBuiltins(void); // borrowed
PyObject *Py_CompileString(const char *text, const char *name, int start);
PyObject *PyEval_EvalCode(PyObject *code, PyObject *globals, PyObject *locals);
PyObject *PyList_New(ssize_t length);
int PyList_Append(PyObject *list, PyObject *item);
PyObject *PyUnicode_DecodeFSDefault(const char *text);
PyObject *PyBytes_FromString(const char *text);
PyObject *PyDict_Copy(PyObject *dict);
void PyDict_Clear(PyObject *dict);
int PyDict_DelItemString(PyObject *dict, const char *key);
PyObject *PyModule_GetDict(PyObject *module); // borrowed
PyObject *PyImport_AddModule(const char *name); // borrowed
PyObject *PySys_GetObject(const char *name); // borrowed
PyObject *PyObject_GetAttrString(PyObject *object, const char *name);
int PyObject_IsTrue(PyObject *object);
long PyLong_AsLong(PyObject *number);
PyObject *PyRun_FileExFlags(FILE *file, const char *name, int start, PyObject *globals, PyObject *locals, int close,
			    void *flags);

extern PyObject *PyExc_SystemExit, *PyExc_KeyboardInterrupt;
int PyErr_ExceptionMatches(PyObject *type);
void PyErr_Fetch(PyObject **type, PyObject **value, PyObject **traceback);
void PyErr_Restore(PyObject *type, PyObject *value, PyObject *traceback);
void PyErr_NormalizeException(PyObject **type, PyObject **value, PyObject **traceback);
void PyErr_WriteUnraisable(PyObject *object);
void PyErr_Clear(void);
void PyErr_Print(void);
int Py_FinalizeEx(void);
void Py_DecRef(PyObject *object);

extern char _Py_NoneStruct;
#define PY_NONE ((PyObject *)(void *)&_Py_NoneStruct)

enum { PY_FILE_INPUT = 257 };

#endif
