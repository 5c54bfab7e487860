import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  killNode,
  type Node,
  startNode,
  startWriteOnce,
  writeOnce,
} from './fixtures/run-write-once.ts'

const EMULATOR = join(
  import.meta.dirname,
  '..',
  '..',
  '..',
  '..',
  'testing',
  'src',
  'emulator',
  'main.ts',
)

let folder: string
let vendor: Node
let url: string
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'surehand-calendar-crash-'))
  const routes = join(import.meta.dirname, 'emulators', 'google-calendar.ts')
  vendor = startNode(EMULATOR, [routes, '--log', join(folder, 'effects.jsonl')])
  while (!vendor.output().includes('\n')) await pause(20)
  url = `http://127.0.0.1:${JSON.parse(vendor.output()).port}`
})
afterEach(async () => {
  await killNode(vendor)
  rmSync(folder, { recursive: true })
})

type Control = { readonly effects: readonly unknown[]; readonly faults: readonly unknown[] }
const control = async (): Promise<Control> =>
  (await (await fetch(`${url}/__control`)).json()) as Control

test.each([
  ['after Google made the event, before the response', 'after', 1],
  ['after the request was sent, before Google made the event', 'before', 0],
])(
  'a node that is killed %s: the next one under the same key makes no second event',
  async (_, when, made) => {
    const body = JSON.stringify({ fault: { kind: 'hang', when }, target: { method: 'POST' } })
    await fetch(`${url}/__control`, { method: 'POST', body })
    const form = { file: join(folder, 'app.db'), kind: 'google', url } as const
    const node = startWriteOnce(form)
    // The fault has been used: Google has received the request.
    while ((await control()).faults.length > 0) await pause(20)
    while ((await control()).effects.length < made) await pause(20)
    await killNode(node)
    expect(node.output()).toBe('')
    expect(await writeOnce(form)).toMatchObject({
      status: 'success',
      data: { htmlLink: expect.stringContaining(url) },
    })
    expect((await control()).effects).toHaveLength(1)
  },
)
