const memo = new Map(); const fib = (n) => n < 2n ? n : memo.get(n) ?? (memo.set(n, fib(n - 1n) + fib(n - 2n)), memo.get(n)); console.log(fib(300n), memo.size);
