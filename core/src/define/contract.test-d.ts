import type { ToolError } from '../call/tool-error.ts'
import type { ApprovalRule, Contract, ReadContract, WriteContract } from './contract.ts'

type Input = { readonly slotId: string; readonly seats: number }
type Output = { readonly confirmation: string }
type Ports = { readonly booking: { readonly seatsLeft: (slotId: string) => Promise<number> } }
type Booking = Contract<Input, Output, Ports>

// what compiles

export const barestRead: Booking = { effect: 'none' }
export const barestNavigation: Booking = { effect: 'read-only-nav' }
export const barestWrite: Booking = {
  effect: 'writes.booking',
  reversible: false,
  idempotency: 'caller',
}

export const fullRead: Booking = {
  effect: 'read',
  permissions: {
    roles: ['user'],
    capabilities: ['booking.read', { name: 'booking.list', scope: 'self' }],
  },
  auth: 'session',
  timeout: '1.5s',
  retries: 2,
  latencyBudget: '250ms',
  limits: [
    { calls: 10, per: '1m' },
    { calls: 20, per: '1h', by: 'tenant' },
    { calls: 3, per: '1d', by: ({ slotId }) => slotId.toUpperCase() },
  ],
  budgets: [{ name: 'seats', max: 2, key: ({ slotId }) => slotId.trim() }],
  gates: [
    {
      name: 'open',
      check: async ({ input, ports }) =>
        (await ports.booking.seatsLeft(input.slotId)) > 0 ? undefined : { message: 'Full.' },
    },
  ],
  cache: {
    ttl: ({ seats }) => (seats.toFixed() === '1' ? '5m' : '1m'),
    shared: true,
    fresh: ({ seats }) => seats > 4,
  },
  fallback: ({ input }, failure: ToolError) => ({
    confirmation: `${input.slotId.trim()} ${failure.code}`,
  }),
  audit: 'before-answer',
}

export const fullWrite: Booking = {
  effect: 'writes.booking',
  reversible: true,
  idempotency: ({ slotId, seats }) => `${slotId.trim()}/${seats.toFixed()}`,
  approval: {
    kind: 'admin',
    asks: ({ slotId }) => `Book ${slotId.trim()}?`,
    expires: '1h',
    when: ({ seats }) => seats > 4,
  },
  onRefusal: 'release',
}

type Quote = { readonly total: number; readonly terms?: string }
type Quotes = {
  readonly quotes: { readonly read: (id: string, signal: AbortSignal) => Promise<Quote> }
}

// facts are read from the ports, and their type is the second parameter of the sentence
export const withFacts: ApprovalRule<Input, Quotes> = {
  facts: ({ input, ports, signal }) => ports.quotes.read(input.slotId, signal),
  asks: ({ slotId }, quote: Quote) => `Book ${slotId.trim()} for ${quote.total.toFixed(2)}?`,
}

export const sentence: ApprovalRule<Input> = ({ slotId, seats }) =>
  `Book ${seats.toFixed()} seats of ${slotId.trim()}?`

// a fallback may decline, at once or later
export const declines: ReadContract<Input, Output, Ports>['fallback'] = async () => undefined

// what doesn't: of a write

export const cachedWrite: Booking = {
  effect: 'writes.booking',
  reversible: false,
  idempotency: 'caller',
  // @ts-expect-error a write is never answered from a cache
  cache: { ttl: '1m' },
}

// @ts-expect-error a stand-in for a write would say "done" of what was not done
export const writeWithFallback: Booking = {
  effect: 'writes.booking',
  reversible: false,
  idempotency: 'caller',
  fallback: () => undefined,
}

// @ts-expect-error what makes two calls the same one must be said
export const writeWithoutIdempotency: Booking = { effect: 'writes.booking', reversible: false }

// @ts-expect-error whether it can be undone must be said
export const writeWithoutReversible: Booking = { effect: 'writes.booking', idempotency: 'caller' }

export const writeWithBatchedAudit: Booking = {
  effect: 'writes.booking',
  reversible: false,
  idempotency: 'caller',
  // @ts-expect-error a write is always on record before its answer
  audit: 'batched',
}

export const writeWithNoneAsKey: Booking = {
  effect: 'writes.booking',
  reversible: false,
  // @ts-expect-error "none" is what a read has
  idempotency: 'none',
}

export const writeWithNumericKey: Booking = {
  effect: 'writes.booking',
  reversible: false,
  // @ts-expect-error a key is text
  idempotency: ({ seats }) => seats,
}

// @ts-expect-error facts belong to an approval, and an approval asks something
export const factsWithoutSentence: ApprovalRule<Input> = { facts: async () => null }

export const factsWithoutApproval: Booking = {
  effect: 'writes.booking',
  reversible: false,
  idempotency: 'caller',
  // @ts-expect-error facts belong to an approval
  facts: async () => null,
}

export const factsThatAreNotJson: ApprovalRule<Input> = {
  // @ts-expect-error a date is not JSON: it cannot be stored and compared
  facts: async () => ({ at: new Date(0) }),
  asks: () => 'Book?',
}

export const factsFromMissingPort: ApprovalRule<Input, Quotes> = {
  // @ts-expect-error the ports have no `payments`
  facts: ({ ports }) => ports.payments.quote(),
  asks: () => 'Book?',
}

// what doesn't: of a read

// @ts-expect-error a read needs no approval
export const readWithApproval: Booking = { effect: 'read', approval: () => 'Look?' }

// @ts-expect-error a read has no key
export const readWithIdempotency: Booking = { effect: 'read', idempotency: 'caller' }

// @ts-expect-error a read has nothing to undo
export const readWithReversible: Booking = { effect: 'none', reversible: true }

// @ts-expect-error a read has no key that a refusal could release
export const readWithOnRefusal: Booking = { effect: 'read', onRefusal: 'release' }

// @ts-expect-error moving about on a page is never cached
export const cachedNavigation: Booking = { effect: 'read-only-nav', cache: { ttl: '1m' } }

// @ts-expect-error moving about on a page has no stand-in
export const navigationWithFallback: Booking = {
  effect: 'read-only-nav',
  fallback: () => undefined,
}

// @ts-expect-error `false` is not a way to say `shared`: leave it out
export const sharedFalse: Booking = { effect: 'read', cache: { ttl: '1m', shared: false } }

// @ts-expect-error a stand-in has the shape of the real answer
export const wrongFallback: Booking = { effect: 'read', fallback: () => ({ confirmed: true }) }

// what doesn't: of any

// @ts-expect-error 5000 of what?
export const timeoutWithoutUnit: Booking = { effect: 'read', timeout: 5000 }

// @ts-expect-error an unknown effect
export const unknownEffect: Booking = { effect: 'deletes.booking' }

// @ts-expect-error what a contract touches must be said
export const withoutEffect: Booking = {}

// @ts-expect-error an unknown option
export const unknownOption: Booking = { effect: 'read', retry: 3 }

// @ts-expect-error a limit has a window
export const limitWithoutWindow: Booking = { effect: 'read', limits: [{ calls: 10 }] }

export const limitByMissingField: Booking = {
  effect: 'read',
  // @ts-expect-error the input has no field `room`
  limits: [{ calls: 10, per: '1m', by: (input) => input.room }],
}

export const gateOnMissingPort: Booking = {
  effect: 'read',
  // @ts-expect-error the ports have no `payments`
  gates: [{ name: 'paid', check: ({ ports }) => ports.payments.paid() }],
}

export type WriteHasNoCache = Expect<WriteContract<Input, Ports>['cache'], undefined>
type Expect<Actual extends Expected, Expected> = Actual
