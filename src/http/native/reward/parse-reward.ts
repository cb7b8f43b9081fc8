/** Validates a request for rewards: the envelope first, then its items a part at a time. Pure; throws Rejection. */
import type { FieldError } from '../../../domain/errors.ts';
import { REWARD_BOUNDS } from '../../../domain/limits.ts';
import { checkId, createErrors } from '../checks.ts';
import { RewardEnvelope, RewardItem } from '../schema/reward.ts';
import { invalid, parseWith } from '../validation.ts';

export interface RewardRequest {
  readonly wire: RewardEnvelope;
  readonly items: readonly RewardItem[];
}

/** Items that are validated at once: an error in one part leaves the others unread. */
const ITEMS_AT_ONCE = 100;

export function parseRewardRequest(body: unknown): RewardRequest {
  // A list is no object here, and what is none is told so by the schema.
  const { items, ...envelope } =
    typeof body === 'object' && body !== null && !Array.isArray(body) && 'items' in body
      ? body
      : { items: undefined, ...notAnObject(body) };
  const wire = parseWith(RewardEnvelope, envelope);
  if (!Array.isArray(items)) throw invalid([at('items', 'is required, a list')]);
  if (items.length > REWARD_BOUNDS.items)
    throw invalid([at('items', `at most ${REWARD_BOUNDS.items} items, got ${items.length}`)]);
  const parsed: RewardItem[] = [];
  for (let from = 0; from < items.length; from += ITEMS_AT_ONCE) {
    const part = items.slice(from, from + ITEMS_AT_ONCE);
    for (const each of parseWith(RewardItem.array(), part, { path: ['items'], from }))
      parsed.push(each);
  }
  checkItems(parsed);
  return { wire, items: parsed };
}

/** The envelope's own complaint about a body that is no object with items. */
function notAnObject(body: unknown): object {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body;
  throw invalid([at('', 'is an object with "items"')]);
}

function checkItems(items: readonly RewardItem[]): void {
  const errors = createErrors();
  items.forEach(({ id }, index) => checkId(id, ['items', index, 'id'], errors));
  const count = items.reduce((sum, { completions }) => sum + (completions?.length ?? 1), 0);
  const { completions: max } = REWARD_BOUNDS;
  if (count > max) errors.add(['items'], `at most ${max} completions in all, got ${count}`);
  if (errors.list.length > 0) throw invalid(errors.list);
}

function at(path: string, message: string): FieldError {
  return { path, message };
}
