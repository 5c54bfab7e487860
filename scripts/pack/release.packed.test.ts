import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root } from './as-user.ts'
import { PACKED } from './packed-folders.ts'

// npm run release, as far as it goes without a registry and a job of CI.

const ROOT = join(import.meta.dirname, '../..')
const RELEASE = join(import.meta.dirname, 'release.ts')
const NOTE = join(ROOT, '.changeset/a-note-of-the-tests.md')
const COMMANDS = join(root, 'commands.txt')
const CORE = join(root, 'core.tgz')
const { version } = JSON.parse(readFileSync(join(ROOT, 'core/package.json'), 'utf8'))
const [major, minor] = version.split('.').map(Number)
const NEXT = `${major}.${minor + 1}.0`

/** An npm that also writes down how it was called, and keeps the tarball of core. */
const NPM = `#!/bin/sh
echo "$*" >> '${COMMANDS}'
case "$*" in *./surehand-core-*) cp ./surehand-core-*.tgz '${CORE}' ;; esac
exec '${execFileSync('which', ['npm'], { encoding: 'utf8' }).trim()}' "$@"
`

function readTree(): readonly string[] {
  const git = (...words: string[]) => execFileSync('git', words, { cwd: ROOT, encoding: 'utf8' })
  return [git('status', '--porcelain'), git('diff', 'HEAD'), readdirSync(PACKED.tarballs).join()]
}

function release(environment: NodeJS.ProcessEnv, ...words: string[]) {
  const env = {
    ...process.env,
    ...{ GITHUB_REPOSITORY: undefined, CI_PROJECT_URL: undefined },
    PATH: [join(root, 'bin'), process.env.PATH].join(delimiter),
    ...environment,
  }
  const options = { cwd: ROOT, env, maxBuffer: 1e8 }
  return promisify(execFile)(process.execPath, [RELEASE, ...words], options)
}

beforeAll(() => {
  mkdirSync(join(root, 'bin'))
  writeFileSync(join(root, 'bin/npm'), NPM, { mode: 0o755 })
  writeFileSync(NOTE, '---\n"@surehand/core": minor\n---\n\nCalls can be undone.\n')
})
afterAll(() => {
  rmSync(NOTE, { force: true })
  rmSync(root, { recursive: true, force: true })
})

test('a dry run versions, writes changelogs, packs and would publish, and changes nothing', async () => {
  const before = readTree()
  const { stdout } = await release({ GITHUB_REPOSITORY: 'acme/surehand' }, '--dry-run')
  expect(readTree()).toEqual(before)
  expect(stdout).toContain(`Version: ${version} → ${NEXT}\n`)
  expect(stdout).toContain(`core/CHANGELOG.md\n  ${NEXT}\n`)
  expect(stdout).toContain('Calls can be undone.\n')
  expect(stdout).toMatch(/nothing was changed or published\.\n$/)
  // All packages, in the new version.
  const count = readdirSync(PACKED.tarballs).length
  expect(stdout.match(/(?<=^\+ \S+@).*$/gm)).toEqual(Array(count).fill(NEXT))
  const published = readFileSync(COMMANDS, 'utf8').match(/^publish .*$/gm) ?? []
  expect(published).toHaveLength(count)
  const placeOf = (name: string): number => stdout.indexOf(`+ ${name}@`)
  // A user who installs the command meanwhile finds all that it needs.
  for (const name of ['@surehand/core', '@surehand/http', '@surehand/scaffold'])
    expect(placeOf(name), name).toBeLessThan(placeOf('surehand'))
  for (const command of published)
    expect(command).toMatch(/^publish \.\/\S+\.tgz --access public --provenance .*--dry-run$/)
  const read = (file: string) => execFileSync('tar', ['-xzOf', CORE, `package/${file}`]).toString()
  expect(read('CHANGELOG.md')).toContain('Calls can be undone.')
  expect(JSON.parse(read('package.json'))).toMatchObject({
    version: NEXT,
    repository: { url: 'git+https://github.com/acme/surehand.git', directory: 'core' },
    publishConfig: { access: 'public', provenance: true },
  })
})

test('outside of CI, where npm cannot prove the origin, a release ends before it changes anything', async () => {
  const before = readTree()
  await expect(release({})).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Nothing was changed or published'),
  })
  expect(readTree()).toEqual(before)
})
