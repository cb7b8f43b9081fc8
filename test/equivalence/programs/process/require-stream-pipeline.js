require('stream').pipeline(require('stream').Readable.from(['a']), process.stdout, (e) => console.log('done', e));
