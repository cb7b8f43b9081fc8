/** `POST /run_jupyter`: cells, one after the other in a process of their own. */
import { Rejection } from '../../../../domain/errors.ts';
import { reportFields } from '../../../../observe/submission-log.ts';
import type { AppContext, HTTPDeps } from '../../../app-env.ts';
import { createId } from '../../../middleware/request-id/request-id.ts';
import { answerWithin, Answered, readRequest } from '../answer.ts';
import { jupyterDeadlineMs } from '../deadline.ts';
import { invalidBody } from '../errors.ts';
import { environmentFor } from '../packages.ts';
import { RunJupyterRequest } from './schema.ts';
import { jupyterError, toCellsSubmission, toJupyterResponse } from './translate.ts';

export async function runJupyter(c: AppContext, deps: HTTPDeps): Promise<Response> {
  const { service, config } = deps;
  const { podName } = config;
  const { request } = await readRequest(c, deps, RunJupyterRequest);
  const language = service.language(request.kernel);
  if (language === null)
    throw new Rejection('language_unavailable', { detail: 'there is no Python here' });
  const id = createId('run');
  Object.assign(c.get('logFields'), { submission_id: id, language: language.id });
  const { maxima } = service;
  const deadlineMs = jupyterDeadlineMs(request.total_timeout, maxima);
  const built = toCellsSubmission(request, { id, maxima, deadlineMs });
  if (!built.ok) throw new Answered(invalidBody(built.details));
  const { cells, files } = built.submission;
  const environment = environmentFor(language, request.kernel, { code: cells.join('\n'), files });
  return await answerWithin(c, deps, {
    ask: (context) => service.runCells({ ...built.submission, environment }, context),
    deadlineMs,
    toBody(report) {
      const response = toJupyterResponse(report, { count: cells.length, podName });
      Object.assign(c.get('logFields'), reportFields(report.run), { answered: response.status });
      return response;
    },
    givenUp: jupyterError('the run was given up', podName),
  });
}
