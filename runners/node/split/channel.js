// Frames over the process's own standard streams, one after the other and each waited for: four bytes of length, then the
// body. What a program prints goes elsewhere (`takeStreams`), so that nothing printed is taken for a frame.
'use strict';

const fs = require('node:fs');
const { Readable, Writable } = require('node:stream');

const { readSync, writeSync } = fs;
const FRAME_MAX = 64 << 20;
const READ_BYTES = 1 << 16;
const RETRY_MS = 1;
const cell = new Int32Array(new SharedArrayBuffer(4));

/** The other side has gone, or sent more than a frame may be. */
class Closed extends Error {}

function transfer(work) {
  for (;;) {
    try {
      return work();
    } catch (error) {
      // A stream that somebody has made a non-blocking one.
      if (error.code !== 'EAGAIN') throw new Closed(error.message);
      Atomics.wait(cell, 0, 0, RETRY_MS);
    }
  }
}

function writeAll(bytes) {
  for (let at = 0; at < bytes.length;) at += transfer(() => writeSync(1, bytes, at));
}

/** Bytes of a stream of pieces, taken as many at a time as are asked for. */
class Bytes {
  constructor(more) {
    this.more = more;
    this.held = Buffer.alloc(0);
  }

  take(size) {
    if (this.held.length < size) {
      const pieces = [this.held];
      let length = this.held.length;
      while (length < size) {
        const piece = this.more();
        pieces.push(piece);
        length += piece.length;
      }
      this.held = Buffer.concat(pieces, length);
    }
    const taken = this.held.subarray(0, size);
    this.held = this.held.subarray(size);
    return taken;
  }

  frame() {
    const size = this.take(4).readUInt32BE(0);
    if (size > FRAME_MAX) throw new Closed(`a frame of ${size} bytes`);
    return this.take(size);
  }

  clear() {
    this.held = Buffer.alloc(0);
  }
}

function readInput() {
  const buffer = Buffer.allocUnsafe(READ_BYTES);
  const count = transfer(() => readSync(0, buffer, 0, READ_BYTES));
  if (count === 0) throw new Closed('end of file');
  return buffer.subarray(0, count);
}

function framed(...parts) {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const head = Buffer.allocUnsafe(4);
  head.writeUInt32BE(length, 0);
  return Buffer.concat([head, ...parts]);
}

/** Frames in and out. */
class Channel {
  constructor() {
    this.bytes = new Bytes(readInput);
  }

  send(...parts) {
    writeAll(framed(...parts));
  }

  receive() {
    return this.bytes.frame();
  }
}

/** `process.stdout` becomes a stream of `write`'s, `process.stdin` an empty one; `console` is left to the caller. */
function takeStreams(write) {
  const stdout = new Writable({
    decodeStrings: false,
    write(chunk, encoding, done) {
      write(typeof chunk === 'string' ? chunk : chunk.toString());
      done();
    },
  });
  const stdin = Readable.from([]);
  Object.defineProperty(process, 'stdout', { get: () => stdout, configurable: true });
  Object.defineProperty(process, 'stdin', { get: () => stdin, configurable: true });
  return stdout;
}

module.exports = { Bytes, Channel, Closed, framed, takeStreams };
