/** Paths relative to a run's work folder, by the rules of runners/protocol.md. Both sides check them. */

const PATH_BYTES = 4096;
const COMPONENT_BYTES = 255;
const COMPONENTS = 32;

/**
 * The path itself when it is allowed: 1 … 4096 bytes, no NUL, no leading `/`, no empty, `.` or `..` component,
 * at most 32 components of at most 255 bytes. Throws RangeError otherwise.
 */
export function toWorkPath(path: string): string {
  const components = path.split('/');
  const isAllowed =
    path.length > 0 &&
    Buffer.byteLength(path) <= PATH_BYTES &&
    !path.includes('\0') &&
    components.length <= COMPONENTS &&
    components.every(
      (part) =>
        part !== '' && part !== '.' && part !== '..' && Buffer.byteLength(part) <= COMPONENT_BYTES,
    );
  if (!isAllowed) throw new RangeError('a path is not allowed in the work folder');
  return path;
}
