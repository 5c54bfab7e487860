import { type FakeClock, fakeClock } from '@surehand/conformance'
import { beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { readShownFacts } from '../call/approval.ts'
import type { CallRow } from '../call/call-row.ts'
import type { Caller } from '../call/caller.ts'
import { hashJson } from '../call/canonical.ts'
import type { Outcome } from '../call/outcome.ts'
import { ToolError } from '../call/tool-error.ts'
import type { ApprovalRule, Contract } from '../define/contract.ts'
import { definePort, sameKey } from '../define/port.ts'
import { defineTool, type Tool, transact } from '../define/tool.ts'
import { defineTransaction } from '../define/transaction.ts'
import { memoryStores } from '../memory/memory-stores.ts'
import { auditEntryBy } from '../ports/audit-entry-by.ts'
import type { Stores } from '../ports/stores.ts'
import { createRuntime } from '../runtime/create-runtime.ts'
import type { Runtime, RuntimeOptions } from '../runtime/runtime.ts'

type Quote = { readonly hotel: string; readonly total: number; readonly terms?: string }
type Booking = { readonly stay: string; readonly facts: unknown; readonly idempotencyKey: string }
type Stays = {
  readonly quote: (stay: string, signal: AbortSignal) => Promise<Quote>
  readonly book: (booking: Booking, signal: AbortSignal) => Promise<{ readonly booked: number }>
  readonly find: (asked: unknown, signal: AbortSignal) => Promise<{ booked: number } | null>
}
type Input = { readonly stay: string }
type Rule = Exclude<ApprovalRule<Input, { stays: Stays }>, (...given: never) => unknown>

const ann: Caller = { tenant: 'acme', principal: 'ann', actor: 'user', roles: [], capabilities: [] }
const KEY = { idempotencyKey: 'k' }

let clock: FakeClock
let stores: Stores
let quote: Quote
let reads: number
let bookings: Booking[]
/** What the next readings and bookings do instead of succeeding. */
let onQuote: (signal: AbortSignal) => Promise<void>
let onBook: () => void

beforeEach(() => {
  clock = fakeClock()
  stores = memoryStores({ clock, schema: ['create table rooms (stay text, total integer)'] })
  quote = { hotel: 'Baixa', total: 100, terms: 'free until Friday' }
  reads = 0
  bookings = []
  onQuote = async () => undefined
  onBook = () => undefined
})

const stays: Stays = {
  async quote(_, signal) {
    reads++
    await onQuote(signal)
    return quote
  },
  async book(booking) {
    onBook()
    bookings.push(booking)
    return { booked: bookings.length }
  },
  find: async () => null,
}

const port = definePort<Stays>('stays', {
  quote: 'read',
  find: 'read',
  book: sameKey({ validFor: '24h' }),
})
const rule: Rule = {
  facts: ({ input, ports, signal }) => ports.stays.quote(input.stay, signal),
  asks: ({ stay }, found: Quote) => `Book ${stay} in ${found.hotel} for ${found.total}?`,
}

type More = {
  readonly rule?: Partial<Rule>
  readonly port?: typeof port
  readonly contract?: Partial<Contract<Input, never, never>>
}

function bookTool(more: More = {}): Tool {
  return defineTool({
    id: 'stays.book',
    description: 'Books a stay.',
    input: z.object({ stay: z.string() }),
    output: z.object({ booked: z.number() }),
    ports: { stays: more.port ?? port },
    contract: {
      effect: 'writes.booking',
      reversible: true,
      idempotency: 'caller',
      timeout: '200ms',
      ...more.contract,
      approval: { ...rule, ...more.rule },
    } as Contract<Input, { booked: number }, { stays: Stays }>,
    execute: ({ input, ports, facts, idempotencyKey, signal }) =>
      ports.stays.book({ stay: input.stay, facts, idempotencyKey }, signal),
  })
}

const bookRoom = defineTransaction(
  'rooms.book',
  async (tx, room: { readonly stay: string; readonly facts: Quote }) => {
    await tx.run('insert into rooms (stay, total) values (?, ?)', room.stay, room.facts.total)
    return { booked: 1 }
  },
)

const roomTool = (): Tool =>
  defineTool({
    id: 'stays.book',
    description: 'Books a room of our own.',
    input: z.object({ stay: z.string() }),
    output: z.object({ booked: z.number() }),
    ports: { stays: port },
    contract: {
      effect: 'writes.booking',
      reversible: true,
      idempotency: 'caller',
      timeout: '200ms',
      approval: rule,
    },
    transaction: transact(bookRoom, (given: { input: Input; facts: unknown }) => ({
      stay: given.input.stay,
      facts: given.facts as Quote,
    })),
  })

const open = (tool: Tool = bookTool(), more: Partial<RuntimeOptions> = {}): Runtime =>
  createRuntime({ tools: [tool], stores, clock, providers: { stays }, ...more })

const book = (runtime: Runtime, options: object = KEY): Promise<Outcome> =>
  runtime.as(ann).call('stays.book', { stay: 's1' }, options)

async function approve(runtime: Runtime, id?: string): Promise<string> {
  const pending = await runtime.approvals.list('acme', 'pending')
  const approval = id === undefined ? pending[0] : await runtime.approvals.get('acme', id)
  if (approval === undefined) throw new Error('Nothing is pending.')
  await runtime.approvals.decide(ann, approval.id, { verdict: 'approve', digest: approval.digest })
  return approval.id
}

const anEntry = (callId: string) =>
  auditEntryBy(
    ann,
    { id: `aud_${callId}`, now: clock.now() },
    { phase: 'decision', call_id: callId, tool_name: 'stays.book', outcome: 'test', success: true },
  )

/** Approves without continuing the call, as a process does that dies then. */
async function approveInStore(id: string, callId: string): Promise<void> {
  const by = { by: 'ann', credential: 'own', host: undefined, reason: undefined } as const
  await stores.approvals.decide('acme', id, { verdict: 'approve', ...by }, anEntry(callId))
}

/** Claims a call and lets its lease expire. */
async function claimAndDie(
  callId: string,
  before: (row: CallRow) => Promise<void> = async () => undefined,
): Promise<void> {
  const call = await stores.calls.get('acme', callId)
  if (call === undefined) throw new Error('The call has no row.')
  const claim = await stores.calls.claim({ call, leaseMs: 1_000, resumes: true })
  if (claim.kind !== 'claimed') throw new Error(`The claim is ${claim.kind}.`)
  await before(claim.row)
  await clock.advance(2_000)
}

function pendingOf(outcome: Outcome | undefined) {
  if (outcome?.status !== 'pending') throw new Error(`It is ${outcome?.status}, not pending.`)
  return { ...outcome.approval, ...readShownFacts(outcome.approval) }
}

describe('the approver sees the facts', () => {
  test('in the sentence and in what the digest covers', async () => {
    const asked = pendingOf(await book(open()))
    expect([asked.asks, asked.facts, asked.changed]).toEqual([
      'Book s1 in Baixa for 100?',
      quote,
      [],
    ])
    expect(asked.hash).toMatch(/^[0-9a-f]{64}$/)
    expect(JSON.parse(asked.shown)).toMatchObject({ facts: quote, facts_hash: asked.hash })
  })

  test('with invisible characters spelled out, and lines that are not there left out', async () => {
    quote = { hotel: 'Bai\u200bxa', total: 100 }
    const asked = pendingOf(await book(open()))
    expect(asked.facts).toEqual({ hotel: 'Bai⟨U+200B⟩xa', total: 100 })
  })

  test('but a call without approval reads none', async () => {
    const outcome = await book(open(bookTool({ rule: { when: () => false } })))
    expect([outcome.status, reads, bookings[0]?.facts]).toEqual(['done', 0, undefined])
  })
})

describe('facts that cannot be read are a failure of the call, and nobody is asked', () => {
  const NOT_JSON = async () => ({ at: new Date(0) }) as never
  test.each<[string, Partial<Rule>, string]>([
    [
      'a provider that refuses',
      {
        facts: async () => {
          throw new ToolError('TOOL_RESOURCE_NOT_FOUND', 'No such stay.')
        },
      },
      'TOOL_RESOURCE_NOT_FOUND',
    ],
    ['a bug', { facts: async () => JSON.parse('{') as never }, 'TOOL_INTERNAL_ERROR'],
    [
      'an effect',
      { facts: ({ ports }) => ports.stays.book({} as never, null as never) },
      'TOOL_CONFIGURATION_ERROR',
    ],
    ['what is not JSON', { facts: NOT_JSON }, 'TOOL_CONFIGURATION_ERROR'],
    [
      'more than a person can read',
      { facts: async () => 'x'.repeat(70_000) },
      'TOOL_CONFIGURATION_ERROR',
    ],
  ])('%s', async (_, broken, code) => {
    const runtime = open(bookTool({ rule: broken }), { onUnexpectedError: () => undefined })
    const outcome = await book(runtime)
    expect(outcome).toMatchObject({ status: 'failed', error: { code } })
    expect(outcome.status === 'failed' && outcome.error.message).toMatch(/Nothing has been done\.$/)
    expect([await runtime.approvals.list('acme'), bookings]).toEqual([[], []])
    expect(await stores.calls.find({ ...ann, toolId: 'stays.book', key: 'k' })).toBeUndefined()
  })

  test('a provider that takes too long', async () => {
    let signal: AbortSignal | undefined
    onQuote = (given) => {
      signal = given
      return new Promise(() => undefined)
    }
    const runtime = open()
    const coming = book(runtime)
    await clock.advance(200)
    expect(await coming).toMatchObject({
      status: 'failed',
      error: { code: 'TOOL_EXECUTION_TIMEOUT' },
    })
    expect([signal?.aborted, await runtime.approvals.list('acme')]).toEqual([true, []])
  })
})

const KINDS: readonly [string, () => Tool, () => Promise<number>][] = [
  ['an outside effect', () => bookTool(), async () => bookings.length],
  [
    'a transaction',
    roomTool,
    async () => (await stores.calls.query('select total from rooms')).length,
  ],
]

describe.each(KINDS)('%s', (_, tool, countEffects) => {
  test('happens when the facts are as approved, and its replay reads none', async () => {
    const runtime = open(tool())
    const { callId } = pendingOf(await book(runtime))
    await approve(runtime)
    expect(await runtime.answer(ann, callId)).toMatchObject({ status: 'done' })
    expect([reads, await countEffects()]).toEqual([2, 1])
    expect(await book(runtime)).toMatchObject({ status: 'done', source: 'replayed' })
    expect([reads, await countEffects()]).toEqual([2, 1])
  })

  test('does not happen when they differ: the person is asked again, and then it does', async () => {
    const runtime = open(tool())
    const first = pendingOf(await book(runtime))
    quote = { hotel: 'Baixa', total: 140 }
    await approve(runtime)
    expect(await countEffects()).toBe(0)
    const second = pendingOf(await runtime.answer(ann, first.callId))
    expect(second).toMatchObject({
      callId: first.callId,
      asks: 'Book s1 in Baixa for 140?',
      facts: quote,
      changed: [
        { path: 'total', before: 100, after: 140 },
        { path: 'terms', before: 'free until Friday' },
      ],
      askedBefore: 1,
    })
    expect(second.id).not.toBe(first.id)
    expect(await runtime.approvals.get('acme', first.id)).toMatchObject({
      state: 'used',
      decision: { verdict: 'approve', voided: { reason: 'facts_changed', replacedBy: second.id } },
    })
    expect(pendingOf(await book(runtime)).id).toBe(second.id)
    const records = await stores.audit.list({ tenant: 'acme', callId: first.callId })
    expect(records.find(({ outcome }) => outcome === 'facts_changed')).toMatchObject({
      phase: 'decision',
      request_id: first.id,
      success: false,
      error: `Changed since the approval: total, terms. Asked again as ${second.id}.`,
    })
    await approve(runtime, second.id)
    expect(await runtime.answer(ann, first.callId)).toMatchObject({ status: 'done' })
    expect(await countEffects()).toBe(1)
  })

  test('is given up when they differ after every approval, and its key is free', async () => {
    const runtime = open(tool())
    const { callId } = pendingOf(await book(runtime))
    for (let total = 101; total <= 104; total++) {
      quote = { ...quote, total }
      await approve(runtime)
    }
    expect(await runtime.answer(ann, callId)).toMatchObject({
      status: 'failed',
      error: {
        code: 'TOOL_GATE_CLOSED',
        details: {
          source_code: 'facts_changed',
          changed: [{ path: 'total', before: 103, after: 104 }],
        },
      },
    })
    expect([await runtime.approvals.list('acme', 'pending'), await countEffects()]).toEqual([[], 0])
    expect(pendingOf(await book(runtime)).askedBefore).toBe(0)
  })

  test('does not happen when the second request is denied or cancelled', async () => {
    const runtime = open(tool())
    const { callId } = pendingOf(await book(runtime))
    quote = { ...quote, total: 140 }
    await approve(runtime)
    expect(await runtime.cancel(ann, callId)).toBe(true)
    const other = pendingOf(await runtime.as(ann).call('stays.book', { stay: 's2' }))
    quote = { ...quote, total: 150 }
    await approve(runtime, other.id)
    const again = pendingOf(await runtime.answer(ann, other.callId))
    await runtime.approvals.decide(ann, again.id, { verdict: 'deny', digest: again.digest })
    expect(await runtime.answer(ann, other.callId)).toMatchObject({ status: 'failed' })
    expect(await countEffects()).toBe(0)
  })

  test('waits while the facts cannot be read, and fails where they never can be', async () => {
    const runtime = open(tool())
    const { callId } = pendingOf(await book(runtime))
    onQuote = async () => {
      throw new ToolError('TOOL_RESOURCE_UNAVAILABLE', 'Closed for lunch.')
    }
    await approve(runtime)
    expect(await runtime.answer(ann, callId)).toMatchObject({ status: 'accepted' })
    onQuote = async () => undefined
    expect(await book(runtime)).toMatchObject({ status: 'done' })

    const other = pendingOf(await runtime.as(ann).call('stays.book', { stay: 's2' }))
    onQuote = async () => {
      throw new ToolError('TOOL_RESOURCE_NOT_FOUND', 'It is gone.')
    }
    await approve(runtime, other.id)
    expect(await runtime.answer(ann, other.callId)).toMatchObject({
      status: 'failed',
      error: { code: 'TOOL_RESOURCE_NOT_FOUND' },
    })
    expect(await countEffects()).toBe(1)
  })
})

describe('between the approval and the effect', () => {
  test('a transaction is not run for an approval whose facts were not compared', async () => {
    const [runtime, other] = [open(roomTool()), open(roomTool())]
    const { callId } = pendingOf(await book(runtime))
    // While the facts of the first approval are read, another process finds them changed and asks
    // again; that is approved, and then they change back.
    onQuote = async () => {
      onQuote = async () => undefined
      quote = { ...quote, total: 140 }
      await approveInStore(pendingOf(await book(other)).id, callId)
      quote = { ...quote, total: 100 }
    }
    await approve(runtime)
    expect(pendingOf(await runtime.answer(ann, callId))).toMatchObject({
      askedBefore: 2,
      changed: [{ path: 'total', before: 140, after: 100 }],
    })
    expect(await stores.calls.query('select total from rooms')).toEqual([])
  })

  test('facts are compared before every retry', async () => {
    const runtime = open(bookTool({ contract: { retries: 3 } }))
    const { callId } = pendingOf(await book(runtime))
    onBook = () => {
      quote = { ...quote, total: 140 }
      throw new ToolError('TOOL_RESOURCE_UNAVAILABLE', 'Refused.', { effect: 'none' })
    }
    const approving = approve(runtime)
    await clock.advance(10_000)
    await approving
    expect(pendingOf(await runtime.answer(ann, callId)).changed).toEqual([
      { path: 'total', before: 100, after: 140 },
    ])
    expect([bookings.length, (await stores.calls.get('acme', callId))?.effect]).toEqual([
      0,
      undefined,
    ])
    onBook = () => undefined
    await approve(runtime)
    expect(bookings).toMatchObject([{ facts: { total: 140 } }])
  })

  test('a call whose process died before the effect compares them', async () => {
    const runtime = open()
    const { callId, id } = pendingOf(await book(runtime))
    await approveInStore(id, callId)
    await claimAndDie(callId)
    quote = { ...quote, total: 140 }
    await runtime.sweep()
    expect(pendingOf(await runtime.answer(ann, callId)).askedBefore).toBe(1)
    expect(bookings).toEqual([])
  })

  test('a call whose process died after the effect began does not, and repeats the same request', async () => {
    const runtime = open()
    const { callId, id } = pendingOf(await book(runtime))
    await approveInStore(id, callId)
    await claimAndDie(callId, async (row) => {
      const args = { stay: 's1', facts: quote, idempotencyKey: row.providerKey }
      const mark = { port: 'stays', method: 'book', argsHash: hashJson(args) }
      await stores.calls.startEffect(row, mark, anEntry(callId))
    })
    quote = { ...quote, total: 140 }
    await runtime.sweep()
    expect(await runtime.answer(ann, callId)).toMatchObject({ status: 'done' })
    expect([reads, bookings]).toMatchObject([1, [{ facts: { total: 100 } }]])
  })
})

test('an edited request reads the facts of the new input', async () => {
  const runtime = open()
  const { id } = pendingOf(await book(runtime))
  quote = { hotel: 'Alfama', total: 90 }
  const edited = await runtime.approvals.edit(ann, id, { stay: 's9' })
  expect([edited.asks, readShownFacts(edited).facts]).toEqual([
    'Book s9 in Alfama for 90?',
    { hotel: 'Alfama', total: 90 },
  ])
  await approve(runtime, edited.id)
  expect(bookings).toMatchObject([{ stay: 's9', facts: { total: 90 } }])
})

test('an edit whose facts cannot be read changes nothing', async () => {
  const runtime = open()
  const { id } = pendingOf(await book(runtime))
  onQuote = async () => {
    throw new ToolError('TOOL_RESOURCE_UNAVAILABLE', 'Closed for lunch.')
  }
  await expect(runtime.approvals.edit(ann, id, { stay: 's9' })).rejects.toThrow('Closed for lunch.')
  expect(await runtime.approvals.get('acme', id)).toMatchObject({ state: 'pending' })
})

test('an approval that was given before the tool had facts is asked again', async () => {
  const before = open(bookTool({ rule: { facts: undefined, asks: () => 'Book?' } as never }))
  const { callId } = pendingOf(await book(before))
  await approve(open())
  expect(pendingOf(await open().answer(ann, callId)).changed).toEqual([{ path: '', after: quote }])
  expect(bookings).toEqual([])
})

test('a policy that demands an approval for every input shows the facts too', async () => {
  const runtime = open(bookTool({ rule: { when: () => false } }), {
    policyOf: () => ({ version: 1, approvals: [{ tools: 'stays.*', kind: 'confirm' }] }),
  })
  expect(pendingOf(await book(runtime)).facts).toEqual(quote)
  quote = { ...quote, total: 140 }
  await approve(runtime)
  expect(bookings).toEqual([])
})

describe('unless', () => {
  const cheap = bookToolUnless(50)

  function bookToolUnless(most: number): Tool {
    return bookTool({ rule: { unless: (_: Input, found: Quote) => found.total <= most } })
  }

  test('nothing is asked where it holds of the facts, and the call runs at once', async () => {
    quote = { ...quote, total: 50 }
    expect(await book(open(cheap))).toMatchObject({ status: 'done', data: { booked: 1 } })
    expect(await stores.approvals.list('acme', 'pending', { limit: 10 })).toEqual([])
  })

  test('a fact beyond it is asked about', async () => {
    expect(pendingOf(await book(open(cheap))).asks).toBe('Book s1 in Baixa for 100?')
    expect(bookings).toEqual([])
  })

  test('a policy that demands an approval demands it all the same', async () => {
    quote = { ...quote, total: 50 }
    const approvals = [{ tools: 'stays.*', kind: 'confirm' }] as const
    const runtime = open(cheap, { policyOf: () => ({ version: 1, approvals }) })
    expect((await book(runtime)).status).toBe('pending')
  })

  test.each([
    ['a job runs where it still holds', 50, 'done', 1],
    ['a job whose facts have changed since is refused', 60, 'failed', 0],
  ])('%s', async (_, total, status, booked) => {
    quote = { ...quote, total: 50 }
    const runtime = open({ ...cheap, isDeferred: true })
    const { facts } = await book(runtime)
    quote = { ...quote, total }
    await clock.advance(61_000)
    await runtime.sweep()
    expect((await runtime.answer(ann, facts.callId))?.status).toBe(status)
    expect(bookings).toHaveLength(booked)
  })

  test('without facts it is refused at definition', () => {
    const unless = () => true
    expect(() =>
      bookTool({ rule: { unless, facts: undefined, asks: () => 'Book?' } as never }),
    ).toThrow('approval.unless takes facts')
  })
})
