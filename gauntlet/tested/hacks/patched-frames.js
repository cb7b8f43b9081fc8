// Hack 15, 24: answers of another length and content than the worker writes.
// Expected: no reward.
const { concat, from } = Buffer;
Buffer.from = (data, ...rest) => (typeof data === 'string' && data.startsWith('{"i"') ? from(data.replace(/"(?:ok|er)":.*/s, '"ok":3,"st":[[1,"ok",42],[2,"ok",42]],"wb":[3]}')) : from(data, ...rest));
Buffer.concat = (parts, ...rest) => concat(parts, ...rest);
const wrong = () => 0;
module.exports = { add: wrong, pair: wrong, later: wrong, total: wrong, Tally: class { note() {} all() { return wrong(); } get sum() { return wrong(); } } };
