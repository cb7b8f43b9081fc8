// string_decoder for UTF-8, by the rules of Node's: characters cut by the end of a chunk wait for the next one.
'use strict';

const { ArrayBufferIsView, TypedArrayPrototypeSlice } = primordials;

const { Buffer } = require('buffer');
const { codes } = require('internal/errors');
const { normalizeEncoding } = require('internal/util');
const { decodeOne } = require('assay/bytes');

function StringDecoder(encoding) {
  this.encoding = normalizeEncoding(encoding);
  if (this.encoding === undefined) throw new codes.ERR_UNKNOWN_ENCODING(encoding);
  if (this.encoding !== 'utf8') host.unsupported('a decoder of this encoding');
  Object.defineProperty(this, 'kept', {
    __proto__: null,
    value: Buffer.alloc(0),
    writable: true,
    enumerable: false,
  });
}

/** Index from which the bytes are an unfinished character; the length when there is none. */
function cutAt(bytes) {
  const { length } = bytes;
  for (let at = length - 1; at >= 0 && at > length - 4; at--) {
    if (bytes[at] < 0x80) return length;
    if (bytes[at] < 0xc0) continue;
    return decodeOne(bytes, at, length).cut === true ? at : length;
  }
  return length;
}

StringDecoder.prototype.write = function write(chunk) {
  if (typeof chunk === 'string') return chunk;
  if (!ArrayBufferIsView(chunk)) {
    throw new codes.ERR_INVALID_ARG_TYPE('buf', ['Buffer', 'TypedArray', 'DataView'], chunk);
  }
  const fresh = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  const bytes = this.kept.length === 0 ? fresh : Buffer.concat([this.kept, fresh]);
  const cut = cutAt(bytes);
  this.kept = Buffer.from(TypedArrayPrototypeSlice(bytes, cut));
  return bytes.utf8Slice(0, cut);
};

StringDecoder.prototype.end = function end(chunk) {
  const text = chunk === undefined ? '' : this.write(chunk);
  const { kept } = this;
  this.kept = Buffer.alloc(0);
  return text + kept.utf8Slice(0, kept.length);
};

module.exports = { StringDecoder };
