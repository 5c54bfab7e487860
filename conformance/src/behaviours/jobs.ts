import { expect } from 'vitest'
import type { Behaviour } from '../behaviour.ts'
import { codeOrStatus, countRequests, listEffects } from '../judge.ts'
import { brokenCaller, brokenStore, brokenSurface, brokenTool } from '../mutants/broken.ts'
import { dropsTheKey } from '../mutants/known.ts'
import { ann, annOfGlobex, bob } from '../world/people.ts'

const job = { tool: 'jobs.export', input: { item: 'lamp' } }

/** Work that a worker does, and answers that are fetched. */
export const jobs: readonly Behaviour[] = [
  {
    id: 'job.waits-for-a-worker',
    sentence: 'an accepted job is durable, and is done once a worker starts',
    rules: '§3',
    needs: [],
    mutant: brokenTool('jobs.export', 'a tool that is no job', () => ({
      kind: 'sync',
      isDeferred: false,
    })),
    async run(world) {
      const accepted = await world.call(job)
      await world.clock.advance(60_000)
      expect([codeOrStatus(accepted), accepted.data, listEffects(world)]).toEqual([
        'success',
        null,
        [],
      ])
      world.runtime.start()
      await world.clock.advance(1_000)
      const answer = await world.surface.answer(ann, accepted.metadata.call_id)
      expect([
        codeOrStatus(answer),
        (answer?.data as { readonly item: string } | null)?.item,
        listEffects(world),
      ]).toEqual(['success', 'lamp', ['orders lamp']])
    },
  },
  {
    id: 'job.of-a-read',
    sentence: 'a read that is a job is fetched by its call id',
    rules: '§12',
    needs: [],
    mutant: brokenSurface('a surface that fetches nothing', () => ({
      answer: async () => undefined,
    })),
    async run(world) {
      world.runtime.start()
      const accepted = await world.call({ tool: 'jobs.report', input: { item: 'lamp' } })
      await world.clock.advance(1_000)
      expect((await world.surface.answer(ann, accepted.metadata.call_id))?.data).toEqual({
        item: 'lamp',
        serial: 1,
      })
    },
  },
  {
    id: 'job.same-key',
    sentence: 'a job asked for twice under one key is one job',
    rules: '§3',
    needs: ['key'],
    mutant: dropsTheKey,
    async run(world) {
      const first = await world.call({ ...job, idempotencyKey: 'k1' })
      const second = await world.call({ ...job, idempotencyKey: 'k1' })
      expect(second.metadata.job).toEqual(first.metadata.job)
      world.runtime.start()
      await world.clock.advance(1_000)
      expect(listEffects(world)).toEqual(['orders lamp'])
      expect((await world.call({ ...job, idempotencyKey: 'k1' })).metadata.source).toBe('replayed')
    },
  },
  {
    id: 'job.cancelled',
    sentence: 'a job that is still queued is cancelled, never runs, and its key is free',
    rules: '§6',
    needs: ['key'],
    mutant: brokenStore('calls', 'a ledger that says cancelled and does nothing', () => ({
      cancel: () => true,
    })),
    async run(world) {
      const accepted = await world.call({ ...job, idempotencyKey: 'k1' })
      expect(await world.surface.cancel(ann, accepted.metadata.call_id)).toBe(true)
      world.runtime.start()
      await world.clock.advance(60_000)
      expect([
        listEffects(world),
        codeOrStatus(await world.surface.answer(ann, accepted.metadata.call_id)),
      ]).toEqual([[], 'TOOL_CANCELLED'])
      await world.call({ ...job, idempotencyKey: 'k1' })
      await world.clock.advance(1_000)
      expect(listEffects(world)).toEqual(['orders lamp'])
    },
  },
  {
    id: 'job.not-cancelled-when-begun',
    sentence: 'a call that has begun or ended can no longer be cancelled',
    rules: '§6',
    needs: [],
    mutant: brokenSurface('a surface that says cancelled to everything', () => ({
      cancel: async () => true,
    })),
    async run(world) {
      const done = await world.call({ tool: 'orders.draft', input: { item: 'lamp' } })
      expect(await world.surface.cancel(ann, done.metadata.call_id)).toBe(false)
      expect(codeOrStatus(await world.surface.answer(ann, done.metadata.call_id))).toBe('success')
    },
  },
  {
    id: 'job.of-another-caller',
    sentence: "another caller's call id looks like a missing one, to read and to cancel",
    rules: '§12',
    needs: [],
    mutant: brokenCaller('a surface that treats every caller as Ann', (caller) => ({
      ...caller,
      tenant: 'acme',
      principal: 'ann',
    })),
    async run(world) {
      const accepted = await world.call(job)
      for (const caller of [annOfGlobex, bob]) {
        expect(await world.surface.answer(caller, accepted.metadata.call_id)).toBeUndefined()
        expect(await world.surface.cancel(caller, accepted.metadata.call_id)).toBe(false)
      }
      expect(await world.surface.answer(ann, 'call_nothing')).toBeUndefined()
      expect(codeOrStatus(await world.surface.answer(ann, accepted.metadata.call_id))).toBe(
        'success',
      )
    },
  },
  {
    id: 'job.woken-twice',
    sentence: 'a wake-up that is delivered twice causes no second effect',
    rules: '§3',
    needs: [],
    mutant: brokenStore(
      'calls',
      'a ledger that hands a job out as often as it is asked',
      (calls) => ({
        async get(tenant, callId) {
          const row = await calls.get(tenant, callId)
          return row === undefined ? undefined : { ...row, state: 'queued' }
        },
        async claim(request) {
          const claim = await calls.claim(request)
          return claim.kind === 'held'
            ? { kind: 'claimed', row: { ...claim.row, effect: undefined } }
            : claim
        },
        startEffect: () => true,
      }),
    ),
    async run(world) {
      world.emulator.always('orders.make', { kind: 'slow', ms: 500 })
      const accepted = await world.call(job)
      const wakeUp = { tenant: 'acme', callId: accepted.metadata.call_id }
      await world.stores.jobs.enqueue(wakeUp, 2_000)
      world.runtime.start()
      await world.clock.advance(100)
      // while the first one is at work
      await world.stores.jobs.enqueue(wakeUp, 0)
      await world.clock.advance(5_000)
      expect([countRequests(world, 'orders.make'), listEffects(world)]).toEqual([
        1,
        ['orders lamp'],
      ])
    },
  },
  {
    id: 'job.tried-again',
    sentence: 'a job that failed temporarily is retried later, and runs once',
    rules: '§6',
    needs: [],
    mutant: {
      breaks:
        'a queue that delivers once and never again, and a sweep that looks for no lost wake-ups',
      stores: (stores) => ({
        ...stores,
        jobs: {
          ...stores.jobs,
          enqueue: (wakeUp, delayMs) =>
            delayMs > 0 ? undefined : stores.jobs.enqueue(wakeUp, delayMs),
        },
        calls: { ...stores.calls, abandoned: () => [], postpone: () => undefined },
      }),
    },
    async run(world) {
      world.emulator.next('orders.make', { kind: 'connect-refused' })
      const accepted = await world.call(job)
      world.runtime.start()
      await world.clock.advance(60_000)
      expect(listEffects(world)).toEqual(['orders lamp'])
      expect(codeOrStatus(await world.surface.answer(ann, accepted.metadata.call_id))).toBe(
        'success',
      )
    },
  },
  {
    id: 'job.refused-for-the-moment',
    sentence: 'a job whose provider refused temporarily is sent again',
    rules: '§3',
    needs: [],
    mutant: brokenStore(
      'calls',
      'a ledger that treats a refusal as an effect in progress',
      (calls) => ({
        finish: (fence, ending, entry) =>
          calls.finish(fence, ending.state === 'queued' ? { state: 'unknown' } : ending, entry),
      }),
    ),
    async run(world) {
      world.emulator.next('fax.make', { kind: 'status', status: 429 })
      const accepted = await world.call({ ...job, tool: 'jobs.fax' })
      world.runtime.start()
      await world.clock.advance(60_000)
      expect([countRequests(world, 'fax.make'), listEffects(world)]).toEqual([2, ['fax lamp']])
      expect(codeOrStatus(await world.surface.answer(ann, accepted.metadata.call_id))).toBe(
        'success',
      )
    },
  },
]
