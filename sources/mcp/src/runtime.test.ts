import { createRuntime, definePack, memoryStores, type Outcome, type Runtime } from '@surehand/core'
import { foreignPort } from '@surehand/core/host'
import { foreignSchemas } from '@surehand/json-schema'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ANN, mounted, program } from './fixtures/mounted.ts'
import type { Mount } from './mount.ts'
import { mountedTools } from './mounted-tools.ts'
import type { Overlay } from './overlay.ts'

const port = foreignPort('notes', { keysValidFor: '24h' })
let mount: Mount
beforeEach(() => {
  mount = mounted(program('notes-main', 'both'))
})
afterEach(() => mount.close())

async function open(overlay: Overlay, of = mount): Promise<Runtime> {
  const { tools, refused } = mountedTools(await of.tools(), {
    name: 'notes',
    port,
    schemas: foreignSchemas(),
    overlay,
  })
  expect(refused).toEqual([])
  return createRuntime({
    packs: [definePack({ name: 'notes', tools })],
    stores: memoryStores(),
    providers: { notes: of.source },
  })
}

function call(
  runtime: Runtime,
  tool: string,
  input: unknown = {},
  idempotencyKey = 'key-1',
): Promise<Outcome> {
  return runtime.call({
    tool: `notes.${tool}`,
    input,
    caller: ANN,
    surface: 'test',
    idempotencyKey,
  })
}

describe('a mounted tool in the runtime', () => {
  test('waits for approval, is sent the key of the call, and answers a second time without being called', async () => {
    const runtime = await open({})
    const pending = await call(runtime, 'key')
    expect(pending.status).toBe('pending')
    if (pending.status !== 'pending') return
    expect(pending.approval.asks).toBe('Call "key" (key) of notes with this input?')
    await runtime.approvals.decide(ANN, pending.approval.id, {
      verdict: 'approve',
      digest: pending.approval.digest,
    })
    const data = { content: [{ type: 'text', text: expect.stringMatching(/^.{8,}$/) }] }
    expect(await runtime.answer(ANN, pending.facts.callId)).toMatchObject({ status: 'done', data })
    expect(await call(runtime, 'key')).toMatchObject({ status: 'done', source: 'replayed', data })
  })

  test('refuses an input that its schema refuses, before anything is sent', async () => {
    const runtime = await open({ add: { effect: 'read' } })
    expect(await call(runtime, 'add', { left: 1, right: 'two' })).toMatchObject({
      status: 'failed',
      error: { code: 'TOOL_INVALID_FIELD_TYPE' },
    })
    expect(await call(runtime, 'add', { left: 1, right: 2 })).toMatchObject({
      status: 'done',
      data: { sum: 3 },
    })
  })

  test('that is a write has an unknown effect when its server is killed during the call', async () => {
    const runtime = await open({ die: { approval: 'none' }, key: { approval: 'none' } })
    expect(await call(runtime, 'die')).toMatchObject({
      status: 'failed',
      error: { code: 'TOOL_OUTCOME_UNKNOWN' },
    })
    // not a second time under the same key
    expect(await call(runtime, 'die')).toMatchObject({
      status: 'failed',
      error: { code: 'TOOL_OUTCOME_UNKNOWN' },
    })
    expect(mount.health().restarts).toBe(0)
    expect(await call(runtime, 'key', {}, 'key-2')).toMatchObject({ status: 'done' })
    expect(mount.health().restarts).toBe(1)
  })

  test('that says it failed has failed: its words are the answer of the key, and its server is well', async () => {
    const runtime = await open({ fail: { approval: 'none' }, key: { approval: 'none' } })
    const failed = {
      status: 'failed',
      error: {
        code: 'TOOL_EXTERNAL_SERVICE_ERROR',
        message: expect.stringContaining('disk is full'),
      },
    }
    for (const key of ['a', 'b', 'c', 'd', 'e', 'f'])
      expect(await call(runtime, 'fail', {}, key)).toMatchObject(failed)
    expect(await call(runtime, 'fail', {}, 'a')).toMatchObject({ ...failed, source: 'replayed' })
    expect(await call(runtime, 'key', {}, 'g')).toMatchObject({ status: 'done' })
  })

  test('may be called again under its key where a person says that a failure leaves nothing done', async () => {
    const careful = mounted(program('notes-main', 'both'), { failsWithoutEffect: () => true })
    const runtime = await open({ fail: { approval: 'none', failsWithoutEffect: true } }, careful)
    await call(runtime, 'fail')
    expect(await call(runtime, 'fail')).toMatchObject({ status: 'failed', source: 'executed' })
    await careful.close()
  })

  test('that is a read is retried when its server is killed during the call', async () => {
    const runtime = await open({ die: { effect: 'read', retries: 1, timeout: '30s' } })
    expect(await call(runtime, 'die')).toMatchObject({
      status: 'failed',
      error: { code: 'TOOL_NETWORK_ERROR' },
    })
    expect(mount.health().restarts).toBe(1)
  })

  test('is driven again under the same key where a person says that its server deduplicates', async () => {
    const runtime = await open({
      die: { approval: 'none', deduplicates: true, retries: 1, timeout: '30s' },
    })
    await call(runtime, 'die')
    expect(mount.health().restarts).toBe(1)
  })

  test('answers with a warning when the answer is not in the declared shape', async () => {
    const raw = mounted(program('raw-main'))
    const runtime = await open({ wrong: { effect: 'read' } }, raw)
    const outcome = await call(runtime, 'wrong')
    await raw.close()
    expect(outcome).toMatchObject({ status: 'done', data: { sum: 'five' } })
    expect(JSON.stringify(outcome)).toContain('The output does not quite match the declared schema')
  })
})
