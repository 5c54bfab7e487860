import { expect, test } from 'vitest'
import { z } from 'zod'
import { partText } from '../call/json-in-turns/parted-text.ts'
import type { Outcome } from '../call/outcome.ts'
import type { CallRequest } from '../call/request.ts'
import { definePack } from '../define/pack.ts'
import { defineTool } from '../define/tool.ts'
import { memoryStores } from '../memory/memory-stores.ts'
import { createRuntime } from '../runtime/create-runtime.ts'

const add = defineTool({
  id: 'numbers.add',
  title: 'Add',
  category: 'custom',
  description: 'Adds numbers.',
  input: z.object({
    key: z.string().optional(),
    numbers: z.array(z.number()),
    notes: z.unknown(),
  }),
  output: z.object({ sum: z.number() }),
  contract: { effect: 'none' },
  execute: async ({ input }) => ({ sum: input.numbers.reduce((sum, one) => sum + one, 0) }),
})

let atATime = 0
let most = 0
const item = z.number().refine(() => {
  most = Math.max(most, ++atATime)
  return true
})

const returnsInput = {
  title: 'Echo',
  category: 'custom' as const,
  description: 'Returns numbers.',
  input: z.object({ numbers: z.array(item) }),
  output: z.object({ numbers: z.array(item) }),
  execute: async ({ input }: { readonly input: { readonly numbers: number[] } }) => input,
}
const echo = defineTool({ ...returnsInput, id: 'numbers.echo', contract: { effect: 'none' } })
const store = defineTool({
  ...returnsInput,
  id: 'numbers.store',
  contract: { effect: 'writes.numbers', reversible: true, idempotency: 'caller' },
})

const caller = {
  tenant: 'acme',
  principal: 'ann',
  actor: 'user',
  roles: [],
  capabilities: [],
} as const

function openRuntime() {
  const stores = memoryStores()
  const runtime = createRuntime({
    packs: [definePack({ name: 'numbers', tools: [add, echo, store] })],
    stores,
  })
  return {
    call: (input: Partial<CallRequest>): Promise<Outcome> =>
      runtime.call({ tool: add.id, input: undefined, caller, surface: 'test', ...input }),
    readHashes: async () =>
      (await stores.audit.list({ tenant: 'acme', limit: 10 })).map(({ input_hash }) => input_hash),
  }
}

const large = {
  notes: { b: Array.from({ length: 40_000 }, () => []), a: `😀${'é"\n'.repeat(60_000)}` },
  numbers: Array.from({ length: 100_000 }, () => 1),
}

test.each([
  ['as text', { json: JSON.stringify(large) }],
  ['as text in parts', { longJson: partText(JSON.stringify(large)) }],
  ['as a value', { input: large }],
])(
  'a large input %s is worked on in many parts, and means what it means at once',
  async (_, given) => {
    const { call, readHashes } = openRuntime()
    let pauses = 0
    const outcome = await call({ ...given, pace: () => void pauses++ })
    expect(outcome).toMatchObject({ status: 'done', data: { sum: 100_000 } })
    // Parsed, checked, written and hashed: more than the pauses around the stages.
    expect(pauses).toBeGreaterThan(15)
    await call(given)
    const [first, second] = await readHashes()
    expect(first).toMatch(/^[0-9a-f]{64}$/)
    expect(second).toBe(first)
  },
)

test.each([
  ['a repeated key', { json: '{"numbers":[1],"numbers":[2]}' }],
  ['no object', { json: '[1,2,3]' }],
  ['no JSON', { json: '{"numbers":[1,}' }],
  ['a wrong item', { json: '{"numbers":[1,"two"]}' }],
  ['too large an input', { json: JSON.stringify({ numbers: [1], notes: 'x'.repeat(1_100_000) }) }],
  ['no input', {}],
  ['null', { input: null }],
])('%s is refused in parts as it is at once', async (_, given) => {
  const { call } = openRuntime()
  const inTurns = await call({ ...given, pace: () => undefined })
  const atOnce = await call(given)
  if (inTurns.status !== 'failed' || atOnce.status !== 'failed') throw new Error('It was accepted.')
  const { code, message, details } = atOnce.error
  expect(inTurns.error).toMatchObject({ code, message, details })
})

test.each(['numbers.echo', 'numbers.store'])(
  'few items of a large input and output of %s are compared at a time',
  async (tool) => {
    const { call } = openRuntime()
    const numbers = Array.from({ length: 30_000 }, (_, index) => index)
    let pauses = 0
    most = 0
    const pace = () => {
      pauses++
      atATime = 0
      return undefined
    }
    const outcome = await call({ tool, input: { numbers }, pace })
    expect(outcome).toMatchObject({ status: 'done', data: { numbers } })
    expect(most).toBeLessThanOrEqual(1_000)
    expect(pauses).toBeGreaterThan(100)
  },
)
