import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { VERSIONS, writeApp } from './write-app.ts'

const ROOT = join(import.meta.dirname, '../../..')

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'surehand-app-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

const readJson = (...path: string[]) => JSON.parse(readFileSync(join(...path), 'utf8'))

test('a new app with a chat passes its own tests', () => {
  const folder = emptyFolder()
  const { written, kept } = writeApp({ folder, name: 'parcels', kind: 'chat' })
  expect(kept).toEqual([])
  expect(written).toEqual(expect.arrayContaining(['package.json', '.gitignore', 'Dockerfile']))
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const env = { ...process.env, NODE_TEST_CONTEXT: undefined }
  const output = execFileSync(process.execPath, ['--test', 'src/**/*.test.ts'], {
    cwd: folder,
    env,
    encoding: 'utf8',
  })
  expect(output).toMatch(/pass 4\b/)
  expect(output).toMatch(/fail 0\b/)
})

test('an app without a chat has neither its files nor its packages', () => {
  const folder = emptyFolder()
  const { written } = writeApp({ folder, name: 'parcels', kind: 'mcp' })
  expect(written.filter((file) => file.includes('chat'))).toEqual([])
  expect(Object.keys(readJson(folder, 'package.json').dependencies)).toEqual([
    '@surehand/core',
    'surehand',
    'zod',
  ])
  expect(readFileSync(join(folder, 'README.md'), 'utf8')).not.toMatch(/chat|\{\{|<!--/i)
})

test('a file that exists is kept, and package.json gets what it lacks', () => {
  const folder = emptyFolder()
  writeFileSync(join(folder, 'README.md'), 'mine')
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'mine', scripts: { test: 'vitest' }, dependencies: { zod: '4.0.0' } }),
  )
  expect(writeApp({ folder, name: 'other', kind: 'mcp' }).kept).toEqual(['README.md'])
  expect(readFileSync(join(folder, 'README.md'), 'utf8')).toBe('mine')
  expect(readJson(folder, 'package.json')).toMatchObject({
    name: 'mine',
    scripts: { test: 'vitest', dev: 'surehand dev' },
    dependencies: { zod: '4.0.0', surehand: expect.stringMatching(/^\^\d/) },
  })
  expect(existsSync(join(folder, 'surehand.config.ts'))).toBe(true)
})

// What `npm init --yes` writes.
const INITIAL = {
  name: 'mine',
  main: 'index.js',
  scripts: { test: 'echo "Error: no test specified" && exit 1' },
  type: 'commonjs',
}

test('in a folder that npm init made, the app is of ES modules and has its own tests', () => {
  const folder = emptyFolder()
  writeFileSync(join(folder, 'package.json'), JSON.stringify(INITIAL))
  expect(writeApp({ folder, name: 'mine', kind: 'mcp' }).notes).toEqual([])
  expect(readJson(folder, 'package.json')).toMatchObject({
    type: 'module',
    scripts: { test: expect.stringContaining('node --test') },
  })
})

test('the CommonJS of scripts that exist stays, and what to do is said', () => {
  const folder = emptyFolder()
  writeFileSync(join(folder, 'package.json'), JSON.stringify(INITIAL))
  writeFileSync(join(folder, 'index.js'), 'module.exports = 1')
  expect(writeApp({ folder, name: 'mine', kind: 'mcp' }).notes).toEqual([
    expect.stringContaining('set "type": "module"'),
  ])
  expect(readJson(folder, 'package.json').type).toBe('commonjs')
})

test('a new app starts with the versions that are tested here', () => {
  const { packages } = readJson(ROOT, 'package-lock.json')
  const tested = Object.keys(VERSIONS).map((name) => [
    name,
    packages[`node_modules/${name}`].version,
  ])
  expect(Object.fromEntries(tested)).toEqual(VERSIONS)
})
