/** The wires of others that can be served, by name. */

export const SURFACES = [
  'sandbox_fusion',
  'piston',
  'open_r1',
  'open_instruct',
  'openrlhf',
  'slime',
  'nemo_skills',
  'judge0',
] as const;
export type Surface = (typeof SURFACES)[number];

/** All but what keeps results between two requests, which others could read: there are no keys yet. */
export const DEFAULT_SURFACES: readonly Surface[] = SURFACES.filter((name) => name !== 'judge0');
