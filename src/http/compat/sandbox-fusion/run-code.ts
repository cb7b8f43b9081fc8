/** `POST /run_code`: one program, run once. */
import type { Service } from '../../../judge/door.ts';
import { reportFields } from '../../../observe/submission-log.ts';
import type { AppContext, HTTPDeps } from '../../app-env.ts';
import { createId } from '../../middleware/request-id/request-id.ts';
import { answerWithin, Answered, readRequest } from './answer.ts';
import { clientDeadlineMs } from './deadline.ts';
import { invalidBody } from './errors.ts';
import { environmentFor } from './packages.ts';
import { RunCodeRequest } from './schema.ts';
import { asOneCommand, TEST_LANGUAGES } from './test-languages.ts';
import { chooseLanguage, sandboxError, toResponse, toSubmission, WIRE_NAMES } from './translate.ts';

export async function runCode(c: AppContext, deps: HTTPDeps): Promise<Response> {
  const { service, config } = deps;
  const { body, request } = await readRequest(c, deps, RunCodeRequest);
  const tests = Object.hasOwn(TEST_LANGUAGES, request.language)
    ? TEST_LANGUAGES[request.language]
    : undefined;
  const wanted = tests?.language ?? request.language;
  const choice = chooseLanguage(wanted, (name) => service.language(name));
  if (choice.kind === 'unknown')
    throw new Answered(invalidBody([choice.detail], 'unknown_language'));
  if (choice.kind === 'not_served') throw notServed(whatIsServed(service), deps);
  const { language, name } = choice;
  const made = tests?.toProgram(request, language) ?? { code: request.code, files: [] };
  if (typeof made === 'string') throw notServed(made, deps);
  const id = createId('run');
  Object.assign(c.get('logFields'), { submission_id: id, language: language.id });
  const deadlineMs = clientDeadlineMs(body, request, service.maxima);
  const built = toSubmission(
    { ...request, code: made.code },
    { id, language: name, maxima: service.maxima, deadlineMs },
  );
  if (!built.ok) throw new Answered(invalidBody(built.details));
  const files = [...built.submission.program.files, ...made.files];
  const program = { kind: 'single', code: made.code, files } as const;
  const environment = environmentFor(language, name, { code: request.code, files });
  return await answerWithin(c, deps, {
    ask: (context) => service.run({ ...built.submission, program, environment }, context),
    deadlineMs,
    toBody(report) {
      const own = toResponse(report, config.podName);
      const response = tests?.isOneCommand === true ? asOneCommand(own) : own;
      Object.assign(c.get('logFields'), reportFields(report), { answered: response.status });
      return response;
    },
    givenUp: sandboxError('the run was given up', config.podName),
  });
}

function notServed(message: string, { config }: HTTPDeps): Answered {
  const body = sandboxError(message, config.podName);
  return new Answered({ code: 'language_unavailable', status: 200, body });
}

export function whatIsServed(service: Service): string {
  const served = service.languages().filter(({ available }) => available);
  const ids = served.map(({ id }) => id);
  const tests = Object.keys(TEST_LANGUAGES).filter((name) =>
    ids.includes(TEST_LANGUAGES[name]?.language ?? ''),
  );
  const names = [...ids.map((id) => WIRE_NAMES[id] ?? id), ...tests].join(', ');
  return `this language is not served here; served are: ${names}`;
}
