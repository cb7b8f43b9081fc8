/**
 * What holds this pod, told from inside it: gVisor by its kernel's own log and build, Kata by what its agent leaves in a
 * guest, anything else only by the operator's word. Reads what the kernel says of itself; nobody's program runs before it.
 */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';

/** `kernel` says who can make jails inside. */
export interface PodSandbox {
  /** For people and `/v1/capabilities`. */
  readonly name: string;
  readonly kernel: 'gvisor' | 'linux';
}

export type PodFound =
  | { readonly sandbox: PodSandbox; readonly problem: null }
  | { readonly sandbox: null; readonly problem: string };

export interface PodFacts {
  /** /proc/version, /proc/cmdline, /proc/self/mountinfo and /proc/cpuinfo; empty where there is no such file. */
  readonly version: string;
  readonly commandLine: string;
  readonly mountinfo: string;
  readonly cpuinfo: string;
  /** The beginning of the kernel's log; empty where it may not be read. */
  readonly kernelLog: string;
}

/** Every gVisor says that it was built then. */
export const GVISOR_BUILD = '#1 SMP Sun Jan 10 15:06:54 PST 2016';
const GVISOR_LOG = /^(?:<\d>)?\[\s*0\.0+\] Starting gVisor/;
/** Kata's unit, and what its agent is told by the kernel's command line. */
const KATA_COMMAND_LINE =
  /(?:^|\s)(?:systemd\.unit=kata-containers\.target|agent\.[a-z_]+(?:=|\s|$))/;
/** How Kata names what it shares with a guest (mountinfo: `- TYPE SOURCE OPTIONS`). */
const KATA_SHARE = / - (?:virtiofs|9p) kataShared /m;
/** Of a guest of x86; others have no flags of that name. */
const HYPERVISOR_FLAG = /^flags\s*:.*\bhypervisor\b/m;
const X86_FLAGS = /^flags\s*:/m;

/** `declared` is what the operator says that the pod's runtime is; "" for nothing. Pure. */
export function sandboxOf(facts: PodFacts, declared: string): PodFound {
  const told = toldBy(facts);
  if (told !== null) return { sandbox: told, problem: null };
  if (/^(?:gvisor|kata)/i.test(declared))
    return {
      sandbox: null,
      problem: `ASSAY_POD_SANDBOX says ${declared}, which shows itself from inside, and this kernel is none (${kernelOf(facts)}); set the pod's runtimeClassName`,
    };
  if (declared !== '')
    return { sandbox: { name: `${declared} (declared)`, kernel: 'linux' }, problem: null };
  return {
    sandbox: null,
    problem: `this pod's kernel shows neither gVisor nor Kata (${kernelOf(facts)}): set the pod's runtimeClassName to such a runtime; for another one that gives each pod a kernel of its own, name it by ASSAY_POD_SANDBOX; else take the wall nsjail or gvisor`,
  };
}

function toldBy(facts: PodFacts): PodSandbox | null {
  if (GVISOR_LOG.test(facts.kernelLog) && facts.version.includes(GVISOR_BUILD))
    return { name: 'gVisor', kernel: 'gvisor' };
  const isGuest = HYPERVISOR_FLAG.test(facts.cpuinfo) || !X86_FLAGS.test(facts.cpuinfo);
  const isKata = KATA_SHARE.test(facts.mountinfo) || KATA_COMMAND_LINE.test(facts.commandLine);
  return isGuest && isKata ? { name: 'Kata Containers', kernel: 'linux' } : null;
}

function kernelOf({ version }: PodFacts): string {
  return /^Linux version \S+/.exec(version)?.[0] ?? 'unknown';
}

const LOG_TIMEOUT_MS = 5000;

/** `enclose` is the path of the program that asks the kernel for its log. */
export async function readPodFacts(enclose: string): Promise<PodFacts> {
  const [version, commandLine, mountinfo, cpuinfo, kernelLog] = await Promise.all([
    read('/proc/version'),
    read('/proc/cmdline'),
    read('/proc/self/mountinfo'),
    read('/proc/cpuinfo'),
    readKernelLog(enclose),
  ]);
  return { version, commandLine, mountinfo, cpuinfo, kernelLog };
}

function readKernelLog(enclose: string): Promise<string> {
  return new Promise((resolve) => {
    // Forbidden on many hosts: then it is empty, which is no sign of anything.
    const options = { env: {}, timeout: LOG_TIMEOUT_MS, encoding: 'latin1' as const };
    execFile(enclose, ['--kernel-log'], options, (_, stdout) => resolve(stdout));
  });
}

async function read(file: string): Promise<string> {
  // What is not there is no sign either.
  return await readFile(file, 'latin1').catch(() => '');
}
