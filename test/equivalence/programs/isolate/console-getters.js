console.log({ get a() { return 1; }, set b(v) {}, get c() { throw new Error('never'); }, set c(v) {} });
