const t = setTimeout(() => console.log('never'), 5); clearTimeout(+t); setTimeout(() => console.log('end'), 6);
