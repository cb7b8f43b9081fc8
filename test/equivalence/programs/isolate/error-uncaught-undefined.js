console.log(1); throw undefined;
