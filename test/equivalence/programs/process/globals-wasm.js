console.log(typeof WebAssembly.Module);
