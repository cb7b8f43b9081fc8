exec(compile("print(__name__, __file__)\ndef f(): raise KeyError(1)\nf()", '<gen>', 'exec'))
