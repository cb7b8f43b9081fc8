console.log(new Float16Array([1.5, 2]), Math.f16round(1.1), typeof DisposableStack, Error.isError(new Error()), RegExp.escape('a.b'));
