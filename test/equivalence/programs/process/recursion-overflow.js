console.log('before'); (function f() { f(); })();
