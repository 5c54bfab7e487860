import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'

const PROGRAM = join(import.meta.dirname, '../apps/server/bin/refresh-bundle.cjs')
// Writes one letter more each time that it runs.
const SCRIPT = `import { appendFileSync } from 'node:fs'
appendFileSync('apps/server/dist/surehand.cjs', 'x')
`

// A small clone, in which the program looks for sources and for the script that bundles them.
let clone: string
beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), 'surehand-clone-'))
  onTestFinished(() => rmSync(clone, { recursive: true }))
  mkdirSync(join(clone, 'apps/server/dist'), { recursive: true })
  cpSync(PROGRAM, join(clone, 'apps/server/bin/refresh-bundle.cjs'))
  write('package.json', '{ "type": "module" }')
  write('scripts/bundle.ts', SCRIPT)
  write('core/src/index.ts', 'export {}')
  write('core/src/index.test.ts', '')
})

function write(file: string, text: string): void {
  mkdirSync(dirname(join(clone, file)), { recursive: true })
  writeFileSync(join(clone, file), text)
}

/** Makes a file newer than the bundle. */
function touch(file: string): void {
  const later = new Date(Date.now() + 60_000)
  utimesSync(join(clone, file), later, later)
}

const BUNDLE = 'apps/server/dist/surehand.cjs'
const madeTimes = (): number =>
  existsSync(join(clone, BUNDLE)) ? readFileSync(join(clone, BUNDLE), 'utf8').length : 0

/** Whether the bundle may be used, as a process of its own finds. */
function refresh(): string {
  const program = `console.log(require('./apps/server/bin/refresh-bundle.cjs').refreshBundle(process.argv[1]))`
  const words = ['--input-type=commonjs', '-e', program, join(clone, BUNDLE)]
  return execFileSync(process.execPath, words, {
    cwd: clone,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim()
}

test('a bundle that is missing is made, and used as long as no source is newer', () => {
  expect([refresh(), madeTimes()]).toEqual(['true', 1])
  expect([refresh(), madeTimes()]).toEqual(['true', 1])
  touch('core/src/index.test.ts')
  expect([refresh(), madeTimes()]).toEqual(['true', 1])
  touch('core/src/index.ts')
  expect([refresh(), madeTimes()]).toEqual(['true', 2])
})

test('a bundle that cannot be made is not used', () => {
  write('scripts/bundle.ts', 'process.exit(1)')
  expect([refresh(), madeTimes()]).toEqual(['false', 0])
})

test('an installed package has no sources, and its bundle is used as it is', () => {
  rmSync(join(clone, 'scripts'), { recursive: true })
  expect([refresh(), madeTimes()]).toEqual(['true', 0])
})
