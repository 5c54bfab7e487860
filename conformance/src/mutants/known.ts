import { randomUUID } from 'node:crypto'
import type { CallRow } from '@surehand/core/ports'
import type { Mutant } from '../mutant.ts'
import {
  brokenCaller,
  brokenProvider,
  brokenRequest,
  brokenStore,
  brokenSurface,
  without,
} from './broken.ts'

/** Mutants that more than one behaviour is tried with. */

export const dropsTheKey: Mutant = brokenRequest(
  'a surface that drops the idempotency key',
  (request) => without(request, 'idempotencyKey'),
)

export const dropsTheSignal: Mutant = brokenRequest(
  "a surface that drops the caller's signal",
  (request) => without(request, 'signal'),
)

export const dropsTheDeadline: Mutant = brokenRequest(
  "a surface that drops the caller's deadline",
  (request) => without(request, 'withinMs'),
)

export const forgetsTheAgent: Mutant = brokenCaller(
  'a surface that treats an agent as the person it acts for',
  (caller) => ({
    ...caller,
    actor: 'user',
  }),
)

/** Every held row is shown as if it belonged to the asking caller's input. */
export const ignoresTheInput: Mutant = {
  breaks: 'a ledger that knows keys and ignores what they were used for',
  stores: (stores) => {
    const asAsked = <A extends { readonly kind: string }>(answer: A, inputHash: string): A =>
      'row' in answer && answer.kind === 'held'
        ? { ...answer, row: { ...(answer.row as CallRow), inputHash } }
        : answer
    return {
      ...stores,
      calls: {
        ...stores.calls,
        find: () => undefined,
        claim: async (request) =>
          asAsked(await stores.calls.claim(request), request.call.inputHash),
        queue: async (call) => asAsked(await stores.calls.queue(call), call.inputHash),
      },
      approvals: {
        ...stores.approvals,
        ask: async (question, call) =>
          asAsked(await stores.approvals.ask(question, call), call.inputHash),
      },
    }
  },
}

/** Of two callers both get the claim. */
export const grantsEveryClaim: Mutant = brokenStore(
  'calls',
  'a ledger that grants every claim',
  (calls) => ({
    find: () => undefined,
    async claim(request) {
      const claim = await calls.claim(request)
      return claim.kind === 'held' ? { kind: 'claimed', row: claim.row } : claim
    },
  }),
)

export const standingStoreClock: Mutant = {
  breaks: 'a store whose clock stands still',
  storeClock: (clock) => {
    const startedAt = clock.now()
    return { ...clock, now: () => startedAt }
  },
}

export const oneCacheForAll: Mutant = brokenStore(
  'cache',
  'a cache with one entry for all callers',
  (cache) => ({
    get: () => cache.get('everybody'),
    set: (_, value, ttlMs) => cache.set('everybody', value, ttlMs),
  }),
)

export const forgetfulCache: Mutant = brokenStore(
  'cache',
  'a cache that remembers nothing',
  () => ({ get: () => undefined }),
)

export const noPolicy: Mutant = {
  breaks: "a runtime that never reads its tenant's policy",
  policy: () => undefined,
}

export const keyOfEachRequest: Mutant = brokenProvider(
  'orders.make',
  'an adapter that makes a key of its own for each request',
  (right) => (args, signal) => right({ ...args, key: randomUUID() }, signal),
)

export const forgetsWhenItBegan: Mutant = brokenStore(
  'calls',
  'a ledger that forgets when an effect began',
  (calls) => ({
    async get(tenant, callId) {
      const row = await calls.get(tenant, callId)
      return row?.effect === undefined
        ? row
        : { ...row, effect: { ...row.effect, startedAt: row.readAt, lastStartedAt: row.readAt } }
    },
  }),
)

export const losesDecisions: Mutant = {
  breaks: 'stores that keep no record of a decision',
  stores: (stores) => ({
    ...stores,
    approvals: {
      ...stores.approvals,
      decide: (tenant, id, decision, entry) =>
        stores.approvals.decide(tenant, id, decision, { ...entry, tenant: 'nowhere' }),
    },
    audit: {
      ...stores.audit,
      append: (entry, durability) =>
        entry.phase === 'decision' ? undefined : stores.audit.append(entry, durability),
    },
  }),
}

export const reportsEveryAbortAsCancelled: Mutant = brokenSurface(
  'a surface that reports every disconnected caller as cancelled',
  (surface) => ({
    async call(request) {
      const answer = await surface.call(request)
      return request.signal?.aborted
        ? { ...answer, error: { code: 'TOOL_CANCELLED', message: 'Nothing happened.' } }
        : answer
    },
  }),
)
