import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  definePack,
  definePort,
  defineTool,
  sameKey,
  ToolError,
  unrecoverable,
} from '@surehand/core'
import { systemCaller } from '@surehand/identity'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { readConfig } from '../config/read-config.ts'
import { createLog } from '../log/log.ts'
import { serve } from '../serve/serve.ts'

type Letters = {
  readonly send: (
    letter: { readonly id: string },
    signal: AbortSignal,
  ) => Promise<{ posted: string }>
}
const letters = definePort<Letters>('letters', { send: unrecoverable })
const office = definePort<Letters>('office', { send: sameKey({ validFor: '1d' }) })
const Input = z.object({ id: z.string() })
const Output = z.object({ posted: z.string() })
const contract = { effect: 'writes.letter', reversible: false, idempotency: 'caller' } as const

const post = defineTool({
  id: 'letters.post',
  description: 'Gives a letter to the post.',
  input: Input,
  output: Output,
  contract,
  requestId: ({ id }) => `request-${id}`,
  ports: { letters },
  execute: ({ input, ports, signal }) => ports.letters.send(input, signal),
})

const write = defineTool({
  id: 'letters.write',
  description: 'Writes a letter and posts it.',
  input: Input,
  output: Output,
  contract,
  requestId: ({ id }) => `request-${id}`,
  ports: { office },
  execute: ({ input, ports, signal }) => ports.office.send(input, signal),
})

const pack = definePack({
  name: 'letters',
  tools: [post, write],
  providers: ({ call, systemCaller: system }) => ({
    letters: {
      async send({ id }: { readonly id: string }) {
        if (id === 'lost') throw new ToolError('TOOL_NETWORK_ERROR', 'The line is dead.')
        return { posted: id }
      },
    },
    office: {
      async send({ id }: { readonly id: string }) {
        const outcome = await call({
          tool: 'letters.post',
          input: { id },
          caller: system('home'),
          surface: 'test',
          idempotencyKey: `post/${id}`,
        })
        if (outcome.status === 'done') return outcome.data
        throw outcome.status === 'failed'
          ? outcome.error
          : new ToolError('TOOL_RESOURCE_UNAVAILABLE', 'It is not done yet.')
      },
    },
  }),
})

async function start() {
  const folder = mkdtempSync(join(tmpdir(), 'surehand-given-'))
  const config = await readConfig({
    env: { SUREHAND_PORT: '0', SUREHAND_DATA: folder, SUREHAND_LOG_LEVEL: 'silent' },
    folder,
    overrides: { home: 'home' },
  })
  const { app, stop } = await serve({ ...config, packs: [pack] }, createLog(config))
  onTestFinished(async () => {
    await stop()
    rmSync(folder, { recursive: true, force: true })
  })
  const call = (tool: string, id: string, key: string) =>
    app.runtime.call({
      tool,
      input: { id },
      caller: systemCaller('home'),
      surface: 'test',
      idempotencyKey: key,
    })
  return { call, services: app.packServices('letters', 'http://localhost') }
}

test('a provider calls another tool, and both calls are found by their request', async () => {
  const { call, services } = await start()
  expect(await call('letters.write', 'a', 'k1')).toMatchObject({
    status: 'done',
    data: { posted: 'a' },
  })
  const records = await services.audit({ tenant: 'home', requestIds: ['request-a'] })
  const outcomes = records.filter(({ phase }) => phase === 'outcome')
  expect(outcomes.map((record) => [record.tool_name, record.idempotency_key])).toEqual([
    ['letters.post', 'post/a'],
    ['letters.write', 'k1'],
  ])
  expect(await services.audit({ tenant: 'home', requestIds: ['request-b'] })).toEqual([])
})

test('what a vendor reports later settles an unknown call, once', async () => {
  const { call, services } = await start()
  const lost = await call('letters.post', 'lost', 'k1')
  expect(lost).toMatchObject({ status: 'failed', error: { code: 'TOOL_OUTCOME_UNKNOWN' } })
  const evidence = {
    tenant: 'home',
    callId: lost.facts.callId,
    text: 'The post reported it.',
    output: { posted: 'lost' },
  }
  const unknown = () => services.unknownCalls({ tenant: 'home', tool: 'letters.post', limit: 10 })
  expect(await unknown()).toEqual([
    { callId: lost.facts.callId, input: { id: 'lost' }, reason: expect.stringMatching(/./) },
  ])
  expect([await services.settleUnknown(evidence), await services.settleUnknown(evidence)]).toEqual([
    true,
    false,
  ])
  expect(await unknown()).toEqual([])
  expect(await call('letters.post', 'lost', 'k1')).toMatchObject({
    status: 'done',
    data: { posted: 'lost' },
  })
})
