import { spawn } from 'node:child_process'
import { expect, test, vi } from 'vitest'
import { isCode, keepRunning } from './dev.ts'

test('code of the app restarts the server; packages, data and hidden folders do not', () => {
  const watched = ['surehand.config.ts', 'src/parcels/pack.ts', 'tools.json', '.env', 'a/b.mjs']
  const ignored = ['node_modules/zod/index.js', '.surehand/settings.json', '.git/x.json', 'a.db']
  expect([...watched, ...ignored].filter(isCode)).toEqual(watched)
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
