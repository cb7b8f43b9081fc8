// The natives behind Buffer: encodings, comparison, search. Written for exactness first; inputs of tests are small.
'use strict';

const {
  ArrayBuffer,
  ArrayPrototypePush,
  FunctionPrototypeApply,
  MathMin,
  StringFromCharCode,
  StringPrototypeCharCodeAt,
  TypedArrayPrototypeFill,
  TypedArrayPrototypeSet,
  TypedArrayPrototypeSubarray,
  Uint8Array,
} = primordials;

const { unsupported } = host;
const CHUNK = 4096;
const K_MAX_LENGTH = 2 ** 53 - 1;
const K_STRING_MAX_LENGTH = 536870888;

const toBytes = (view) =>
  view instanceof Uint8Array && view.constructor === Uint8Array
    ? view
    : new Uint8Array(view.buffer, view.byteOffset, view.byteLength);

function range(buffer, start = 0, end = buffer.length) {
  const to = MathMin(end, buffer.length);
  const from = MathMin(start, to);
  return { from, to };
}

function fromCodes(codes) {
  return FunctionPrototypeApply(StringFromCharCode, null, codes);
}

/** Text of bytes that stand for their own code units. */
function unitsToText(buffer, { from, to }, mask) {
  let text = '';
  for (let at = from; at < to; at += CHUNK) {
    const codes = [];
    const end = MathMin(at + CHUNK, to);
    for (let i = at; i < end; i++) ArrayPrototypePush(codes, buffer[i] & mask);
    text += fromCodes(codes);
  }
  return text;
}

/** How many continuation bytes a lead byte asks for, and the range of the first one (Unicode, table 3-7). */
function leadOf(byte) {
  if (byte >= 0xc2 && byte <= 0xdf) return { more: 1, low: 0x80, high: 0xbf };
  if (byte === 0xe0) return { more: 2, low: 0xa0, high: 0xbf };
  if (byte === 0xed) return { more: 2, low: 0x80, high: 0x9f };
  if (byte >= 0xe1 && byte <= 0xef) return { more: 2, low: 0x80, high: 0xbf };
  if (byte === 0xf0) return { more: 3, low: 0x90, high: 0xbf };
  if (byte === 0xf4) return { more: 3, low: 0x80, high: 0x8f };
  if (byte >= 0xf1 && byte <= 0xf3) return { more: 3, low: 0x80, high: 0xbf };
  return null;
}

/** One code point at `at`, or U+FFFD for the longest part of one that is there. */
function decodeOne(buffer, at, to) {
  const byte = buffer[at];
  const lead = leadOf(byte);
  if (lead === null) return { code: 0xfffd, length: 1, valid: false };
  let code = byte & (0x3f >> lead.more);
  for (let i = 1; i <= lead.more; i++) {
    const next = at + i < to ? buffer[at + i] : -1;
    const low = i === 1 ? lead.low : 0x80;
    const high = i === 1 ? lead.high : 0xbf;
    if (next < low || next > high) {
      return {
        code: 0xfffd,
        length: i,
        valid: false,
        cut: at + i >= to,
        missing: lead.more + 1 - i,
      };
    }
    code = (code << 6) | (next & 0x3f);
  }
  return { code, length: lead.more + 1, valid: true };
}

function utf8ToText(buffer, { from, to }) {
  let text = '';
  let codes = [];
  for (let at = from; at < to;) {
    const byte = buffer[at];
    if (byte < 0x80) {
      ArrayPrototypePush(codes, byte);
      at += 1;
    } else {
      const { code, length } = decodeOne(buffer, at, to);
      if (code > 0xffff) {
        ArrayPrototypePush(codes, 0xd7c0 + (code >> 10), 0xdc00 | (code & 0x3ff));
      } else ArrayPrototypePush(codes, code);
      at += length;
    }
    if (codes.length >= CHUNK) {
      text += fromCodes(codes);
      codes = [];
    }
  }
  return text + fromCodes(codes);
}

/** Code point at `i`; a lone surrogate is U+FFFD, as in every UTF-8 encoder. */
function codePointAt(text, i) {
  const unit = StringPrototypeCharCodeAt(text, i);
  if (unit < 0xd800 || unit > 0xdfff) return unit;
  if (unit <= 0xdbff && i + 1 < text.length) {
    const next = StringPrototypeCharCodeAt(text, i + 1);
    if (next >= 0xdc00 && next <= 0xdfff) return ((unit - 0xd7c0) << 10) | (next & 0x3ff);
  }
  return 0xfffd;
}

const sizeOf = (code) => (code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4);

function byteLengthUtf8(text) {
  let length = 0;
  for (let i = 0; i < text.length; i++) {
    const code = codePointAt(text, i);
    length += sizeOf(code);
    if (code > 0xffff) i += 1;
  }
  return length;
}

/** Writes whole characters only, as Node does; returns the number of bytes. */
function writeUtf8(buffer, text, offset = 0, length = buffer.length - offset) {
  const end = MathMin(offset + length, buffer.length);
  let at = offset;
  for (let i = 0; i < text.length; i++) {
    const code = codePointAt(text, i);
    const size = sizeOf(code);
    if (at + size > end) break;
    if (size === 1) buffer[at] = code;
    else {
      for (let k = size - 1; k > 0; k--)
        buffer[at + k] = 0x80 | ((code >> (6 * (size - 1 - k))) & 0x3f);
      buffer[at] = ((0xf00 >> size) & 0xff) | (code >> (6 * (size - 1)));
    }
    at += size;
    if (code > 0xffff) i += 1;
  }
  return at - offset;
}

function writeUnits(buffer, text, offset = 0, length = buffer.length - offset) {
  const count = MathMin(text.length, length, buffer.length - offset);
  for (let i = 0; i < count; i++) buffer[offset + i] = StringPrototypeCharCodeAt(text, i);
  return count;
}

const HEX = '0123456789abcdef';

function hexToText(buffer, { from, to }) {
  let text = '';
  for (let i = from; i < to; i++) text += HEX[buffer[i] >> 4] + HEX[buffer[i] & 15];
  return text;
}

function hexDigit(code) {
  if (code >= 48 && code <= 57) return code - 48;
  const lower = code | 32;
  return lower >= 97 && lower <= 102 ? lower - 87 : -1;
}

function writeHex(buffer, text, offset = 0, length = buffer.length - offset) {
  const count = MathMin(text.length >> 1, length, buffer.length - offset);
  for (let i = 0; i < count; i++) {
    const high = hexDigit(StringPrototypeCharCodeAt(text, 2 * i));
    const low = hexDigit(StringPrototypeCharCodeAt(text, 2 * i + 1));
    if (high < 0 || low < 0) return i;
    buffer[offset + i] = (high << 4) | low;
  }
  return count;
}

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

function base64ToText(buffer, { from, to }, { digits, isPadded }) {
  let text = '';
  for (let i = from; i < to; i += 3) {
    const left = to - i;
    const bits =
      (buffer[i] << 16) | ((left > 1 ? buffer[i + 1] : 0) << 8) | (left > 2 ? buffer[i + 2] : 0);
    text += digits[bits >> 18] + digits[(bits >> 12) & 63];
    if (left > 1) text += digits[(bits >> 6) & 63];
    else if (isPadded) text += '=';
    if (left > 2) text += digits[bits & 63];
    else if (isPadded) text += '=';
  }
  return text;
}

function base64Digit(code) {
  if (code >= 65 && code <= 90) return code - 65;
  if (code >= 97 && code <= 122) return code - 71;
  if (code >= 48 && code <= 57) return code + 4;
  if (code === 43 || code === 45) return 62;
  return code === 47 || code === 95 ? 63 : -1;
}

function writeBase64(buffer, text, offset = 0, length = buffer.length - offset) {
  const end = MathMin(offset + length, buffer.length);
  let at = offset;
  let bits = 0;
  let count = 0;
  for (let i = 0; i < text.length && at < end; i++) {
    const code = StringPrototypeCharCodeAt(text, i);
    if (code === 61) break;
    const digit = base64Digit(code);
    if (digit < 0) continue;
    bits = ((bits << 6) | digit) & 0xffffff;
    count += 6;
    if (count >= 8) {
      count -= 8;
      buffer[at++] = (bits >> count) & 255;
    }
  }
  return at - offset;
}

function writeUcs2(buffer, text, offset = 0, length = buffer.length - offset) {
  const count = MathMin(text.length, MathMin(length, buffer.length - offset) >> 1);
  for (let i = 0; i < count; i++) {
    const unit = StringPrototypeCharCodeAt(text, i);
    buffer[offset + 2 * i] = unit & 255;
    buffer[offset + 2 * i + 1] = unit >> 8;
  }
  return 2 * count;
}

function ucs2ToText(buffer, { from, to }) {
  let text = '';
  for (let i = from; i + 1 < to; i += 2)
    text += StringFromCharCode(buffer[i] | (buffer[i + 1] << 8));
  return text;
}

function compareBytes(a, b) {
  const length = MathMin(a.length, b.length);
  for (let i = 0; i < length; i++) if (a[i] !== b[i]) return a[i] < b[i] ? -1 : 1;
  return a.length === b.length ? 0 : a.length < b.length ? -1 : 1;
}

function search(buffer, needle, offset, isForward) {
  const last = buffer.length - needle.length;
  let at = offset < 0 ? offset + buffer.length : offset;
  if (at < 0) {
    if (!isForward) return -1;
    at = 0;
  }
  if (!isForward && at > last) at = last;
  for (; at >= 0 && at <= last; at += isForward ? 1 : -1) {
    let i = 0;
    while (i < needle.length && buffer[at + i] === needle[i]) i += 1;
    if (i === needle.length) return at;
  }
  return -1;
}

function upTo(buffer, end) {
  const bytes = toBytes(buffer);
  return end === undefined || end >= bytes.length
    ? bytes
    : TypedArrayPrototypeSubarray(bytes, 0, end);
}

/** An encoding's number (internal/util, encodingsMap) and the bytes of a text in it. */
function encode(text, encoding) {
  if (encoding !== 1 && encoding !== 4 && encoding !== 0)
    return unsupported('a search in this encoding');
  const bytes = new Uint8Array(encoding === 1 ? byteLengthUtf8(text) : text.length);
  if (encoding === 1) writeUtf8(bytes, text);
  else writeUnits(bytes, text);
  return bytes;
}

function isUtf8(view) {
  const bytes = toBytes(view);
  for (let at = 0; at < bytes.length;) {
    if (bytes[at] < 0x80) at += 1;
    else {
      const { valid, length } = decodeOne(bytes, at, bytes.length);
      if (!valid) return false;
      at += length;
    }
  }
  return true;
}

/** Buffer.prototype.fill: -1 for an offset out of range, -2 for a pattern without bytes. */
function fill(buffer, value, offset, end, encoding) {
  if (offset > end || end > buffer.length || offset < 0) return -2;
  if (typeof value === 'number') {
    TypedArrayPrototypeFill(buffer, value & 255, offset, end);
    return undefined;
  }
  let pattern = value;
  if (typeof value === 'string') {
    if (encoding !== undefined && encoding !== 'utf8' && encoding !== 'utf-8') {
      return unsupported('fill in this encoding');
    }
    pattern = encode(value, 1);
  } else pattern = toBytes(value);
  if (pattern.length === 0) return -1;
  for (let i = offset; i < end; i++) buffer[i] = pattern[(i - offset) % pattern.length];
  return undefined;
}

const standard = { digits: `${BASE64}+/`, isPadded: true };
const forUrls = { digits: `${BASE64}-_`, isPadded: false };

module.exports = {
  kMaxLength: K_MAX_LENGTH,
  kStringMaxLength: K_STRING_MAX_LENGTH,
  asciiSlice: (buffer, start, end) => unitsToText(buffer, range(buffer, start, end), 127),
  latin1Slice: (buffer, start, end) => unitsToText(buffer, range(buffer, start, end), 255),
  utf8Slice: (buffer, start, end) => utf8ToText(buffer, range(buffer, start, end)),
  hexSlice: (buffer, start, end) => hexToText(buffer, range(buffer, start, end)),
  ucs2Slice: (buffer, start, end) => ucs2ToText(buffer, range(buffer, start, end)),
  base64Slice: (buffer, start, end) => base64ToText(buffer, range(buffer, start, end), standard),
  base64urlSlice: (buffer, start, end) => base64ToText(buffer, range(buffer, start, end), forUrls),
  asciiWriteStatic: writeUnits,
  latin1WriteStatic: writeUnits,
  utf8WriteStatic: writeUtf8,
  hexWrite: writeHex,
  ucs2Write: writeUcs2,
  base64Write: writeBase64,
  base64urlWrite: writeBase64,
  byteLengthUtf8,
  compare: (a, b) => compareBytes(toBytes(a), toBytes(b)),
  compareOffset(a, b, targetStart, sourceStart, targetLength, sourceLength) {
    return compareBytes(
      TypedArrayPrototypeSubarray(a, sourceStart, sourceStart + sourceLength),
      TypedArrayPrototypeSubarray(b, targetStart, targetStart + targetLength),
    );
  },
  copy(source, target, targetStart, sourceStart, length) {
    const part = TypedArrayPrototypeSubarray(toBytes(source), sourceStart, sourceStart + length);
    TypedArrayPrototypeSet(toBytes(target), part, targetStart);
    return length;
  },
  fill,
  isAscii: (view) => toBytes(view).every((byte) => byte < 128),
  isUtf8,
  indexOfBuffer: (buffer, needle, offset, encoding, isForward, end) =>
    search(upTo(buffer, end), toBytes(needle), offset, isForward),
  indexOfNumber: (buffer, byte, offset, isForward, end) =>
    search(upTo(buffer, end), [byte & 255], offset, isForward),
  indexOfString: (buffer, text, offset, encoding, isForward, end) =>
    search(upTo(buffer, end), encode(text, encoding), offset, isForward),
  swap16: () => unsupported('swap16'),
  swap32: () => unsupported('swap32'),
  swap64: () => unsupported('swap64'),
  atob: () => unsupported('atob'),
  btoa: () => unsupported('btoa'),
  createUnsafeArrayBuffer: (size) => new ArrayBuffer(size),
  setDetachKey() {},
  decodeOne,
};
