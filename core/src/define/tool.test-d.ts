import { z } from 'zod'
import type { Caller } from '../call/caller.ts'
import type { Runtime } from '../runtime/runtime.ts'
import { definePort, lookUp, sameKey } from './port.ts'
import { sensitive } from './sensitive.ts'
import { defineTool, type Tool, transact } from './tool.ts'
import { defineTransaction } from './transaction.ts'

declare const runtime: Runtime
declare const caller: Caller

interface Booking {
  book(
    args: { slotId: string; idempotencyKey: string },
    signal: AbortSignal,
  ): Promise<{ confirmation: string }>
  find(
    args: { idempotencyKey: string; args: unknown },
    signal: AbortSignal,
  ): Promise<{ confirmation: string } | null>
}
const booking = definePort<Booking>('booking', { book: sameKey({ validFor: '24h' }), find: 'read' })

const described = {
  title: 'Book',
  category: 'integration',
  description: 'Books a held slot.',
} as const
const input = z.object({
  slotId: z.string(),
  seats: z.number().default(1),
  token: sensitive(z.string()).optional(),
})
const output = z.object({ confirmation: z.string(), seats: z.number() })
const write = { effect: 'writes.booking', reversible: false, idempotency: 'caller' } as const

// ports

// @ts-expect-error a forgotten method would run unguarded
definePort<Booking>('booking', { book: sameKey({ validFor: '24h' }) })

// @ts-expect-error a method the interface does not have
definePort<Booking>('booking', { book: sameKey({ validFor: '24h' }), find: 'read', cancel: 'read' })

// @ts-expect-error an effect says how it is recovered
definePort<Booking>('booking', { book: 'write', find: 'read' })

// @ts-expect-error every method takes one argument and a signal, and is asynchronous
definePort<{ now(): number }>('clock', { now: 'read' })

definePort<Booking>('booking', { book: lookUp({ method: 'find', settle: '30s' }), find: 'read' })

// what compiles: every function of a contract knows the parsed input

export const book = defineTool({
  ...described,
  id: 'booking.book',
  input,
  output,
  ports: { booking },
  contract: {
    effect: 'writes.booking',
    reversible: false,
    idempotency: ({ slotId, seats }) => `${slotId.trim()}/${seats.toFixed()}`,
    approval: ({ slotId, token }) => `Book ${slotId.trim()}${token?.trim()}?`,
    limits: [{ calls: 3, per: '1m', by: ({ slotId }) => slotId.trim() }],
    budgets: [{ name: 'seats', max: 9, key: ({ seats }) => seats.toFixed() }],
    gates: [
      {
        name: 'open',
        check: ({ input, caller, now }) =>
          input.seats < now() ? undefined : { message: caller.principal.trim() },
      },
    ],
  },
  examples: [{ name: 'one seat', input: { slotId: 's1' } }],
  check: async ({ input, ports }) => {
    await ports.booking.find(
      { idempotencyKey: input.slotId.trim(), args: input.seats.toFixed() },
      AbortSignal.abort(),
    )
  },
  execute: async ({ input, ports, idempotencyKey, signal }) => {
    const { confirmation } = await ports.booking.book(
      { slotId: input.slotId.trim(), idempotencyKey },
      signal,
    )
    return { confirmation: confirmation.trim(), seats: input.seats }
  },
})

export const look = defineTool({
  ...described,
  id: 'booking.look',
  input,
  output,
  ports: { booking },
  contract: {
    effect: 'read',
    cache: { ttl: '1m', fresh: ({ seats }) => seats > 4 },
    fallback: ({ input, ports }, failure) => ({
      confirmation: `${failure.code}${typeof ports.booking.find}`,
      seats: input.seats,
    }),
  },
  execute: async ({ input }) => ({ confirmation: input.slotId, seats: input.seats }),
})

const insert = defineTransaction(
  'booking.insert',
  async (_tx, args: { readonly slotId: string }) => ({
    confirmation: args.slotId,
    seats: 1,
  }),
)
export const local = defineTool({
  ...described,
  id: 'booking.local',
  input,
  output,
  contract: write,
  transaction: transact(insert, (execution: { readonly input: z.output<typeof input> }) => ({
    slotId: execution.input.slotId.trim(),
  })),
})

// what doesn't

defineTool({
  ...described,
  id: 'a.b',
  input,
  output,
  contract: write,
  // @ts-expect-error the answer lacks `seats`
  execute: async () => ({ confirmation: 'c' }),
})

defineTool({
  ...described,
  id: 'a.b',
  input,
  output,
  contract: write,
  // @ts-expect-error the answer has the wrong type
  execute: async () => ({ confirmation: 'c', seats: 'two' }),
})

defineTool({
  ...described,
  id: 'a.b',
  input,
  output,
  contract: write,
  // @ts-expect-error execute is asynchronous
  execute: () => ({ confirmation: 'c', seats: 1 }),
})

const unnamedPort = { ...described, id: 'a.b', input, output: z.null(), contract: write }
defineTool({
  ...unnamedPort,
  execute: async ({ ports, idempotencyKey, signal }) =>
    // @ts-expect-error a port that the tool did not name
    ports.booking.book({ slotId: 's', idempotencyKey }, signal),
})

defineTool({
  ...described,
  id: 'a.b',
  input,
  output: z.string(),
  contract: write,
  // @ts-expect-error the input has no field `room`
  execute: async ({ input }) => input.room,
})

// @ts-expect-error no work at all
defineTool({ ...described, id: 'a.b', input, output, contract: write })

const countRows = defineTransaction(
  'booking.count',
  async (_tx, _args: { readonly slotId: string }) => ({ rows: 1 }),
)
const toArgs = (execution: { readonly input: { readonly slotId: string } }) => ({
  slotId: execution.input.slotId,
})
defineTool({
  ...described,
  id: 'a.b',
  input,
  output,
  contract: write,
  // @ts-expect-error the transaction's answer is not the tool's output
  transaction: transact(countRows, toArgs),
})

// @ts-expect-error the transaction takes other arguments
transact(insert, () => ({ room: 1 }))

const both = {
  execute: async () => ({ confirmation: 'c', seats: 1 }),
  transaction: transact(insert, toArgs),
}
// @ts-expect-error one kind of work, not two
defineTool({ ...described, id: 'a.b', input, output, contract: write, ...both })

const example = {
  ...described,
  id: 'a.b',
  input,
  output: z.null(),
  contract: write,
  execute: async () => null,
}
// @ts-expect-error an example is an input
defineTool({ ...example, examples: [{ name: 'nothing', input: {} }] })

// @ts-expect-error a category is text
defineTool({ ...example, category: 7 })

// the contract is checked inside a tool as it is on its own

const uncontracted = { ...described, id: 'a.b', input, output: z.null(), execute: async () => null }
defineTool({
  ...uncontracted,
  contract: {
    effect: 'writes.booking',
    reversible: false,
    idempotency: 'caller',
    // @ts-expect-error a cached write
    cache: { ttl: '1m' },
  },
})
// @ts-expect-error a write without idempotency
defineTool({ ...uncontracted, contract: { effect: 'writes.booking', reversible: false } })
// @ts-expect-error a read with approval
defineTool({ ...uncontracted, contract: { effect: 'read', approval: () => 'Look?' } })
// @ts-expect-error a time without its unit
defineTool({ ...uncontracted, contract: { effect: 'read', timeout: 5000 } })
// @ts-expect-error an unknown effect
defineTool({ ...uncontracted, contract: { effect: 'write' } })

// calls in process

export const callTyped = async (): Promise<string> => {
  const outcome = await runtime.call({ tool: book, input: { slotId: 's1' }, caller })
  return outcome.status === 'done' ? outcome.data.confirmation : outcome.facts.callId
}

export const byName = async (): Promise<unknown> => {
  const outcome = await runtime.call({
    tool: 'booking.book',
    input: { anything: 1 },
    caller,
    surface: 'test',
  })
  return outcome.status === 'done' ? outcome.data : undefined
}

// @ts-expect-error a field of the wrong type
runtime.call({ tool: book, input: { slotId: 5 }, caller })

// @ts-expect-error a field is missing
runtime.call({ tool: book, input: {}, caller })

// @ts-expect-error a call has an input
runtime.call({ tool: book, caller })

// @ts-expect-error a call has a caller
runtime.call({ tool: book, input: { slotId: 's1' } })

// @ts-expect-error only the runtime resumes
runtime.call({ tool: book, input: { slotId: 's1' }, caller, resumes: undefined })

export const erased: readonly Tool[] = [book, look, local]
