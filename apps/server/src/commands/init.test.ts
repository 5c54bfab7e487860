import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
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

test('on a terminal init asks for the name and the kind; Ctrl-C leaves the folder empty', async () => {
  const { folder, terminal, said } = open()
  const stdin = Object.assign(terminal.stdin, { isTTY: true, setRawMode: () => undefined })
  const stderr = Object.assign(terminal.stderr, { isTTY: true })
  const tty = { ...terminal, stdin, stderr } as never // erased: streams that stand for a terminal
  let screen = ''
  stderr.on('data', (chunk: Buffer) => (screen += chunk))
  const type = async (seen: string, keys: string): Promise<void> => {
    await expect.poll(() => screen).toContain(seen)
    stdin.write(keys)
  }
  const cancelled = runInit([folder], tty, {})
  await type('Name of the app', '\u0003')
  expect(await cancelled).toBe(130)
  expect(readdirSync(folder)).toEqual([])

  screen = ''
  const answered = runInit([folder], tty, {})
  await type('Name of the app', 'my-desk\r')
  // The second kind.
  await type('What is it?', '\u001b[B\r')
  expect(await answered).toBe(0)
  expect(said()).toContain('wrote  surehand.config.ts')
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  expect(manifest).toMatchObject({ name: 'my-desk', dependencies: { ai: expect.any(String) } })
})

test('an unknown kind is refused before anything is written', async () => {
  const { folder, terminal } = open()
  await expect(runInit([folder, '--kind', 'robot'], terminal, {})).rejects.toThrow(
    'There is no kind "robot". Nothing was written.',
  )
  expect(readdirSync(folder)).toEqual([])
})
