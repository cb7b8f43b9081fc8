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
import { chooseLanguage, sandboxError, toResponse, toSubmission, WIRE_NAMES } from './translate.ts';

export async function runCode(c: AppContext, deps: HTTPDeps): Promise<Response> {
  const { service, config } = deps;
  const { body, request } = await readRequest(c, deps, RunCodeRequest);
  const choice = chooseLanguage(request.language, (name) => service.language(name));
  if (choice.kind === 'unknown')
    throw new Answered(invalidBody([choice.detail], 'unknown_language'));
  if (choice.kind === 'not_served')
    throw new Answered({
      code: 'language_unavailable',
      status: 200,
      body: sandboxError(whatIsServed(service), config.podName),
    });
  const { language, name } = choice;
  const id = createId('run');
  Object.assign(c.get('logFields'), { submission_id: id, language: language.id });
  const deadlineMs = clientDeadlineMs(body, request, service.maxima);
  const built = toSubmission(request, { id, language: name, maxima: service.maxima, deadlineMs });
  if (!built.ok) throw new Answered(invalidBody(built.details));
  const { files } = built.submission.program;
  const environment = environmentFor(language, name, { code: request.code, files });
  return await answerWithin(c, deps, {
    ask: (context) => service.run({ ...built.submission, environment }, context),
    deadlineMs,
    toBody(report) {
      const response = toResponse(report, config.podName);
      Object.assign(c.get('logFields'), reportFields(report), { answered: response.status });
      return response;
    },
    givenUp: sandboxError('the run was given up', config.podName),
  });
}

export function whatIsServed(service: Service): string {
  const served = service.languages().filter(({ available }) => available);
  const names = served.map(({ id }) => WIRE_NAMES[id] ?? id).join(', ');
  return `this language is not served here; served are: ${names}`;
}
