/** Protobuf text format, as far as nsjail's configuration needs it. Pure. */

/** Raw words (numbers, booleans, enum values) are given as numbers, booleans or `{ word }`. */
type TextValue = string | number | boolean | { readonly word: string } | TextMessage;
/** Field name → value, or a list for a repeated field. Undefined fields are left out. */
export interface TextMessage {
  readonly [field: string]: TextValue | readonly TextValue[] | undefined;
}

/** One field a line, messages on one line in braces. */
export function toTextProto(message: TextMessage): string {
  return `${toFields(message).join('\n')}\n`;
}

function toFields(message: TextMessage): string[] {
  return Object.entries(message).flatMap(([field, value]) => {
    if (value === undefined) return [];
    const values: readonly TextValue[] = isList(value) ? value : [value];
    return values.map((one) => toField(field, one));
  });
}

function toField(field: string, value: TextValue): string {
  if (typeof value === 'string') return `${field}: ${quote(value)}`;
  if (typeof value !== 'object') return `${field}: ${value}`;
  if (typeof value['word'] === 'string') return `${field}: ${value['word']}`;
  return `${field} { ${toFields(value).join(' ')} }`;
}

function isList(value: TextValue | readonly TextValue[]): value is readonly TextValue[] {
  return Array.isArray(value);
}

/** Everything but plain ASCII goes as octal bytes, so no path can end its string. */
function quote(text: string): string {
  let quoted = '';
  for (const byte of Buffer.from(text, 'utf8')) {
    const isPlain = byte >= 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x5c;
    quoted += isPlain ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, '0')}`;
  }
  return `"${quoted}"`;
}
