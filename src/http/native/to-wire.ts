/** From reports to the native wire, exactly as its schema says. Pure. */
import { REPORT_BOUNDS, type Limits } from '../../domain/limits.ts';
import type { Outcome } from '../../domain/outcome.ts';
import type {
  Attempt,
  CompileReport,
  GroupReport,
  JudgeReport,
  Phases,
  RunReport,
} from '../../domain/report.ts';
import type { Detail } from '../../domain/submission.ts';
import type { CaseReport } from '../../domain/verdict.ts';
import { cutBytes } from '../../lib/cut-bytes.ts';
import { thousandths } from '../../lib/round.ts';
import { cutForAnswer, growsWhenEscaped, toText } from '../text.ts';
import type {
  CaseWire,
  CompileWire,
  JudgeResponse,
  LimitField,
  LimitsInForce,
  OutcomeWire,
  RunResponse,
} from './schema/report.ts';

const MIB = 1024 * 1024;
const EXCERPT_BYTES = REPORT_BOUNDS.excerptBytes;

const WIRE_NAMES = {
  cpuMs: 'cpu_ms',
  wallMs: 'wall_ms',
  memoryBytes: 'memory_mb',
  outputBytes: 'output_kb',
  processes: 'processes',
  diskBytes: 'disk_mb',
  openFiles: 'files',
  compileCpuMs: 'compile_cpu_ms',
  compileWallMs: 'compile_wall_ms',
} as const satisfies Record<keyof Limits, LimitField>;

/** The answer of `/v1/run`. */
export function runToWire(report: RunReport): RunResponse {
  const collected = report.outcome?.collected ?? [];
  const { verifyMs: _, ...phases } = report.phases;
  return {
    id: report.id,
    outcome: report.outcome === null ? null : outcomeToWire(report.outcome),
    compile: compileToWire(report.compile, null),
    files: Object.fromEntries(
      collected
        .filter((file) => file.status === 'ok')
        .map((file) => [file.path, contentToWire(file.content)]),
    ),
    uncollected: Object.fromEntries(
      collected.flatMap((file) => (file.status === 'ok' ? [] : [[file.path, file.status]])),
    ),
    fault: report.fault,
    attempts: report.attempts.length,
    ...commonToWire(report),
    phases: phasesToWire(phases),
  };
}

/** The answer of `/v1/judge`. `detail` decides which cases and outputs are shown. */
export function judgeToWire(report: JudgeReport, detail: Detail): JudgeResponse {
  return {
    id: report.id,
    verdict: report.verdict,
    reward: report.reward,
    passed: report.passed,
    total: report.total,
    fraction: report.fraction,
    compile: compileToWire(report.compile, detail === 'full' ? null : EXCERPT_BYTES),
    cases: detail === 'summary' ? [] : report.cases.map((each) => caseToWire(each, detail)),
    groups: report.groups?.map(groupToWire) ?? null,
    fault: report.fault,
    attempts:
      report.attempts.length > 1 || report.attempts.some((attempt) => attempt.fault !== null)
        ? report.attempts.map(attemptToWire)
        : [],
    mode: report.mode,
    canaries: report.canaries,
    profile: report.profile.name,
    can_be_gamed: report.profile.canBeGamed,
    cases_not_counted: report.profile.leftOut,
    message: report.message,
    ...commonToWire(report),
    phases: { ...phasesToWire(report.phases), verify_ms: thousandths(report.phases.verifyMs) },
  };
}

function groupToWire({ name, points, pointsMax, passed, total }: GroupReport) {
  return { name, points, points_max: pointsMax, passed, total };
}

/** Limits in the wire's units. */
export function limitsToWire(limits: Limits): LimitsInForce {
  return {
    cpu_ms: limits.cpuMs,
    wall_ms: limits.wallMs,
    memory_mb: limits.memoryBytes / MIB,
    output_kb: limits.outputBytes / 1024,
    processes: limits.processes,
    disk_mb: limits.diskBytes / MIB,
    files: limits.openFiles,
    compile_cpu_ms: limits.compileCpuMs,
    compile_wall_ms: limits.compileWallMs,
  };
}

function commonToWire(report: RunReport | JudgeReport) {
  return {
    language: report.language,
    environment: { id: report.environment.id, fingerprint: report.environment.fingerprint },
    wall: report.wall,
    limits: limitsToWire(report.limits),
    clamped: report.clamped.map((name) => WIRE_NAMES[name]),
    provenance: { ...report.provenance },
    labels: { ...report.labels },
  };
}

function phasesToWire(phases: Omit<Phases, 'verifyMs'>) {
  return {
    queue_ms: thousandths(phases.queueMs),
    acquire_ms: thousandths(phases.acquireMs),
    acquire: phases.acquire,
    compile_ms: thousandths(phases.compileMs),
    run_ms: thousandths(phases.runMs),
  };
}

function attemptToWire(attempt: Attempt): JudgeResponse['attempts'][number] {
  const { jail, runtime, fault, wallMs } = attempt;
  return { jail, runtime, fault, wall_ms: thousandths(wallMs) };
}

function outcomeToWire(outcome: Outcome): OutcomeWire {
  return {
    kind: outcome.kind,
    exit_code: outcome.exitCode,
    signal: outcome.signal,
    limit: outcome.limit,
    cpu_ms: thousandths(outcome.cpuMs),
    wall_ms: thousandths(outcome.wallMs),
    memory_bytes: outcome.memoryBytes,
    ...outputToWire(outcome, null),
  };
}

function compileToWire(compile: CompileReport | null, maxBytes: number | null): CompileWire | null {
  if (compile === null) return null;
  const { ok, cached, warm, outcome } = compile;
  return {
    ok,
    cached,
    warm,
    exit_code: outcome.exitCode,
    limit: outcome.limit,
    cpu_ms: thousandths(outcome.cpuMs),
    wall_ms: thousandths(outcome.wallMs),
    ...outputToWire(outcome, maxBytes),
  };
}

function caseToWire(each: CaseReport, detail: Exclude<Detail, 'summary'>): CaseWire {
  const { outcome } = each;
  const isShown = outcome !== null && (detail === 'full' || each.verdict !== 'accepted');
  return {
    id: each.id,
    verdict: each.verdict,
    weight: each.weight,
    group: each.group,
    score: each.score,
    exit_code: outcome?.exitCode ?? null,
    signal: outcome?.signal ?? null,
    limit: each.limit,
    cpu_ms: outcome === null ? null : thousandths(outcome.cpuMs),
    wall_ms: outcome === null ? null : thousandths(outcome.wallMs),
    memory_bytes: outcome?.memoryBytes ?? null,
    message: each.message,
    ...(isShown
      ? outputToWire(outcome, detail === 'full' ? null : EXCERPT_BYTES)
      : hiddenOutput(outcome)),
  };
}

function hiddenOutput(outcome: Outcome | null) {
  return {
    stdout: null,
    stderr: null,
    stdout_bytes: outcome?.stdoutBytes ?? 0,
    stderr_bytes: outcome?.stderrBytes ?? 0,
    stdout_truncated: outcome?.stdoutTruncated ?? false,
    stderr_truncated: outcome?.stderrTruncated ?? false,
  };
}

function outputToWire(outcome: Outcome, maxBytes: number | null) {
  const stdout = excerpt(outcome.stdout, maxBytes);
  const stderr = excerpt(outcome.stderr, maxBytes);
  return {
    stdout: stdout.text,
    stderr: stderr.text,
    stdout_bytes: outcome.stdoutBytes,
    stderr_bytes: outcome.stderrBytes,
    stdout_truncated: outcome.stdoutTruncated || stdout.byteLength < outcome.stdoutBytes,
    stderr_truncated: outcome.stderrTruncated || stderr.byteLength < outcome.stderrBytes,
    ...(stdout.base64 === null ? {} : { stdout_base64: stdout.base64 }),
    ...(stderr.base64 === null ? {} : { stderr_base64: stderr.base64 }),
  };
}

function excerpt(bytes: Uint8Array, maxBytes: number | null) {
  const shown = maxBytes === null ? cutForAnswer(bytes) : cutBytes(bytes, maxBytes);
  return { ...toText(shown), byteLength: shown.byteLength };
}

/** Text as text; as base64 where that alone says it exactly, or says it much shorter. */
function contentToWire(content: Uint8Array): string | { base64: string } {
  if (growsWhenEscaped(content)) return { base64: Buffer.from(content).toString('base64') };
  const { text, base64 } = toText(content);
  return base64 === null ? text : { base64 };
}
