import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { definePack, defineTool } from '@surehand/core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { readConfig } from '../config/read-config.ts'
import { type HttpEmulator, startHttpEmulator } from '../fixtures/notification-emulators.ts'
import { createLog } from '../log/log.ts'
import { type RunningServer, serve } from '../serve/serve.ts'
import { runWebhooks } from './webhooks.ts'

let data: string
let web: HttpEmulator
let serving: RunningServer
let status = 204

const writeNote = defineTool({
  id: 'notes.write',
  description: 'Writes a note.',
  input: z.object({}),
  output: z.object({}),
  contract: { effect: 'writes.note', reversible: true, idempotency: 'caller' },
  execute: async () => ({}),
})

// A server and the commands beside it, on one data folder.
beforeAll(async () => {
  data = mkdtempSync(join(tmpdir(), 'surehand-webhooks-'))
  web = await startHttpEmulator(() => ({ status }))
  vi.stubEnv('SUREHAND_PRIVATE_HOSTS', web.host)
  vi.stubEnv('SUREHAND_LOG_LEVEL', 'silent')
  const config = await readConfig({
    env: process.env,
    folder: data,
    overrides: { data, port: 0 },
  })
  const packs = [definePack({ name: 'notes', tools: [writeNote] })]
  serving = await serve({ ...config, packs }, createLog(config))
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await serving?.stop()
  await web?.close()
  rmSync(data, { recursive: true })
})

async function run(line: string): Promise<{ readonly code: number; readonly out: string }> {
  let out = ''
  const terminal = { stdout: { write: (text: string) => (out += text) }, stderr: { write() {} } }
  // erased: the command writes to the terminal and reads nothing from it
  const code = await runWebhooks(line.split(' '), terminal as never, { data } as never)
  return { code, out }
}

const notify = (webhook: string, key: string) =>
  serving.app.runtime.call({
    ...{ tool: 'notes.write', input: {}, surface: 'http', notify: webhook, idempotencyKey: key },
    caller: {
      ...{ tenant: serving.app.config.home, principal: 'ann', actor: 'user' },
      ...{ roles: ['user'], capabilities: [] },
    },
  })

test('a test is sent, also while the webhook is off; its exit code says whether it arrived', async () => {
  await run(`add ops --url ${web.url}/ops`)
  status = 204
  expect(await run('test ops')).toEqual({ code: 0, out: 'The test arrived: status 204\n' })
  status = 500
  await run('off ops')
  expect(await run('test ops')).toEqual({ code: 1, out: 'The test did not arrive: status 500\n' })
  expect(web.received.map(({ body }) => JSON.parse(String(body)).type)).toEqual(['test', 'test'])
})

test('a webhook that is off is sent nothing until it is on again; its deliveries say so', async () => {
  status = 204
  const secret = (await run(`add calls --url ${web.url}/calls`)).out
  expect((await run('off calls')).out).toMatch(/^calls is off: nothing is sent\./)
  expect((await run('list')).out).toMatch(/^calls +\S+\/calls \(off\)$/m)
  await notify('calls', 'note-1')
  const deliveries = async () => (await run('deliveries calls')).out
  await expect
    .poll(deliveries)
    .toMatch(
      /^\S+Z {2}call_\S+ {2}notes\.write succeeded, waiting after 1 attempt, The webhook is switched off\., next \S+Z\n$/,
    )
  expect(web.received.filter(({ path }) => path === '/calls')).toEqual([])

  expect((await run('on calls')).out).toBe('calls is on.\n')
  await expect.poll(deliveries).toMatch(/succeeded, delivered after 2 attempts, status 204\n$/)
  expect(JSON.parse((await run('deliveries calls --json')).out)).toMatchObject([
    { tool: 'notes.write', status: 'delivered', tries: 2, last_result: { status: 204 } },
  ])
  // It was switched, not made anew.
  const { secret: kept } = JSON.parse(
    (await serving.app.stores.admin.get(serving.app.config.home, 'webhook', 'calls'))?.value ?? '',
  )
  expect(`${kept}\n`).toBe(secret)
})
