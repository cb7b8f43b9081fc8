/** Programs, one a language, that print what they see of the settings that are the same for every run: a JSON object. */

/** What each prints, where the language has it. */
interface Settings {
  /** Processors that it may use, by every way that the language has to ask. */
  readonly cpus: readonly number[];
  /** Minutes that local time is ahead of UTC. */
  readonly offset?: number;
  readonly locale?: string;
  /** What hashing makes of a fixed text. */
  readonly hash?: string;
  /** The order in which a set of texts, or a map, comes. */
  readonly order?: string;
  /** The whole environment, sorted. */
  readonly env: readonly string[];
}

/** Read from what a program printed; its environment is sorted. */
export function readSettings(stdout: string): Settings {
  const seen = JSON.parse(stdout) as Settings;
  return { ...seen, env: seen.env.toSorted() };
}

/** libuv counts processors by /proc/stat, which runs behind nsjail have not: none, where there is one. */
export function isOneProcessor({ cpus }: Settings): boolean {
  return cpus.length > 0 && cpus.every((count) => count === 0 || count === 1) && cpus.at(-1) === 1;
}

const C_CPUS = `
  cpu_set_t set;
  sched_getaffinity(0, sizeof set, &set);
  printf("{\\"cpus\\": [%ld, %d]", sysconf(_SC_NPROCESSORS_ONLN), CPU_COUNT(&set));
  time_t now = 0;
  printf(", \\"offset\\": %ld, \\"locale\\": \\"%s\\"", localtime(&now)->tm_gmtoff / 60, setlocale(LC_CTYPE, ""));
  printf(", \\"env\\": [");
  for (char **each = environ; *each; each++) printf("%s\\"%s\\"", each == environ ? "" : ", ", *each);
  printf("]}\\n");
`;

const NODE = `
const os = require('os');
const cpus = [os.cpus().length, os.availableParallelism(), navigator.hardwareConcurrency];
const { timeZone, locale } = Intl.DateTimeFormat().resolvedOptions();
const env = Object.entries(process.env).map(([name, value]) => name + '=' + value);
console.log(JSON.stringify({ cpus, offset: -new Date(0).getTimezoneOffset(), locale: timeZone + ' ' + locale, env }));
`;

export const SETTINGS_PROGRAMS: Readonly<Record<string, string>> = {
  python: `
import json, locale, os, time
cpus = [os.cpu_count(), len(os.sched_getaffinity(0)), os.sysconf('SC_NPROCESSORS_ONLN')]
env = [name + '=' + value for name, value in os.environ.items()]
print(json.dumps({'cpus': cpus, 'offset': -time.timezone // 60, 'locale': locale.getpreferredencoding(),
  'hash': str(hash('assay')), 'order': ' '.join({'one', 'two', 'three', 'four', 'five'}), 'env': env}))
`,
  javascript: NODE,
  typescript: NODE.replace("const os = require('os');", "import * as os from 'node:os';"),
  c: `#define _GNU_SOURCE\n#include <locale.h>\n#include <sched.h>\n#include <stdio.h>\n#include <time.h>\n#include <unistd.h>\nint main(void) {${C_CPUS}}\n`,
  cpp: `#include <clocale>\n#include <cstdio>\n#include <ctime>\n#include <thread>\n#include <sched.h>\n#include <unistd.h>\nint main() { if (std::thread::hardware_concurrency() != 1) puts("hardware_concurrency"); ${C_CPUS}}\n`,
  java: `
import java.util.*;
public class Main {
  public static void main(String[] a) {
    StringJoiner env = new StringJoiner("\\", \\"", "[\\"", "\\"]");
    System.getenv().forEach((name, value) -> env.add(name + "=" + value));
    System.out.println("{\\"cpus\\": [" + Runtime.getRuntime().availableProcessors() + "], \\"offset\\": "
      + TimeZone.getDefault().getRawOffset() / 60000 + ", \\"locale\\": \\"" + Locale.getDefault() + " "
      + java.nio.charset.Charset.defaultCharset() + "\\", \\"hash\\": \\"" + "assay".hashCode() + "\\", \\"order\\": \\""
      + new HashSet<>(List.of("one", "two", "three", "four", "five")) + "\\", \\"env\\": " + env + "}");
  }
}
`,
  go: `
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"time"
)

func main() {
	_, offset := time.Unix(0, 0).Zone()
	text, _ := json.Marshal(map[string]any{
		"cpus": []int{runtime.NumCPU(), runtime.GOMAXPROCS(0)}, "offset": offset / 60, "env": os.Environ()})
	fmt.Println(string(text))
}
`,
  rust: `
fn main() {
    let cpus = std::thread::available_parallelism().unwrap();
    let env: Vec<String> = std::env::vars().map(|(name, value)| format!("{:?}", name + "=" + &value)).collect();
    println!("{{\\"cpus\\": [{}], \\"env\\": [{}]}}", cpus, env.join(", "));
}
`,
  bash: `
json() { while IFS= read -r line; do printf '%s"%s"' "$comma" "$line"; comma=', '; done; }
printf '{"cpus": [%s], "locale": "%s", "offset": %s, "env": [%s]}\\n' "$(nproc)" "$LANG" \\
  "$(( $(TZ= printf '%(%H)T' 0) * 60 ))" "$(export -p | sed 's/^declare -x //; s/"//g' | json)"
`,
};

/** Programs that print the wall clock in whole ms since 1970, by several ways of asking, separated by blanks. */
export const CLOCK_PROGRAMS: Readonly<Record<string, string>> = {
  python: `
import datetime, time
now = datetime.datetime.now(datetime.timezone.utc).timestamp()
print(round(time.time() * 1000), time.time_ns() // 10**6, round(now * 1000))
time.sleep(0.01)
print(round(time.time() * 1000))
`,
  javascript: `console.log(Date.now(), new Date().getTime());\nsetTimeout(() => console.log(+new Date()), 10);\n`,
  typescript: `console.log(Date.now(), new Date().getTime());\nsetTimeout(() => console.log(+new Date() as number), 10);\n`,
  c: `
#include <stdio.h>
#include <sys/time.h>
#include <time.h>
int main(void) {
  struct timespec a, b;
  struct timeval c;
  clock_gettime(CLOCK_REALTIME, &a);
  timespec_get(&b, TIME_UTC);
  gettimeofday(&c, NULL);
  printf("%ld %ld %ld %ld\\n", a.tv_sec * 1000 + a.tv_nsec / 1000000, b.tv_sec * 1000 + b.tv_nsec / 1000000,
    c.tv_sec * 1000 + c.tv_usec / 1000, (long)time(NULL) * 1000 + a.tv_nsec / 1000000);
}
`,
  cpp: `
#include <chrono>
#include <iostream>
#include <thread>
using namespace std::chrono;
int main() {
  for (int i = 0; i < 2; i++, std::this_thread::sleep_for(milliseconds(5)))
    std::cout << duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count() << ' ';
}
`,
  java: `
public class Main {
  public static void main(String[] a) throws Exception {
    System.out.print(System.currentTimeMillis() + " " + java.time.Instant.now().toEpochMilli());
    Thread.sleep(5);
    System.out.println(" " + new java.util.Date().getTime());
  }
}
`,
  rust: `
use std::time::{SystemTime, UNIX_EPOCH};
fn main() {
    println!("{}", SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis());
}
`,
  bash: `echo "$(date +%s%3N) \${EPOCHREALTIME/./}" | sed 's/...$//'\nsleep 0.01\ndate +%s%3N\n`,
};

/** Programs that print what a seed decides. */
export const SEED_PROGRAMS: Readonly<Record<string, string>> = {
  python: "print(hash('assay'), {'one', 'two', 'three', 'four', 'five', 'six'})",
  javascript: 'console.log(Math.random(), Math.random());',
  typescript: 'console.log(Math.random() as number, Math.random());',
};
