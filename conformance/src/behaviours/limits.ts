import { expect } from 'vitest'
import type { Behaviour } from '../behaviour.ts'
import { codeOrStatus, countRequests, detailsOf, listEffects } from '../judge.ts'
import type { Mutant } from '../mutant.ts'
import { brokenStore, brokenSurface, brokenTool } from '../mutants/broken.ts'
import { dropsTheKey, forgetfulCache } from '../mutants/known.ts'
import { annOfGlobex, bob } from '../world/people.ts'
import { decideApproval } from './decide-approval.ts'

const look = (tool: string, item = 'lamp') => ({ tool, input: { item } })

/** Counts by the clock's whole windows, so that two half windows may hold twice as many. */
const fixedWindows: Mutant = brokenStore(
  'limits',
  'a limiter that counts by the wall clock',
  (_, clock) => {
    const counts = new Map<string, number>()
    return {
      take([bucket]) {
        if (bucket?.windowMs === undefined) return { ok: true }
        const name = `${bucket.key} ${Math.floor(clock.now() / bucket.windowMs)}`
        counts.set(name, (counts.get(name) ?? 0) + 1)
        return (counts.get(name) ?? 0) <= bucket.max
          ? { ok: true }
          : { ok: false, bucket, retryAfterMs: 1 }
      },
    }
  },
)

/** Rates and budgets: how often. */
export const limits: readonly Behaviour[] = [
  {
    id: 'limit.no-window-over',
    sentence:
      'no sliding window ever holds more than the limit, and under steady load at least 0.95 of it gets through',
    rules: '§5',
    needs: [],
    mutant: fixedWindows,
    async run(world) {
      const passed: number[] = []
      // a burst across the border of two windows, then steady pressure
      await world.clock.advance(9_000)
      for (let call = 0; call < 30; call++)
        if (codeOrStatus(await world.call(look('shelf.busy'))) === 'success')
          passed.push(world.clock.now())
      for (let tick = 0; tick < 120; tick++) {
        await world.clock.advance(250)
        if (codeOrStatus(await world.call(look('shelf.busy'))) === 'success')
          passed.push(world.clock.now())
      }
      const fullest = Math.max(
        ...passed.map((from) => passed.filter((at) => at >= from && at < from + 10_000).length),
      )
      expect(fullest).toBe(20)
      expect(passed.length).toBeGreaterThanOrEqual(20 * 3 * 0.95)
    },
  },
  {
    id: 'limit.says-when',
    sentence: 'a rate-limited call is told when to retry, and then passes',
    rules: '§5',
    needs: [],
    mutant: brokenStore('limits', 'a limiter that reports too short a wait', (limits) => ({
      async take(buckets) {
        const taken = await limits.take(buckets)
        return taken.ok || taken.retryAfterMs === undefined
          ? taken
          : { ...taken, retryAfterMs: taken.retryAfterMs / 2 }
      },
    })),
    async run(world) {
      for (let call = 0; call < 3; call++) {
        await world.call(look('shelf.limited'))
        await world.clock.advance(1_000)
      }
      const refused = await world.call(look('shelf.limited'))
      expect([refused.status, codeOrStatus(refused)]).toEqual([
        'failed',
        'TOOL_RATE_LIMIT_EXCEEDED',
      ])
      await world.clock.advance(Number(detailsOf(refused).retry_after_ms))
      expect(codeOrStatus(await world.call(look('shelf.limited')))).toBe('success')
    },
  },
  {
    id: 'limit.all-or-none',
    sentence: 'of several limits all are taken or none',
    rules: '§5',
    needs: [],
    mutant: brokenStore('limits', 'a limiter that takes one bucket after the other', (limits) => ({
      async take(buckets) {
        for (const bucket of [...buckets].reverse()) {
          const taken = await limits.take([bucket])
          if (!taken.ok) return taken
        }
        return { ok: true }
      },
    })),
    async run(world) {
      // two a minute for the tenant, ten an hour for the item: refusals of the first must not eat
      // the second
      for (let call = 0; call < 20; call++) await world.call(look('shelf.twoLimits'))
      const passed: string[] = []
      for (let minute = 0; minute < 4; minute++) {
        await world.clock.advance(60_000)
        for (let call = 0; call < 2; call++)
          passed.push(codeOrStatus(await world.call(look('shelf.twoLimits'))))
      }
      expect(passed).toEqual(Array(8).fill('success'))
      await world.clock.advance(60_000)
      expect(codeOrStatus(await world.call(look('shelf.twoLimits')))).toBe(
        'TOOL_RATE_LIMIT_EXCEEDED',
      )
    },
  },
  {
    id: 'limit.whose',
    sentence:
      "limits count each person separately, a tenant's limit covers the tenant, and tenants never share one",
    rules: '§5',
    needs: [],
    mutant: brokenStore('limits', 'a limiter with one bucket for all callers', (limits) => ({
      take: (buckets) => limits.take(buckets.map((bucket) => ({ ...bucket, key: 'everybody' }))),
    })),
    async run(world) {
      for (let call = 0; call < 3; call++) await world.call(look('shelf.limited'))
      expect(codeOrStatus(await world.call({ ...look('shelf.limited'), caller: bob }))).toBe(
        'success',
      )
      expect(
        codeOrStatus(await world.call({ ...look('shelf.limited'), caller: annOfGlobex })),
      ).toBe('success')
      await world.call(look('shelf.twoLimits', 'a'))
      await world.call({ ...look('shelf.twoLimits', 'b'), caller: bob })
      expect(codeOrStatus(await world.call(look('shelf.twoLimits', 'c')))).toBe(
        'TOOL_RATE_LIMIT_EXCEEDED',
      )
    },
  },
  {
    id: 'limit.not-for-invalid-input',
    sentence: 'an input that is refused takes no quota',
    rules: '§2',
    needs: [],
    mutant: brokenSurface('a surface that repairs a bad input and retries', (surface) => ({
      async call(request) {
        const answer = await surface.call(request)
        if (answer.error?.code.startsWith('TOOL_INVALID'))
          await surface.call({ ...request, input: { item: 'lamp' } })
        return answer
      },
    })),
    async run(world) {
      for (let call = 0; call < 5; call++)
        expect(codeOrStatus(await world.call({ tool: 'shelf.limited', input: { item: 7 } }))).toBe(
          'TOOL_INVALID_FIELD_TYPE',
        )
      for (let call = 0; call < 3; call++)
        expect(codeOrStatus(await world.call(look('shelf.limited')))).toBe('success')
    },
  },
  {
    id: 'limit.not-for-a-replay',
    sentence: 'a replay takes no quota',
    rules: '§2',
    needs: ['key'],
    mutant: dropsTheKey,
    async run(world) {
      const order = { ...look('orders.limited'), idempotencyKey: 'k1' }
      const answers = [await world.call(order), await world.call(order), await world.call(order)]
      expect(answers.map(codeOrStatus)).toEqual(['success', 'success', 'success'])
      expect(codeOrStatus(await world.call({ ...order, idempotencyKey: 'k2' }))).toBe(
        'TOOL_RATE_LIMIT_EXCEEDED',
      )
    },
  },
  {
    id: 'limit.not-for-a-cached-answer',
    sentence: 'a cached answer takes no quota',
    rules: '§2',
    needs: [],
    mutant: forgetfulCache,
    async run(world) {
      const answers = [
        await world.call(look('shelf.cachedLimited')),
        await world.call(look('shelf.cachedLimited')),
      ]
      expect(answers.map(({ metadata }) => metadata.source)).toEqual(['executed', 'cached'])
      expect(codeOrStatus(await world.call(look('shelf.cachedLimited', 'chair')))).toBe(
        'TOOL_RATE_LIMIT_EXCEEDED',
      )
    },
  },
  {
    id: 'limit.not-after-approval',
    sentence: 'an approved call is not refused for quota after the approval',
    rules: '§2',
    needs: [],
    mutant: brokenTool(
      'approve.limited',
      'a contract whose quota is a gate, asked again after the claim',
      (tool) => {
        let left = 2
        const gate = {
          name: 'QUOTA',
          check: () => (left-- > 1 ? undefined : { message: 'Used up.' }),
        }
        return { contract: { ...tool.contract, gates: [gate] } }
      },
    ),
    async run(world) {
      const asked = await world.call(look('approve.limited'))
      const other = await world.call(look('approve.limited', 'chair'))
      await decideApproval(world, asked, 'approve')
      expect([codeOrStatus(other), listEffects(world)]).toEqual([
        'TOOL_RATE_LIMIT_EXCEEDED',
        ['orders lamp'],
      ])
    },
  },
  {
    id: 'budget.no-refill',
    sentence: 'a budget never refills, and each of its keys has its own',
    rules: '§5',
    needs: [],
    mutant: brokenStore('limits', 'a limiter that refills budgets by the hour', (limits) => ({
      take: (buckets) =>
        limits.take(
          buckets.map((bucket) => ({ ...bucket, windowMs: bucket.windowMs ?? 3_600_000 })),
        ),
    })),
    async run(world) {
      const words = []
      for (let call = 0; call < 3; call++)
        words.push(codeOrStatus(await world.call(look('shelf.budgeted'))))
      await world.clock.advance(365 * 86_400_000)
      words.push(
        codeOrStatus(await world.call(look('shelf.budgeted'))),
        codeOrStatus(await world.call(look('shelf.budgeted', 'chair'))),
      )
      expect(words).toEqual([
        'success',
        'success',
        'TOOL_GATE_CLOSED',
        'TOOL_GATE_CLOSED',
        'success',
      ])
    },
  },
  {
    id: 'limit.store-out-of-reach',
    sentence: 'with the limiter unavailable reads continue, writes and budgets stop',
    rules: '§5',
    needs: [],
    mutant: brokenStore('limits', 'a limiter that lets everything through in doubt', (limits) => ({
      take: async (buckets) => Promise.resolve(limits.take(buckets)).catch(() => ({ ok: true })),
    })),
    async run(world) {
      world.faults.break('limits.take')
      const answers = [
        await world.call(look('shelf.limited')),
        await world.call(look('orders.limited')),
        await world.call(look('shelf.budgeted')),
      ]
      expect(answers.map(codeOrStatus)).toEqual([
        'success',
        'TOOL_STORAGE_ERROR',
        'TOOL_STORAGE_ERROR',
      ])
      expect([listEffects(world), countRequests(world, 'shelf.look')]).toEqual([[], 1])
    },
  },
]
