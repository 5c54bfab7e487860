import type { CallRow, CallStore, Clock } from '@surehand/core/ports'
import { expect } from 'vitest'
import type { Behaviour } from '../behaviour.ts'
import { codeOrStatus, listEffects } from '../judge.ts'
import type { Mutant } from '../mutant.ts'
import { brokenProvider, brokenStore } from '../mutants/broken.ts'
import { dieDuring, pausedAfter, pausedBefore } from '../world/crash.ts'

const LEASE_MS = 30_000
const SETTLE_MS = 2_000
const DAY_MS = 24 * 3_600_000

function order(tool: string) {
  return { tool, input: { item: 'lamp' }, idempotencyKey: 'k1' }
}

function shiftClock(clock: Clock, byMs: number): Clock {
  return { ...clock, now: () => clock.now() + byMs }
}

/** Ten of its seconds are one of everybody else's. */
function hasty(clock: Clock): Clock {
  const [startMs, startTicks] = [clock.now(), clock.ticks()]
  return {
    now: () => startMs + 10 * (clock.now() - startMs),
    ticks: () => startTicks + 10 * (clock.ticks() - startTicks),
    after: (delayMs, run) => clock.after(delayMs / 10, run),
  }
}

function tellsTime(breaks: string, byMs: number): Mutant {
  const wrong = <R extends CallRow | undefined>(row: R): R =>
    row === undefined ? row : { ...row, readAt: row.readAt + byMs }
  return brokenStore('calls', breaks, (calls: CallStore) => ({
    find: async (scope) => wrong(await calls.find(scope)),
    get: async (tenant, callId) => wrong(await calls.get(tenant, callId)),
  }))
}

const goesByTheNode: Mutant = brokenStore(
  'calls',
  "a ledger that uses the asking node's clock",
  (calls: CallStore) => ({
    async find(scope) {
      const row = await calls.find(scope)
      return row === undefined ? row : { ...row, readAt: row.readAt + DAY_MS }
    },
    async get(tenant, callId) {
      const row = await calls.get(tenant, callId)
      return row === undefined ? row : { ...row, readAt: row.readAt + DAY_MS }
    },
    async claim(request) {
      const claim = await calls.claim(request)
      if (claim.kind !== 'held') return claim
      const row = { ...claim.row, readAt: claim.row.readAt + DAY_MS }
      return request.resumes
        ? { kind: 'claimed', row: { ...row, effect: undefined } }
        : { kind: 'held', row }
    },
  }),
)

/** Leases and ages are counted on the store's clock, whatever a node's own says. */
export const clocks: readonly Behaviour[] = [
  {
    id: 'clocks.ahead',
    sentence: 'a node whose clock is a day ahead takes over no call that another node holds',
    rules: '§3',
    needs: ['key'],
    mutant: goesByTheNode,
    async run(world) {
      const paused = await pausedBefore(world, 'finish')
      const running = await paused.begin(order('fax.send'))
      const ahead = await world.process({ clock: shiftClock(world.clock, DAY_MS) })
      expect(codeOrStatus(await ahead.call(order('fax.send')))).toBe('TOOL_ALREADY_RUNNING')
      paused.goOn()
      expect(codeOrStatus(await running.answer())).toBe('success')
      expect(listEffects(world)).toEqual(['fax lamp'])
    },
  },
  {
    id: 'clocks.behind',
    sentence: 'a node whose clock is a day behind recovers abandoned calls',
    rules: '§3',
    needs: ['key'],
    mutant: tellsTime('a ledger whose clock is a day behind', -DAY_MS),
    async run(world) {
      const behind = await world.process({ clock: shiftClock(world.clock, -DAY_MS) })
      await dieDuring(world, 'effect-made', order('orders.draft'))
      await world.clock.advance(LEASE_MS + 1)
      expect(codeOrStatus(await behind.call(order('orders.draft')))).toBe('success')
      expect(listEffects(world)).toEqual(['orders lamp'])
    },
  },
  {
    id: 'clocks.hasty',
    sentence:
      'a node whose clock runs ten times too fast waits for running effects as long as any other',
    rules: '§3',
    needs: ['key'],
    mutant: tellsTime('a ledger whose clock is a day ahead', DAY_MS),
    async run(world) {
      const fast = await world.process({ clock: hasty(world.clock) })
      world.emulator.next('parcels.make', { kind: 'lost-request' })
      await fast.call(order('parcels.ship'))
      await world.clock.advance(SETTLE_MS)
      expect(codeOrStatus(await fast.call(order('parcels.ship')))).toBe('success')
      const [first, second] = world.emulator.arrivals.filter(({ method }) => method === 'make')
      expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(SETTLE_MS)
      expect(listEffects(world)).toEqual(['parcels lamp'])
    },
  },
  {
    id: 'clocks.stood-still',
    sentence:
      'a node suspended after marking its effect does not send it when it resumes and another has taken the call over',
    rules: '§3',
    needs: ['key'],
    mutant: brokenProvider(
      'parcels.make',
      'a provider that gets everything twice',
      (right) => async (args, signal) => {
        await right(args, signal)
        return right(args, signal)
      },
    ),
    async run(world) {
      const paused = await pausedAfter(world, 'startEffect')
      const running = await paused.begin(order('parcels.ship'))
      await world.clock.advance(LEASE_MS + SETTLE_MS)
      expect(codeOrStatus(await world.call(order('parcels.ship')))).toBe('success')
      paused.goOn()
      await running.answer()
      expect(listEffects(world)).toEqual(['parcels lamp'])
    },
  },
  {
    id: 'clocks.stood-still-alone',
    sentence:
      'a node suspended after marking its effect sends it when it resumes and the call is still its own',
    rules: '§3',
    needs: ['key'],
    mutant: brokenStore('calls', 'a ledger in which an effect can be marked only once', (calls) => {
      const marked = new Set<string>()
      return {
        async startEffect(fence, effect, intent) {
          if (marked.has(fence.callId)) return false
          marked.add(fence.callId)
          return calls.startEffect(fence, effect, intent)
        },
      }
    }),
    async run(world) {
      // within its lease and long after it; the second one cannot be looked up
      const pauses = [
        ['parcels.ship', LEASE_MS * 0.75],
        ['fax.send', LEASE_MS * 2],
      ] as const
      for (const [tool, pauseMs] of pauses) {
        const paused = await pausedAfter(world, 'startEffect')
        const running = await paused.begin(order(tool))
        await world.clock.advance(pauseMs)
        paused.goOn()
        expect(codeOrStatus(await running.answer())).toBe('success')
      }
      expect(listEffects(world)).toEqual(['parcels lamp', 'fax lamp'])
    },
  },
]
