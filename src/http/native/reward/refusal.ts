/** Why a completion got no reward although the model is not to blame, as an exception and as the wire shows it. */
import { FAULTS, REJECTIONS, Rejection, toFault } from '../../../domain/errors.ts';
import type { RewardError } from '../schema/reward.ts';

/** A row that is no problem to judge. */
export class RowRefusal extends Error {
  readonly error: RewardError;
  constructor(error: RewardError) {
    super(error.reason);
    this.name = 'RowRefusal';
    this.error = error;
  }
}

/** Pure: any thrown value as the reason of a null. */
export function toRewardError(thrown: unknown): RewardError {
  if (thrown instanceof RowRefusal) return thrown.error;
  if (thrown instanceof Rejection) {
    const { code, context } = thrown;
    const path = context.errors?.[0]?.path ?? '';
    return { code, path, reason: context.detail, retryable: REJECTIONS[code].retryable };
  }
  const { message, retryable } = FAULTS[toFault(thrown).code];
  return { code: 'fault', path: '', reason: message, retryable };
}
