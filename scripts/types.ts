import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import bench from '../bench/package.json' with { type: 'json' }

// npm run types: the two programs that make up the repository, for Node and for browsers.

const ROOT = join(import.meta.dirname, '..')
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc')
const MISSING_PACKAGE = /^([^(]+)\(.*error TS2307: Cannot find module '((?:@[^/']+\/)?[^/']+)/

/**
 * The lines of `tsc` that count. The peers of the benchmarks are installed when a benchmark first
 * runs: until then, files that import one that is missing are not judged.
 */
export function errorsOf(lines: readonly string[], peers: ReadonlySet<string>): string[] {
  const notJudged = new Set(
    lines.flatMap((line) => {
      const [, file = '', name = ''] = MISSING_PACKAGE.exec(line) ?? []
      return file.startsWith('bench/') && peers.has(name) ? [`${file}(`] : []
    }),
  )
  return lines.filter((line) => ![...notJudged].some((start) => line.startsWith(start)))
}

async function check(project: string): Promise<string[]> {
  // The default of four checkers takes 60 % more CPU time, which is scarce in the gate.
  const parameters = [TSC, '--noEmit', '--pretty', 'false', '--checkers', '1', '-p', project]
  const run = promisify(execFile)
  // Its heap may grow further before the garbage is collected: the peak is the same.
  const env = { GOGC: '400', ...process.env }
  return run(process.execPath, parameters, { cwd: ROOT, env, maxBuffer: 1e8 }).then(
    () => [],
    ({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }) =>
      // The indented lines that explain an error follow it.
      /error TS\d+/.test(stdout) ? stdout.trimEnd().split(/\n(?! )/) : [`${stdout}${stderr}`],
  )
}

if (import.meta.main) {
  const peers = new Set(Object.keys(bench.dependencies))
  const lines = await Promise.all(['tsconfig.json', 'tsconfig.browser.json'].map(check))
  const errors = lines.flatMap((one) => errorsOf(one, peers))
  for (const error of errors) console.log(error)
  process.exitCode = errors.length > 0 ? 1 : 0
}
