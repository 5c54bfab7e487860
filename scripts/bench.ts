import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const bench = fileURLToPath(new URL('../bench/', import.meta.url))
// A suite is a folder with a main.ts.
const suites = readdirSync(`${bench}src`).filter((folder) => existsSync(mainFile(folder)))
const [suite, ...options] = process.argv.slice(2)

if (suite === undefined || !suites.includes(suite)) {
  console.error(
    `Usage: npm run bench -- <suite> [--rounds N] [--only id,id] [--markdown FILE]\nSuites: ${suites.join(', ')}`,
  )
  process.exit(1)
}
if (!isInstalled()) {
  console.log('Installing the peers (bench/package-lock.json). This takes a minute.')
  run('npm', ['ci', '--prefix', bench])
}
run(process.execPath, [mainFile(suite), ...options])

function mainFile(folder: string): string {
  return `${bench}src/${folder}/main.ts`
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
