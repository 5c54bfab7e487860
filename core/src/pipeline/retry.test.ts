import { fakeClock } from '@surehand/conformance'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Outcome } from '../call/outcome.ts'
import { ToolError } from '../call/tool-error.ts'
import { callBudgetMs } from '../define/normal.ts'
import { definePack } from '../define/pack.ts'
import { defineTool } from '../define/tool.ts'
import { memoryStores } from '../memory/memory-stores.ts'
import { createRuntime } from '../runtime/create-runtime.ts'

describe('the time of a call', () => {
  test.each([
    [0, 1_000, 1_000],
    [1, 1_000, 2_100],
    [2, 1_000, 3_300],
    [6, 1_000, 7_000 + 100 + 200 + 400 + 800 + 1_600 + 2_000],
  ])(
    'with %d retries of %d ms is %d ms: every attempt and the longest pauses between them',
    (retries, timeoutMs, budgetMs) => {
      expect(callBudgetMs({ retries, timeoutMs })).toBe(budgetMs)
    },
  )

  test('grows with each retry by at least the time of an attempt', () => {
    fc.assert(
      fc.property(fc.nat(20), fc.integer({ min: 1, max: 100_000 }), (retries, timeoutMs) => {
        const more = callBudgetMs({ retries: retries + 1, timeoutMs })
        expect(more - callBudgetMs({ retries, timeoutMs })).toBeGreaterThan(timeoutMs)
      }),
    )
  })
})

const outage = () => new ToolError('TOOL_EXTERNAL_SERVICE_ERROR', 'Down.')
const caller = {
  tenant: 't',
  principal: 'ann',
  actor: 'user',
  roles: [],
  capabilities: [],
} as const

/** A read that fails as given, with every pause at its longest, or at the given share of it. */
function world(failures: readonly unknown[], { retries = 3, share = 0.999 } = {}) {
  const clock = fakeClock()
  const startedAt = clock.now()
  const triedAt: number[] = []
  const read = defineTool({
    id: 'site.read',
    title: 'Read',
    category: 'custom',
    description: 'Reads.',
    input: z.object({}),
    output: z.null(),
    contract: { effect: 'read', timeout: '1s', retries },
    async execute() {
      triedAt.push(Math.round(clock.now() - startedAt))
      const failure = failures[triedAt.length - 1]
      if (failure !== undefined) throw failure
      return null
    },
  })
  const chance = { newId: (prefix: string) => `${prefix}_1`, random: () => share }
  const runtime = createRuntime({
    packs: [definePack({ name: 'site', tools: [read] })],
    stores: memoryStores({ clock }),
    clock,
    entropy: chance,
  })
  async function outcomeOf(
    options: { signal?: AbortSignal; withinMs?: number } = {},
  ): Promise<Outcome | undefined> {
    let outcome: Outcome | undefined
    void runtime.call({ tool: read, input: {}, caller, ...options }).then((end) => {
      outcome = end
    })
    await clock.advance(60_000)
    return outcome
  }
  return { clock, outcomeOf, triedAt }
}

describe('a read that fails', () => {
  test('is tried again after growing pauses', async () => {
    const { outcomeOf, triedAt } = world([outage(), outage(), outage()])
    expect(await outcomeOf()).toMatchObject({ status: 'done' })
    expect(triedAt).toEqual([0, 100, 300, 699])
  })

  test('is jittered over the whole pause, down to none', async () => {
    const { outcomeOf, triedAt } = world([outage(), outage()], { share: 0 })
    await outcomeOf()
    expect(triedAt).toEqual([0, 0, 0])
  })

  test('as often as the contract allows reports its last failure', async () => {
    const last = new ToolError('TOOL_NETWORK_ERROR', 'Still down.')
    const { outcomeOf, triedAt } = world([outage(), outage(), last, outage()], { retries: 2 })
    expect(await outcomeOf()).toMatchObject({ status: 'failed', error: last })
    expect(triedAt).toHaveLength(3)
  })

  test('waits as long as the provider asks for', async () => {
    const asked = new ToolError('TOOL_RATE_LIMIT_EXCEEDED', 'Slow down.', {
      details: { retry_after_ms: 700 },
    })
    const { outcomeOf, triedAt } = world([asked])
    await outcomeOf()
    expect(triedAt).toEqual([0, 700])
  })

  test.each([
    ['a bug', new TypeError('x is undefined')],
    ['a refusal', new ToolError('TOOL_RESOURCE_NOT_FOUND', 'No such thing.')],
    ['a wrong credential', new ToolError('TOOL_API_KEY_INVALID', 'Who are you?')],
  ])('through %s is not tried again', async (_what, failure) => {
    const { outcomeOf, triedAt } = world([failure])
    expect(await outcomeOf()).toMatchObject({ status: 'failed' })
    expect(triedAt).toEqual([0])
  })
})

describe("the caller's deadline", () => {
  test('is not slept past', async () => {
    const { outcomeOf, triedAt } = world([outage(), outage()])
    expect(await outcomeOf({ withinMs: 250 })).toMatchObject({
      status: 'failed',
      error: { code: 'TOOL_EXTERNAL_SERVICE_ERROR' },
    })
    expect(triedAt).toEqual([0, 100])
  })

  test('is not slept past because a provider asks for it', async () => {
    const asked = new ToolError('TOOL_RATE_LIMIT_EXCEEDED', 'Slow down.', {
      details: { retry_after_ms: 3_600_000 },
    })
    const { outcomeOf, triedAt } = world([asked])
    expect(await outcomeOf()).toMatchObject({
      status: 'failed',
      error: { code: 'TOOL_RATE_LIMIT_EXCEEDED' },
    })
    expect(triedAt).toEqual([0])
  })
})

describe('a caller who disconnects during the pause', () => {
  test.each([undefined, new Error('The client is gone.'), 'gone'])(
    'is answered with a cancellation, whatever the reason was: %s',
    async (reason) => {
      const { clock, outcomeOf, triedAt } = world([outage()])
      const leaving = new AbortController()
      clock.after(50, () => leaving.abort(reason))
      expect(await outcomeOf({ signal: leaving.signal })).toMatchObject({
        status: 'failed',
        error: { code: 'TOOL_CANCELLED' },
      })
      expect(triedAt).toEqual([0])
    },
  )
})

test('retries stop when the budget of the provider is used up', async () => {
  const failures = Array.from({ length: 40 }, outage)
  const { outcomeOf, triedAt } = world(failures, { retries: 30, share: 0 })
  await outcomeOf()
  expect(triedAt).toHaveLength(11)
})

describe('a tool that changes its input', () => {
  const seen: string[][] = []
  const input = z.object({ items: z.array(z.string()) })
  const empty = { title: 'T', category: 'custom', description: 'Takes items.' } as const
  async function takeAll({ input: { items } }: { readonly input: z.output<typeof input> }) {
    seen.push(items.splice(0))
    if (seen.length === 1) throw new ToolError('TOOL_NETWORK_ERROR', 'Down.', { effect: 'none' })
    return null
  }
  const options = { ...empty, input, output: z.null(), execute: takeAll }
  const read = defineTool({
    ...options,
    id: 'site.read',
    contract: { effect: 'read', timeout: '1s', retries: 1 },
  })
  const write = defineTool({
    ...options,
    id: 'site.write',
    contract: {
      effect: 'writes.item',
      reversible: true,
      idempotency: 'caller',
      timeout: '1s',
      retries: 1,
    },
  })

  test.each([
    ['read', read],
    ['write', write],
  ])('gets the same one at its second attempt: a %s', async (_kind, tool) => {
    seen.length = 0
    const clock = fakeClock()
    const runtime = createRuntime({
      packs: [definePack({ name: 'site', tools: [read, write] })],
      stores: memoryStores({ clock }),
      clock,
    })
    const coming = runtime.call({ tool, input: { items: ['a', 'b'] }, caller })
    await clock.advance(1_000)
    expect(await coming).toMatchObject({ status: 'done' })
    expect(seen).toEqual([
      ['a', 'b'],
      ['a', 'b'],
    ])
  })
})
