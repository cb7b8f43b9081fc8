/** What the flags of a package's default validator say, as a way of comparison of the wire. Pure. */

type Compare = Readonly<Record<string, unknown>> | 'exact';

/** Kattis's default validator: tokens, the case of letters aside. Null where a flag is not known, with its name. */
export function defaultCompare(
  flags: readonly string[],
): { readonly compare: Compare } | { readonly problem: string } {
  const float: { abs?: number; rel?: number } = {};
  let ignoreCase = true;
  let isExact = false;
  for (let at = 0; at < flags.length; at += 1) {
    const flag = flags[at] ?? '';
    if (flag === 'case_sensitive') ignoreCase = false;
    else if (flag === 'space_change_sensitive') isExact = true;
    else if (/^float(?:_absolute|_relative)?_tolerance$/.test(flag)) {
      const value = Number(flags[(at += 1)] ?? Number.NaN);
      if (!(value >= 0 && value < 1e9)) return { problem: `${flag} needs a number` };
      if (flag !== 'float_relative_tolerance') float.abs = value;
      if (flag !== 'float_absolute_tolerance') float.rel = value;
    } else return { problem: `the flag ${flag} is not one of the default validator's` };
  }
  const isFloat = float.abs !== undefined || float.rel !== undefined;
  const named = ignoreCase ? { ignore_case: true } : {};
  if (isExact) {
    if (isFloat) return { problem: 'space_change_sensitive with a tolerance is not supported' };
    if (ignoreCase)
      return { problem: 'space_change_sensitive without case_sensitive is not supported' };
    return { compare: 'exact' };
  }
  if (isFloat)
    return { compare: { float: { abs: float.abs ?? 0, rel: float.rel ?? 0, ...named } } };
  return { compare: { tokens: named } };
}
