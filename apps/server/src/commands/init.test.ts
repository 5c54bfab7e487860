import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { runInit } from './init.ts'

function open() {
  const folder = mkdtempSync(join(tmpdir(), 'surehand-init-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const stdout = new PassThrough({ encoding: 'utf8' })
  const terminal = { stdin: new PassThrough(), stdout, stderr: new PassThrough() }
  return { folder, terminal, said: () => String(stdout.read() ?? '') }
}

test('init writes an app, and a second time keeps every file', async () => {
  const { folder, terminal, said } = open()
  expect(await runInit([folder, '--yes'], terminal, {})).toBe(0)
  expect(said()).toMatch(/wrote {2}surehand\.config\.ts\n[\s\S]*Next: npm install/)
  const files = readdirSync(folder)
  expect(await runInit([folder, '--yes'], terminal, {})).toBe(0)
  expect(said()).toMatch(/^ {2}kept {3}\.dockerignore, which existed\n/)
  expect(readdirSync(folder)).toEqual(files)
})

test('init --json prints one value, and asks nothing', async () => {
  const { folder, terminal, said } = open()
  expect(await runInit([folder, '--json'], terminal, {})).toBe(0)
  expect(JSON.parse(said())).toMatchObject({
    folder,
    kind: 'mcp',
    written: expect.arrayContaining(['surehand.config.ts']),
    kept: [],
  })
})

test('an unknown kind is refused before anything is written', async () => {
  const { folder, terminal } = open()
  await expect(runInit([folder, '--kind', 'robot'], terminal, {})).rejects.toThrow(
    'There is no kind "robot". Nothing was written.',
  )
  expect(readdirSync(folder)).toEqual([])
})
