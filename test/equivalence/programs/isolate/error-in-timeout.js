setTimeout(() => { throw new Error('late'); }, 1); setTimeout(() => console.log('never'), 20); console.log('first');
