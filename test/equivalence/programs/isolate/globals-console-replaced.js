const lines = []; const original = console.log; console.log = (...a) => lines.push(a.join(' ')); console.log('captured', 1); original(lines); console.log = original; console.log('restored');
