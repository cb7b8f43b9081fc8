console.group('G1'); console.log('in\ntwo'); console.group(); console.log({ a: 1, b: [1, 2] }); console.groupEnd(); console.info('back'); console.groupEnd(); console.log('out');
