import { type FakeClock, fakeClock } from '@surehand/conformance'
import { beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import type { CallRequest } from '../call/request.ts'
import { ToolError } from '../call/tool-error.ts'
import { definePack } from '../define/pack.ts'
import { defineTool, transact } from '../define/tool.ts'
import { defineTransaction } from '../define/transaction.ts'
import { memoryStores } from '../memory/memory-stores.ts'
import { createRuntime } from '../runtime/create-runtime.ts'
import type { Runtime } from '../runtime/runtime.ts'

const FREE_AFTER_MS = 2_000

let clock: FakeClock
let runtime: Runtime
let tries: number

const add = defineTransaction('notes.add', async () => ({ id: 1 }))
const tool = defineTool({
  id: 'notes.add',
  title: 'Add a note',
  category: 'custom',
  description: 'Adds a note.',
  version: '1.0.0',
  input: z.object({}),
  output: z.object({ id: z.number() }),
  contract: {
    effect: 'writes.notes',
    reversible: true,
    idempotency: 'caller',
    timeout: '1s',
    retries: 2,
  },
  transaction: transact(add, () => ({})),
})

beforeEach(() => {
  clock = fakeClock()
  tries = 0
  const memory = memoryStores({ clock })
  const freeAt = clock.now() + FREE_AFTER_MS
  // Another node's transaction holds the key: its row is not visible before it commits.
  const transacts: typeof memory.calls.transact = (run) => {
    tries += 1
    if (clock.now() >= freeAt) return memory.calls.transact(run)
    return Promise.reject(
      new ToolError('TOOL_ALREADY_RUNNING', 'Under way.', {
        effect: 'none',
        details: { retry_after_ms: 1_000 },
      }),
    )
  }
  const stores = { ...memory, calls: { ...memory.calls, transact: transacts } }
  runtime = createRuntime({
    packs: [definePack({ name: 'notes', tools: [tool] })],
    stores,
    clock,
    providers: {},
  })
})

async function call(more: Partial<CallRequest>): Promise<unknown> {
  const caller = {
    tenant: 'acme',
    principal: 'ann',
    actor: 'user',
    roles: [],
    capabilities: [],
  } as const
  const answer = runtime.call({
    tool: 'notes.add',
    input: {},
    caller,
    surface: 'test',
    idempotencyKey: 'k',
    ...more,
  })
  await clock.advance(2 * FREE_AFTER_MS)
  const outcome = await answer
  return outcome.status === 'failed' ? outcome.error.code : outcome.status
}

test('a caller that does not wait for a running transaction is answered at once, and the answer is not retried', async () => {
  expect([await call({}), tries]).toEqual(['TOOL_ALREADY_RUNNING', 1])
})

// More often than the contract's retries would allow.
test('a caller that waits for a running transaction polls until it has ended', async () => {
  expect([await call({ whenRunning: 'wait' }), tries > 3]).toEqual(['done', true])
})

test('a caller that waits for a running transaction waits no longer than its deadline', async () => {
  expect(await call({ whenRunning: 'wait', withinMs: FREE_AFTER_MS / 2 })).toBe(
    'TOOL_ALREADY_RUNNING',
  )
})
