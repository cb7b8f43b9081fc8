// The way from the tests to the program's process and back, and to the service; and what the end of it looks like here.
'use strict';

const { Bytes, framed } = require('channel');

const CHUNK = 60_000;
const SENTENCE_MAX = 2000;

/** Something that the program did and that no error of its own stands for. */
class CandidateError extends Error {}
class CandidateDead extends CandidateError {}

/** The envelope between this process and the service: one letter, then its body. */
class Stream {
  constructor(channel) {
    this.channel = channel;
    this.generation = 0;
    this.ended = 0;
    this.bytes = new Bytes(() => this.more());
  }

  tell(letter, body = Buffer.alloc(0)) {
    this.channel.send(Buffer.from(letter), body);
  }

  /** A program that has just started. */
  renew() {
    this.generation += 1;
    this.bytes.clear();
    const number = Buffer.alloc(4);
    number.writeUInt32BE(this.generation);
    this.tell('N', number);
  }

  get isAlive() {
    return this.generation > 0 && this.ended !== this.generation;
  }

  send(body) {
    const data = framed(body);
    for (let at = 0; at < data.length; at += CHUNK) this.tell('C', data.subarray(at, at + CHUNK));
  }

  receive() {
    return this.bytes.frame();
  }

  more() {
    for (;;) {
      const frame = this.channel.receive();
      const letter = frame.toString('latin1', 0, 1);
      const generation = frame.readUInt32BE(1);
      if (generation !== this.generation) continue;
      if (letter === 'X') {
        this.ended = generation;
        throw new CandidateDead('the program ended before it answered');
      }
      return frame.subarray(5);
    }
  }
}

function sentenceOf(error) {
  if (typeof error !== 'object' || error === null)
    return `${String(error)} was thrown`.slice(0, SENTENCE_MAX);
  return `${error.name ?? 'Error'}: ${error.message ?? ''}`.slice(0, SENTENCE_MAX);
}

module.exports = { CandidateDead, CandidateError, SENTENCE_MAX, Stream, sentenceOf };
