import { ToolError } from '@surehand/core'
import { fromProviderStatus } from '@surehand/core/host'
import { expect } from 'vitest'
import type { Behaviour } from '../behaviour.ts'
import { codeOrStatus, countRequests, detailsOf, listEffects } from '../judge.ts'
import type { Mutant } from '../mutant.ts'
import { brokenProvider, brokenSurface } from '../mutants/broken.ts'

const look = { tool: 'shelf.retrying', input: { item: 'lamp' } }

/** An adapter that translates what its provider throws into something else. */
function translating(breaks: string, translate: (thrown: ToolError) => ToolError): Mutant {
  return brokenProvider(
    'shelf.look',
    breaks,
    (right) => (args, signal) =>
      right(args, signal).catch((thrown: ToolError) => {
        throw translate(thrown)
      }),
  )
}

/** What is retried, how often, and when the circuit breaker opens. */
export const retries: readonly Behaviour[] = [
  {
    id: 'retry.retryable-only',
    sentence: 'errors that the table calls retryable are retried; refusals and bugs are not',
    rules: '§6',
    needs: [],
    mutant: translating('an adapter that calls every failure an outage', () =>
      fromProviderStatus(503, 'Down.'),
    ),
    async run(world) {
      world.emulator.next('shelf.look', { kind: 'status', status: 503 })
      expect(codeOrStatus(await world.call(look))).toBe('success')
      expect(countRequests(world, 'shelf.look')).toBe(2)
      world.emulator.next('shelf.look', { kind: 'status', status: 404 })
      expect(codeOrStatus(await world.call(look))).toBe('TOOL_RESOURCE_NOT_FOUND')
      world.emulator.next('shelf.look', { kind: 'bug' })
      expect(codeOrStatus(await world.call(look))).toBe('TOOL_INTERNAL_ERROR')
      expect(countRequests(world, 'shelf.look')).toBe(4)
    },
  },
  {
    id: 'retry.as-often-as-declared',
    sentence:
      'a call is attempted as often as its contract says, and the last failure is its answer',
    rules: '§6',
    needs: [],
    mutant: brokenSurface('a surface that retries by itself', (surface) => ({
      async call(request) {
        const first = await surface.call(request)
        return first.status === 'error' ? surface.call(request) : first
      },
    })),
    async run(world) {
      world.emulator.next(
        'shelf.look',
        { kind: 'status', status: 500 },
        { kind: 'status', status: 502 },
        { kind: 'status', status: 503 },
      )
      const answer = await world.call(look)
      expect([codeOrStatus(answer), detailsOf(answer).provider_status]).toEqual([
        'TOOL_EXTERNAL_SERVICE_ERROR',
        503,
      ])
      expect(countRequests(world, 'shelf.look')).toBe(3)
    },
  },
  {
    id: 'retry.waits-as-asked',
    sentence: 'a retry waits as long as the provider asked for',
    rules: '§6',
    needs: [],
    mutant: translating(
      'an adapter that loses Retry-After',
      (thrown) => new ToolError(thrown.code, thrown.message),
    ),
    async run(world) {
      const patient = { tool: 'shelf.patient', input: { item: 'lamp' } }
      world.emulator.next('shelf.look', { kind: 'status', status: 429, retryAfterMs: 7_000 })
      const startedAt = world.clock.now()
      expect(codeOrStatus(await world.call(patient))).toBe('success')
      expect(world.clock.now() - startedAt).toBeGreaterThanOrEqual(7_000)
    },
  },
  {
    id: 'retry.within-the-deadline',
    sentence: 'a call whose next retry would be after the deadline is answered at once',
    rules: '§6',
    needs: [],
    mutant: translating(
      'an adapter that loses Retry-After',
      (thrown) => new ToolError(thrown.code, thrown.message),
    ),
    async run(world) {
      world.emulator.next('shelf.look', { kind: 'status', status: 429, retryAfterMs: 3_600_000 })
      const startedAt = world.clock.now()
      const answer = await world.call(look)
      expect([codeOrStatus(answer), detailsOf(answer).retry_after_ms]).toEqual([
        'TOOL_RATE_LIMIT_EXCEEDED',
        3_600_000,
      ])
      expect([world.clock.now() - startedAt, countRequests(world, 'shelf.look')]).toEqual([0, 1])
    },
  },
  {
    id: 'retry.budget',
    sentence: 'retries add at most a tenth to the load of a failing provider',
    rules: '§6',
    needs: [],
    mutant: brokenSurface('a surface that retries by itself', (surface) => ({
      async call(request) {
        const first = await surface.call(request)
        return first.error === undefined ? first : surface.call(request)
      },
    })),
    async run(world) {
      world.emulator.always('shelf.look', { kind: 'status', status: 429 })
      // Unlimited retries would double the load; this many calls tell that from a tenth.
      const calls = 60
      for (let call = 0; call < calls; call++)
        await world.call({ ...look, input: { item: `lamp ${call}` } })
      // a tenth, and the ten a fresh start may have saved up
      expect(countRequests(world, 'shelf.look')).toBeLessThanOrEqual(calls * 1.1 + 11)
      expect(countRequests(world, 'shelf.look')).toBeGreaterThan(calls)
    },
  },
  {
    id: 'breaker.opens-and-recovers',
    sentence: 'the circuit breaker opens for a failing provider, then half-opens, then closes',
    rules: '§6',
    needs: [],
    mutant: translating(
      'an adapter that reports an outage as a bug of its own',
      () => new ToolError('TOOL_INTERNAL_ERROR', 'Oops.'),
    ),
    async run(world) {
      const once = { tool: 'shelf.look', input: { item: 'lamp' } }
      world.emulator.always('shelf.look', { kind: 'status', status: 503 })
      for (let call = 0; call < 5; call++) await world.call(once)
      const left = await world.call(once)
      expect([codeOrStatus(left), countRequests(world, 'shelf.look')]).toEqual([
        'TOOL_RESOURCE_UNAVAILABLE',
        5,
      ])
      await world.clock.advance(Number(detailsOf(left).retry_after_ms))
      await world.call(once)
      expect([codeOrStatus(await world.call(once)), countRequests(world, 'shelf.look')]).toEqual([
        'TOOL_RESOURCE_UNAVAILABLE',
        6,
      ])
      world.emulator.always('shelf.look', undefined)
      await world.clock.advance(10_000)
      expect([codeOrStatus(await world.call(once)), codeOrStatus(await world.call(once))]).toEqual([
        'success',
        'success',
      ])
    },
  },
  {
    id: 'breaker.counts-time-outs',
    sentence: 'the circuit breaker counts timeouts too',
    rules: '§6',
    needs: [],
    mutant: brokenProvider(
      'shelf.look',
      'an adapter that reports a timeout as a bug',
      (right) => async (args, signal) => {
        void right(args, signal)
        throw new TypeError('undefined is not a function')
      },
    ),
    async run(world) {
      world.emulator.always('shelf.look', { kind: 'deaf', ms: 3_600_000 })
      const once = { tool: 'shelf.look', input: { item: 'lamp' } }
      for (let call = 0; call < 5; call++) await world.call(once)
      expect([codeOrStatus(await world.call(once)), countRequests(world, 'shelf.look')]).toEqual([
        'TOOL_RESOURCE_UNAVAILABLE',
        5,
      ])
    },
  },
  {
    id: 'breaker.ignores-refusals',
    sentence: 'the circuit breaker ignores refusals',
    rules: '§6',
    needs: [],
    mutant: translating('an adapter that calls a refusal an outage', () =>
      fromProviderStatus(503, 'Down.'),
    ),
    async run(world) {
      world.emulator.always('shelf.look', { kind: 'status', status: 404 })
      for (let call = 0; call < 12; call++)
        expect(
          codeOrStatus(await world.call({ tool: 'shelf.look', input: { item: 'lamp' } })),
        ).toBe('TOOL_RESOURCE_NOT_FOUND')
    },
  },
  {
    id: 'breaker.frees-the-key',
    sentence: 'a write refused by an open circuit breaker has not happened, and its key is free',
    rules: '§3',
    needs: ['key'],
    mutant: brokenProvider('fax.make', 'an adapter with a circuit breaker of its own', (right) => {
      let failures = 0
      return async (args, signal) => {
        if (failures >= 5) throw new TypeError('closed')
        return right(args, signal).catch((thrown: unknown) => {
          failures++
          throw new ToolError('TOOL_INTERNAL_ERROR', String(thrown))
        })
      }
    }),
    async run(world) {
      world.emulator.always('fax.make', { kind: 'status', status: 503 })
      for (let call = 0; call < 5; call++)
        await world.call({ tool: 'fax.send', input: { item: 'lamp' }, idempotencyKey: `k${call}` })
      const order = { tool: 'fax.send', input: { item: 'lamp' }, idempotencyKey: 'k9' }
      expect(codeOrStatus(await world.call(order))).toBe('TOOL_RESOURCE_UNAVAILABLE')
      world.emulator.always('fax.make', undefined)
      await world.clock.advance(10_000)
      expect([codeOrStatus(await world.call(order)), listEffects(world)]).toEqual([
        'success',
        ['fax lamp'],
      ])
    },
  },
]
