import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const bench = fileURLToPath(new URL('../bench/', import.meta.url))
// A suite is a table of contenders for the harness (suite.ts), or a program of its own (main.ts).
const suites = readdirSync(`${bench}src`).filter(
  (folder) => folder !== 'harness' && mainOf(folder) !== undefined,
)
const [suite, ...options] = process.argv.slice(2)

if (suite === undefined || !suites.includes(suite)) {
  console.error(
    `npm run bench -- <suite> [--rounds N] [--only id,id] [--markdown FILE]\nsuites: ${suites.join(', ')}`,
  )
  process.exit(1)
}
if (!isInstalled()) {
  console.log('Installing the peers (bench/package-lock.json); this takes a minute.')
  run('npm', ['ci', '--prefix', bench])
}
run(process.execPath, [...(mainOf(suite) ?? []), ...options])

function mainOf(folder: string): readonly string[] | undefined {
  const own = `${bench}src/${folder}/main.ts`
  if (existsSync(own)) return [own]
  return existsSync(`${bench}src/${folder}/suite.ts`)
    ? [`${bench}src/harness/main.ts`, folder]
    : undefined
}

/** npm writes node_modules/.package-lock.json last, so an interrupted install has none. */
function isInstalled(): boolean {
  const installed = `${bench}node_modules/.package-lock.json`
  return (
    existsSync(installed) &&
    statSync(installed).mtimeMs >= statSync(`${bench}package-lock.json`).mtimeMs
  )
}

function run(command: string, args: readonly string[]): void {
  const { status } = spawnSync(command, args, { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
