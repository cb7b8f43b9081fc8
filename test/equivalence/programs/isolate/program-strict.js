'use strict'; console.log((function () { return this; })()); try { Object.freeze([1]).push(2); } catch (e) { console.log(e.message); }
