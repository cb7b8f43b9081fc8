/** The test data of a package: cases of `data/sample` and `data/secret`, in groups that are folders. */
import { type Entry, type PackageFolder } from './folder.ts';
import { GroupYaml } from './package-files.ts';
import { readYaml } from './yaml-file.ts';
import type { WireFile } from '../tests-file.ts';

export interface TestCase {
  readonly id: string;
  readonly stdin: WireFile;
  readonly expected_stdout: WireFile;
  readonly args?: readonly string[];
  readonly group?: string;
}

interface CaseGroup {
  /** `secret/group1`; of cases that lie in no group, `secret`. */
  readonly name: string;
  readonly yaml: GroupYaml;
  readonly cases: readonly TestCase[];
}

export interface TestData {
  readonly sample: readonly TestCase[];
  /** In the order of their names; none is empty. */
  readonly secret: readonly CaseGroup[];
  /** Flags of the validator, if the data say any; the same for all cases. */
  readonly flags: readonly string[] | null;
}

/** What a group has of the one above. */
interface Inherited {
  readonly flags: readonly string[] | null;
  readonly args: readonly string[];
}

const INPUT = '.in';
const ANSWER = '.ans';
const GROUP_FILES = ['test_group.yaml', 'testdata.yaml'];

/** Throws UsageError for what is not there, and for what cannot be asked of the service. */
export async function readTestData(
  folder: PackageFolder,
  { needsAnswers }: { readonly needsAnswers: boolean },
): Promise<TestData> {
  const reader = new Reader(folder, needsAnswers);
  const top = await reader.enter('data', { flags: null, args: [] });
  const sample = await reader.cases('data/sample', top.inherited);
  const secret = await reader.secret(top.inherited);
  if (secret.length === 0) throw folder.error('data/secret', `holds no *${INPUT} files`);
  return { sample, secret, flags: reader.flags() };
}

class Reader {
  readonly #folder: PackageFolder;
  readonly #needsAnswers: boolean;
  /** Flags of all cases, as JSON. */
  readonly #flags = new Map<string, readonly string[] | null>();

  constructor(folder: PackageFolder, needsAnswers: boolean) {
    this.#folder = folder;
    this.#needsAnswers = needsAnswers;
  }

  /** The description of a group, and what the groups in it have of it. */
  async enter(
    at: string,
    above: Inherited,
  ): Promise<{ readonly yaml: GroupYaml; readonly inherited: Inherited }> {
    const names = new Set((await this.#folder.list(at)).map(({ name }) => name));
    const file = GROUP_FILES.find((name) => names.has(name));
    const yaml =
      file === undefined
        ? GroupYaml.parse({})
        : await readYaml(this.#folder, `${at}/${file}`, GroupYaml);
    const flags = yaml.output_validator_args ?? yaml.output_validator_flags ?? above.flags;
    return { yaml, inherited: { flags, args: yaml.args ?? above.args } };
  }

  /** Cases that lie in no group come first, as a group of their own. */
  async secret(above: Inherited): Promise<CaseGroup[]> {
    const at = 'data/secret';
    const { yaml, inherited } = await this.enter(at, above);
    const entries = await this.#folder.list(at);
    const own = await this.#casesOf(entries, inherited);
    const groups: CaseGroup[] = own.length === 0 ? [] : [{ name: 'secret', yaml, cases: own }];
    for (const each of entries.filter(({ isFolder }) => isFolder)) {
      const inner = await this.enter(each.path, inherited);
      const cases = await this.cases(each.path, inherited, inner.yaml);
      if (cases.length > 0) groups.push({ name: `secret/${each.name}`, yaml: inner.yaml, cases });
    }
    return groups;
  }

  /** All cases below a group. */
  async cases(at: string, above: Inherited, outer: GroupYaml | null = null): Promise<TestCase[]> {
    const { yaml, inherited } = await this.enter(at, above);
    const isOther =
      outer !== null &&
      yaml.scoring !== undefined &&
      JSON.stringify(yaml) !== JSON.stringify(outer);
    if (isOther) throw this.#folder.error(at, 'groups in groups with scores are not supported');
    const entries = await this.#folder.list(at);
    const found = await this.#casesOf(entries, inherited);
    for (const each of entries.filter(({ isFolder }) => isFolder))
      found.push(...(await this.cases(each.path, inherited, outer)));
    return found;
  }

  /** The flags that hold for all cases. */
  flags(): readonly string[] | null {
    const [flags = null, other] = [...this.#flags.values()];
    if (other === undefined) return flags;
    const shown = [...this.#flags.keys()].join(' and ');
    throw this.#folder.error('data', `cases differ in the flags of their validator: ${shown}`);
  }

  async #casesOf(entries: readonly Entry[], { flags, args }: Inherited): Promise<TestCase[]> {
    const names = new Set(entries.map(({ name }) => name));
    const cases: TestCase[] = [];
    for (const { name, path, isFolder } of entries) {
      if (isFolder || !name.endsWith(INPUT)) continue;
      const base = name.slice(0, -INPUT.length);
      const at = path.slice(0, -INPUT.length);
      const hasAnswer = names.has(base + ANSWER);
      if (this.#needsAnswers && !hasAnswer)
        throw this.#folder.error(path, `has no ${base}${ANSWER}`);
      for (const other of [`${base}.files`, `${base}.yaml`, `${base}.args`])
        if (names.has(other))
          throw this.#folder.error(`${at}${other.slice(base.length)}`, 'is not supported');
      this.#flags.set(JSON.stringify(flags), flags);
      cases.push({
        id: at.replace(/^data\//, ''),
        stdin: await this.#folder.wireFile(path),
        expected_stdout: hasAnswer ? await this.#folder.wireFile(`${at}${ANSWER}`) : '',
        ...(args.length === 0 ? {} : { args }),
      });
    }
    return cases;
  }
}
