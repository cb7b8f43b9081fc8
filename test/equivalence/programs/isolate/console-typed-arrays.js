console.log(new Uint8Array([1, 2, 3]), new Float64Array(2), new BigInt64Array([1n]), new Int16Array(200), Buffer.from('hi'), new ArrayBuffer(4), new DataView(new ArrayBuffer(2)));
