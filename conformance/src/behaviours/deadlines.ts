import { ToolError } from '@surehand/core'
import { expect } from 'vitest'
import type { Behaviour } from '../behaviour.ts'
import { codeOrStatus, countRequests, listEffects } from '../judge.ts'
import {
  brokenContract,
  brokenProvider,
  brokenStore,
  brokenSurface,
  brokenTool,
} from '../mutants/broken.ts'
import { dropsTheDeadline } from '../mutants/known.ts'
import { dieDuring } from '../world/crash.ts'

const look = (tool: string) => ({ tool, input: { item: 'lamp' } })

/** How long a call takes at most, and what comes too late. */
export const deadlines: readonly Behaviour[] = [
  {
    id: 'deadline.hard',
    sentence:
      'a tool that ignores its signal is answered at its deadline, neither earlier nor later',
    rules: '§6',
    needs: [],
    mutant: brokenContract('shelf.look', 'a contract with more patience', () => ({
      timeoutMs: 60_000,
    })),
    async run(world) {
      world.emulator.next('shelf.look', { kind: 'deaf', ms: 30_000 })
      const running = await world.begin(look('shelf.look'))
      await world.clock.advance(999)
      expect(running.now()).toBeUndefined()
      await world.clock.advance(1)
      expect([codeOrStatus(running.now()), running.now()?.status, running.now()?.data]).toEqual([
        'TOOL_EXECUTION_TIMEOUT',
        'error',
        null,
      ])
    },
  },
  {
    id: 'deadline.signal',
    sentence: "at its deadline a tool's signal is aborted",
    rules: '§6',
    needs: [],
    mutant: brokenProvider(
      'shelf.look',
      'an adapter with a signal of its own',
      (right) => (args) => right(args, new AbortController().signal),
    ),
    async run(world) {
      world.emulator.next('shelf.look', { kind: 'hang' })
      expect(codeOrStatus(await world.call(look('shelf.look')))).toBe('TOOL_EXECUTION_TIMEOUT')
      expect(world.emulator.arrivals[0]?.signal.aborted).toBe(true)
    },
  },
  {
    id: 'deadline.late-read',
    sentence: 'the late result of a read is not cached',
    rules: '§6',
    needs: [],
    mutant: brokenTool('shelf.cached', 'a tool that remembers by itself', (tool) => {
      const { work } = tool
      if (work.kind !== 'execute') return {}
      const own: { late?: unknown } = {}
      return {
        work: {
          kind: 'execute',
          async execute(execution) {
            if (own.late !== undefined) return own.late
            own.late = await work.execute(execution)
            return own.late
          },
        },
      }
    }),
    async run(world) {
      world.emulator.next('shelf.look', { kind: 'deaf', ms: 5_000 })
      await world.call(look('shelf.cached'))
      await world.clock.advance(10_000)
      const next = await world.call(look('shelf.cached'))
      expect([next.metadata.source, next.data]).toEqual(['executed', { item: 'lamp', serial: 2 }])
    },
  },
  {
    id: 'deadline.late-write',
    sentence: 'the late result of a write changes nothing in the ledger',
    rules: '§6',
    needs: ['key'],
    mutant: brokenProvider(
      'fax.make',
      'an adapter that does not wait and says that nothing was sent',
      (right) => async (args, signal) => {
        void right(args, signal)
        throw new ToolError('TOOL_NETWORK_ERROR', 'Gone.', { effect: 'none' })
      },
    ),
    async run(world) {
      const order = { tool: 'fax.send', input: { item: 'lamp' }, idempotencyKey: 'k1' }
      world.emulator.next('fax.make', { kind: 'deaf', ms: 20_000 })
      const startedAt = world.clock.now()
      expect(codeOrStatus(await world.call(order))).toBe('TOOL_OUTCOME_UNKNOWN')
      expect(world.clock.now() - startedAt).toBe(10_000)
      await world.clock.advance(60_000)
      expect([listEffects(world), codeOrStatus(await world.call(order))]).toEqual([
        ['fax lamp'],
        'TOOL_OUTCOME_UNKNOWN',
      ])
    },
  },
  {
    id: 'deadline.within',
    sentence: "the caller's deadline bounds every attempt and every pause",
    rules: '§6',
    needs: ['within'],
    mutant: dropsTheDeadline,
    async run(world) {
      world.emulator.always('shelf.look', { kind: 'deaf', ms: 60_000 })
      for (const withinMs of [10, 400, 1_500]) {
        const startedAt = world.clock.now()
        const answer = await world.call({ ...look('shelf.retrying'), withinMs })
        expect(
          [codeOrStatus(answer), world.clock.now() - startedAt <= withinMs],
          `within ${withinMs} ms`,
        ).toEqual(['TOOL_EXECUTION_TIMEOUT', true])
        await world.clock.advance(120_000)
      }
    },
  },
  {
    id: 'deadline.within-of-a-write',
    sentence: 'a caller with a deadline is answered by then, whatever becomes of the write',
    rules: '§6',
    needs: ['key', 'within'],
    mutant: dropsTheDeadline,
    async run(world) {
      for (const [tool, method] of [
        ['orders.place', 'orders.make'],
        ['mail.send', 'mail.make'],
        ['fax.send', 'fax.make'],
      ] as const) {
        world.emulator.next(method, { kind: 'deaf', ms: 60_000 })
        const startedAt = world.clock.now()
        const answer = await world.call({
          tool,
          input: { item: 'lamp' },
          idempotencyKey: 'k1',
          withinMs: 300,
        })
        expect([answer.status, world.clock.now() - startedAt <= 300], tool).toEqual(['error', true])
      }
    },
  },
  {
    id: 'deadline.within-a-recovery',
    sentence: 'a caller that recovers an abandoned call is still answered by its own deadline',
    rules: '§6',
    needs: ['key', 'within'],
    mutant: dropsTheDeadline,
    async run(world) {
      const order = { tool: 'orders.draft', input: { item: 'lamp' }, idempotencyKey: 'k1' }
      await dieDuring(world, 'effect-made', order)
      await world.clock.advance(31_000)
      world.emulator.next('orders.make', { kind: 'slow', ms: 5_000 })
      const startedAt = world.clock.now()
      expect((await world.call({ ...order, withinMs: 200 })).data).toBeNull()
      expect(world.clock.now() - startedAt).toBeLessThanOrEqual(200)
      await world.clock.advance(10_000)
      expect([codeOrStatus(await world.call(order)), listEffects(world)]).toEqual([
        'success',
        ['orders lamp'],
      ])
    },
  },
  {
    id: 'deadline.within-a-gate',
    sentence: 'a gate that hangs does not extend the deadline, and nothing runs after it',
    rules: '§6',
    needs: ['key', 'within'],
    mutant: dropsTheDeadline,
    async run(world) {
      world.emulator.next('rules.ask', { kind: 'deaf', ms: 20_000 })
      const startedAt = world.clock.now()
      const answer = await world.call({
        tool: 'orders.gated',
        input: { item: 'lamp' },
        idempotencyKey: 'k1',
        withinMs: 300,
      })
      expect([answer.data, world.clock.now() - startedAt <= 300]).toEqual([null, true])
      await world.clock.advance(60_000)
      expect(listEffects(world)).toEqual([])
    },
  },
  {
    id: 'deadline.whole-call',
    sentence: 'a call takes at most its attempts and the pauses between them',
    rules: '§6',
    needs: [],
    mutant: brokenSurface('a surface that retries by itself', (surface) => ({
      async call(request) {
        const first = await surface.call(request)
        return first.status === 'error' ? surface.call(request) : first
      },
    })),
    async run(world) {
      world.emulator.always('shelf.look', { kind: 'hang' })
      const startedAt = world.clock.now()
      expect(codeOrStatus(await world.call(look('shelf.retrying')))).toBe('TOOL_EXECUTION_TIMEOUT')
      expect(world.clock.now() - startedAt).toBeLessThanOrEqual(3 * 1_000 + 100 + 200)
      expect(countRequests(world, 'shelf.look')).toBe(3)
    },
  },
  {
    id: 'deadline.soft-budget',
    sentence: 'exceeding a latency budget is measured and shown, and is never an error',
    rules: '§6',
    needs: [],
    mutant: brokenContract(
      'shelf.look',
      'a contract that uses its latency budget as a timeout',
      (contract) => ({
        timeoutMs: contract.latencyBudgetMs,
      }),
    ),
    async run(world) {
      world.emulator.next('shelf.look', { kind: 'slow', ms: 900 })
      const answer = await world.call(look('shelf.look'))
      expect([codeOrStatus(answer), answer.metadata.execution_time]).toEqual(['success', 0.9])
      expect(world.runtime.latency('shelf.look')).toMatchObject({
        calls: 1,
        overBudget: 1,
        budgetMs: 400,
      })
    },
  },
  {
    id: 'deadline.unsettled-write-keeps-its-key',
    sentence:
      'a write that timed out while its provider may still act holds its key until it is settled',
    rules: '§3',
    needs: ['key'],
    mutant: brokenStore(
      'calls',
      'a ledger that releases the key of an unsettled call',
      (calls) => ({
        async abandon(fence) {
          const row = await calls.get(fence.tenant, fence.callId)
          return row === undefined
            ? false
            : calls.finish(fence, { state: 'released' }, { tenant: fence.tenant } as never)
        },
      }),
    ),
    async run(world) {
      const order = { tool: 'orders.draft', input: { item: 'lamp' }, idempotencyKey: 'k1' }
      world.emulator.next('orders.make', { kind: 'deaf', ms: 60_000 })
      expect(codeOrStatus(await world.call(order))).toBe('TOOL_EXECUTION_TIMEOUT')
      expect(codeOrStatus(await world.call({ ...order, input: { item: 'chair' } }))).toBe(
        'TOOL_IDEMPOTENCY_CONFLICT',
      )
      expect(codeOrStatus(await world.call(order))).toBe('success')
      await world.clock.advance(120_000)
      expect(listEffects(world)).toEqual(['orders lamp'])
    },
  },
]
