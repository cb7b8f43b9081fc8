/** The wires of trainers and the profiles over one service with real jails; a suite each, beside this file. */
import { afterAll, beforeAll, describe } from 'vitest';

import { SURFACES } from '../../../src/domain/surfaces.ts';
import { startService, type RunningService } from '../../support/service.ts';
import { judge0Suite } from './judge0.suite.ts';
import { nemoSkillsSuite } from './nemo-skills.suite.ts';
import { openInstructSuite } from './open-instruct.suite.ts';
import { profilesSuite } from './profiles.suite.ts';
import { rewardModelSuite } from './reward-model.suite.ts';
import { surrogatesSuite } from './surrogates.suite.ts';

let running: RunningService;

beforeAll(async () => {
  running = await startService({
    languages: ['python', 'cpp', 'bash'],
    flags: { '--surfaces': SURFACES.join(',') },
  });
});
afterAll(async () => {
  await running.stop();
});

describe('profiles', () => {
  profilesSuite(() => running);
});
describe('open-instruct', () => {
  openInstructSuite(() => running);
});
describe('remote reward models', () => {
  rewardModelSuite(() => running);
});
describe('NeMo-Skills', () => {
  nemoSkillsSuite(() => running);
});
describe('Judge0', () => {
  judge0Suite(() => running);
});
describe('half a character', () => {
  surrogatesSuite(() => running);
});
