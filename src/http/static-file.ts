/** Pages of ours for browsers: files that are read when they are first asked for, with a policy that lets nothing else in. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import type { AppContext } from './app-env.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
};

/** Scripts, styles, pictures and requests of this service only; nothing inline, nobody may frame it. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** A handler that answers with the file; its extension tells the media type. */
export function staticFile(file: URL): (c: AppContext) => Promise<Response> {
  const type = TYPES[path.extname(file.pathname)] ?? 'application/octet-stream';
  let content: Promise<Uint8Array<ArrayBuffer>> | null = null;
  return async (c) => {
    content ??= readFile(file).then((bytes) => new Uint8Array(bytes));
    c.header('Content-Security-Policy', POLICY);
    c.header('Content-Type', type);
    // Looked up anew after an update, and not while a page is open.
    c.header('Cache-Control', 'private, max-age=60');
    return c.body(await content);
  };
}
