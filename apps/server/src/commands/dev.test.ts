import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { keepRunning, watchCode } from './dev.ts'

test('changed code is reported, also in new folders; packages, data and hidden folders are not', async () => {
  const root = mkdtempSync(join(tmpdir(), 'surehand-dev-'))
  const write = (file: string): void => {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), String(file.length))
  }
  for (const file of ['src/pack.ts', 'node_modules/zod/index.js', '.surehand/settings.json'])
    write(file)
  const changed = new Set<string>()
  const watched = watchCode(root, (file) => changed.add(file))
  try {
    mkdirSync(join(root, 'src/new'))
    const ignored = ['node_modules/zod/index.js', '.surehand/settings.json', 'src/a.db']
    const expected = ['.env', 'src/new/tool.ts', 'src/pack.ts', 'surehand.config.ts']
    // Written again until it is reported: the new folder is watched a moment after it was made.
    await vi.waitUntil(
      () => {
        for (const file of [...ignored, ...expected]) write(file)
        return changed.size >= expected.length
      },
      { timeout: 100_000 },
    )
    expect([...changed].toSorted()).toEqual(expected)
  } finally {
    watched.close()
    rmSync(root, { recursive: true })
  }
})

test('a change ends the old process before the new one starts, and a failed one waits for a change', async () => {
  const said: string[] = []
  const programs = ['process.exit(3)', 'setInterval(() => undefined, 1000)']
  const children: ReturnType<typeof spawn>[] = []
  const server = keepRunning({
    start() {
      const program = programs[children.length] ?? programs[1] ?? ''
      const child = spawn(process.execPath, ['-e', program], { stdio: 'ignore' })
      expect(children.every((one) => one.exitCode !== null || one.signalCode !== null)).toBe(true)
      children.push(child)
      onTestFinished(() => void child.kill('SIGKILL'))
      return child
    },
    say: (text) => said.push(text),
  })
  await vi.waitUntil(() => said.length === 1, { timeout: 100_000 })
  expect(said).toEqual(['The server ended with code 3. It is started again when a file changes.'])
  server.restart('a.ts')
  server.restart('b.ts')
  await vi.waitUntil(() => children.length === 2, { timeout: 100_000 })
  server.restart('c.ts')
  await vi.waitUntil(() => children.length === 3, { timeout: 100_000 })
  expect(children[1]?.signalCode).toBe('SIGTERM')
  expect(said.slice(1)).toEqual([
    'b.ts has changed: starting again.',
    'c.ts has changed: starting again.',
  ])
  await server.stop()
  expect(children[2]?.signalCode).toBe('SIGTERM')
})
