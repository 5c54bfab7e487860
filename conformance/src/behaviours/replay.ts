import { canonicalJson } from '@surehand/core/internal'
import { expect } from 'vitest'
import type { Behaviour } from '../behaviour.ts'
import { codeOrStatus, countRequests, detailsOf, listEffects } from '../judge.ts'
import {
  brokenCaller,
  brokenRequest,
  brokenStore,
  brokenSurface,
  without,
} from '../mutants/broken.ts'
import {
  dropsTheDeadline,
  dropsTheKey,
  grantsEveryClaim,
  ignoresTheInput,
} from '../mutants/known.ts'
import { person } from '../world/people.ts'

const lamp = { tool: 'orders.draft', input: { item: 'lamp' }, idempotencyKey: 'k1' }

/** What a key answers when it is used again. */
export const replay: readonly Behaviour[] = [
  {
    id: 'replay.same-key',
    sentence: 'the same key with the same input answers again without a second effect',
    rules: '§3',
    needs: ['key'],
    mutant: dropsTheKey,
    async run(world) {
      const first = await world.call(lamp)
      const again = await world.call(lamp)
      expect([codeOrStatus(again), again.data]).toEqual(['success', first.data])
      expect(again.metadata).toMatchObject({
        source: 'replayed',
        original_call_id: first.metadata.call_id,
      })
      expect(again.metadata.call_id).not.toBe(first.metadata.call_id)
      expect([listEffects(world), countRequests(world, 'orders.make')]).toEqual([
        ['orders lamp'],
        1,
      ])
    },
  },
  {
    id: 'replay.byte-for-byte',
    sentence: 'a replayed answer is the first one byte for byte',
    rules: '§3',
    needs: ['key'],
    mutant: brokenStore('calls', 'a ledger that keeps answers in a tidied form', (calls) => ({
      finish: (fence, ending, audit) =>
        'answer' in ending && ending.answer.kind === 'output'
          ? calls.finish(
              fence,
              {
                ...ending,
                answer: { ...ending.answer, json: canonicalJson(JSON.parse(ending.answer.json)) },
              },
              audit,
            )
          : calls.finish(fence, ending, audit),
    })),
    async run(world) {
      const first = await world.call(lamp)
      const again = await world.call(lamp)
      expect(JSON.stringify(again.data)).toBe(JSON.stringify(first.data))
    },
  },
  {
    id: 'replay.conflict',
    sentence: 'the same key with another input is refused and reveals nothing about the first call',
    rules: '§3',
    needs: ['key'],
    mutant: ignoresTheInput,
    async run(world) {
      const first = await world.call({ ...lamp, input: { item: 'lamp for the secret admirer' } })
      const other = await world.call({ ...lamp, input: { item: 'chair' } })
      expect([codeOrStatus(other), other.status, other.data]).toEqual([
        'TOOL_IDEMPOTENCY_CONFLICT',
        'failed',
        null,
      ])
      expect(JSON.stringify(other)).not.toContain('admirer')
      expect(JSON.stringify(other)).not.toContain(first.metadata.call_id)
      expect(listEffects(world)).toHaveLength(1)
    },
  },
  {
    id: 'replay.rights-first',
    sentence: 'a stored answer is replayed only to callers who still have the right to it',
    rules: '§2',
    needs: ['key'],
    mutant: brokenSurface('a surface that keeps answers by key', (surface) => {
      const kept = new Map<string, ReturnType<typeof surface.call>>()
      return {
        call(request) {
          const known = kept.get(request.idempotencyKey ?? '')
          if (known !== undefined) return known
          const answer = surface.call(request)
          kept.set(request.idempotencyKey ?? '', answer)
          return answer
        },
      }
    }),
    async run(world) {
      const order = { tool: 'rights.make', input: { item: 'lamp' }, idempotencyKey: 'k1' }
      const first = await world.call({
        ...order,
        caller: person('ann', { capabilities: ['lamps.make'] }),
      })
      const again = await world.call({ ...order, caller: person('ann') })
      expect([codeOrStatus(first), codeOrStatus(again), again.data]).toEqual([
        'success',
        'TOOL_CAPABILITY_MISSING',
        null,
      ])
    },
  },
  {
    id: 'replay.rights-of-a-fetched-answer',
    sentence:
      'an answer fetched by call id is returned only to callers who still have the right to it',
    rules: '§2',
    needs: [],
    mutant: brokenCaller('a surface that fetches with rights of its own', (caller) => ({
      ...caller,
      capabilities: ['*'],
    })),
    async run(world) {
      const entitled = person('ann', { capabilities: ['lamps.make'] })
      const { metadata } = await world.call({
        tool: 'rights.make',
        input: { item: 'lamp' },
        caller: entitled,
      })
      expect(codeOrStatus(await world.surface.answer(entitled, metadata.call_id))).toBe('success')
      expect(codeOrStatus(await world.surface.answer(person('ann'), metadata.call_id))).not.toBe(
        'success',
      )
    },
  },
  {
    id: 'replay.one-of-two',
    sentence:
      'of two simultaneous callers with one key one runs, the other gets TOOL_ALREADY_RUNNING',
    rules: '§3',
    needs: ['key'],
    mutant: grantsEveryClaim,
    async run(world) {
      world.emulator.always('orders.make', { kind: 'slow', ms: 1_000 })
      const first = await world.begin(lamp)
      const second = await world.call(lamp)
      expect(codeOrStatus(second)).toBe('TOOL_ALREADY_RUNNING')
      expect(detailsOf(second).retry_after_ms).toBeGreaterThan(0)
      expect(codeOrStatus(await first.answer())).toBe('success')
      expect(countRequests(world, 'orders.make')).toBe(1)
    },
  },
  {
    id: 'replay.wait',
    sentence: 'a caller that waits for a key in flight gets its answer and runs nothing itself',
    rules: '§3',
    needs: ['key', 'wait'],
    mutant: brokenRequest('a surface that never waits', (request) =>
      without(request, 'whenRunning'),
    ),
    async run(world) {
      world.emulator.always('orders.make', { kind: 'slow', ms: 1_000 })
      const first = await world.begin(lamp)
      const waiter = await world.call({ ...lamp, whenRunning: 'wait' })
      expect([codeOrStatus(waiter), waiter.metadata.source, waiter.data]).toEqual([
        'success',
        'replayed',
        (await first.answer()).data,
      ])
      expect(countRequests(world, 'orders.make')).toBe(1)
    },
  },
  {
    id: 'replay.wait-bounded',
    sentence: 'a caller that waits for a key in flight waits no longer than its deadline',
    rules: '§3',
    needs: ['key', 'wait', 'within'],
    mutant: dropsTheDeadline,
    async run(world) {
      world.emulator.always('orders.make', { kind: 'slow', ms: 5_000 })
      await world.begin(lamp)
      const startedAt = world.clock.now()
      const waiter = await world.call({ ...lamp, whenRunning: 'wait', withinMs: 300 })
      expect(codeOrStatus(waiter)).toBe('TOOL_ALREADY_RUNNING')
      expect(world.clock.now() - startedAt).toBeLessThanOrEqual(300)
    },
  },
]
