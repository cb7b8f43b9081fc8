/** Whether the service's wall is one that a submission accepts. Pure. */
import { Rejection } from '../domain/errors.ts';
import type { Submission } from '../domain/submission.ts';
import type { WallProbe } from '../sandbox/port.ts';

/** Throws Rejection `wall_unavailable`. gVisor is the stronger wall, so it also serves whoever asks for nsjail. */
export function checkWall(wanted: Submission['wall'], wall: WallProbe['wall']): void {
  if (wanted === null || wanted === wall || wall === 'gvisor') return;
  const message = `this service runs jails in ${wall}`;
  throw new Rejection('wall_unavailable', {
    detail: message,
    errors: [{ path: 'wall', message }],
  });
}
