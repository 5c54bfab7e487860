import { expect } from 'vitest'
import type { Behaviour } from '../behaviour.ts'
import { codeOrStatus, countRequests, listEffects } from '../judge.ts'
import { brokenContract, brokenSurface } from '../mutants/broken.ts'
import { dropsTheDeadline, dropsTheSignal, reportsEveryAbortAsCancelled } from '../mutants/known.ts'

const look = { tool: 'shelf.cached', input: { item: 'lamp' } }
const slowly = { tool: 'orders.slowly', input: { item: 'lamp' }, idempotencyKey: 'k1' }

/** Who leaves, and who goes on. */
export const cancellation: readonly Behaviour[] = [
  {
    id: 'cancel.before-the-effect',
    sentence: 'cancelled before the effect began, nothing happened and the key is free',
    rules: '§6',
    needs: ['key', 'signal'],
    mutant: dropsTheSignal,
    async run(world) {
      world.emulator.next('shelf.look', { kind: 'slow', ms: 1_000 })
      const leaving = new AbortController()
      const first = await world.begin({ ...slowly, signal: leaving.signal })
      leaving.abort()
      expect(codeOrStatus(await first.answer())).toBe('TOOL_CANCELLED')
      await world.clock.advance(5_000)
      expect(listEffects(world)).toEqual([])
      expect(codeOrStatus(await world.call(slowly))).toBe('success')
    },
  },
  {
    id: 'cancel.after-the-effect',
    sentence: 'cancelled after the effect began, the effect continues and its answer is stored',
    rules: '§6',
    needs: ['key', 'signal'],
    mutant: reportsEveryAbortAsCancelled,
    async run(world) {
      world.emulator.next('fax.make', { kind: 'slow', ms: 1_000 })
      const leaving = new AbortController()
      const order = { tool: 'fax.send', input: { item: 'lamp' }, idempotencyKey: 'k1' }
      const first = await world.begin({ ...order, signal: leaving.signal })
      leaving.abort()
      expect(codeOrStatus(await first.answer())).not.toBe('TOOL_CANCELLED')
      await world.clock.advance(2_000)
      const again = await world.call(order)
      expect([codeOrStatus(again), again.metadata.source]).toEqual(['success', 'replayed'])
      expect(listEffects(world)).toEqual(['fax lamp'])
    },
  },
  {
    id: 'cancel.local-effect',
    sentence:
      'a caller that disconnects during a local effect is never told that nothing happened when it did',
    rules: '§6',
    needs: ['key', 'signal'],
    mutant: reportsEveryAbortAsCancelled,
    async run(world) {
      const note = (text: string) => ({ tool: 'notes.add', input: { text }, idempotencyKey: text })
      await world.begin(note('stuck'))
      const leaving = new AbortController()
      const queued = await world.begin({ ...note('bread'), signal: leaving.signal })
      leaving.abort()
      const answer = await queued.answer()
      await world.clock.advance(10_000)
      expect(codeOrStatus(answer) === 'success').toBe((await world.countNotes()) === 1)
    },
  },
  {
    id: 'cancel.any-reason',
    sentence: 'any abort reason of a caller is reported as cancelled, not as an internal error',
    rules: '§6',
    needs: ['key', 'signal', 'wait'],
    mutant: dropsTheSignal,
    async run(world) {
      world.emulator.always('shelf.look', { kind: 'status', status: 503 })
      for (const reason of [undefined, 'tab closed', new Error('socket hang up'), { code: 499 }]) {
        const leaving = new AbortController()
        const pausing = await world.begin({
          tool: 'shelf.retrying',
          input: { item: 'lamp' },
          signal: leaving.signal,
        })
        leaving.abort(reason)
        expect(
          codeOrStatus(await pausing.answer()),
          `between two tries, with ${String(reason)}`,
        ).toBe('TOOL_CANCELLED')
        await world.clock.advance(60_000)
      }
    },
  },
  {
    id: 'cancel.a-waiter-of-a-key',
    sentence: 'a waiting caller that disconnects cancels nothing but its own wait',
    rules: '§6',
    needs: ['key', 'signal', 'wait'],
    mutant: dropsTheSignal,
    async run(world) {
      world.emulator.next('orders.make', { kind: 'slow', ms: 2_000 })
      const order = { tool: 'orders.draft', input: { item: 'lamp' }, idempotencyKey: 'k1' }
      const runner = await world.begin(order)
      const leaving = new AbortController()
      const waiter = await world.begin({ ...order, whenRunning: 'wait', signal: leaving.signal })
      leaving.abort('tab closed')
      expect([codeOrStatus(await waiter.answer()), codeOrStatus(await runner.answer())]).toEqual([
        'TOOL_CANCELLED',
        'success',
      ])
    },
  },
  {
    id: 'cancel.one-waiter',
    sentence: "one caller's cancellation never cancels another who waits for the same answer",
    rules: '§6',
    needs: ['signal'],
    mutant: brokenSurface('a surface with one abort signal for all its callers', (surface) => {
      const all = new AbortController()
      return {
        call(request) {
          request.signal?.addEventListener('abort', () => all.abort())
          return surface.call({ ...request, signal: all.signal })
        },
      }
    }),
    async run(world) {
      world.emulator.next('shelf.look', { kind: 'slow', ms: 500 })
      const leaving = new AbortController()
      const first = await world.begin({ ...look, signal: leaving.signal })
      const second = await world.begin(look)
      leaving.abort()
      expect([codeOrStatus(await first.answer()), codeOrStatus(await second.answer())]).toEqual([
        'TOOL_CANCELLED',
        'success',
      ])
      expect(countRequests(world, 'shelf.look')).toBe(1)
    },
  },
  {
    id: 'cancel.last-waiter',
    sentence:
      'when the last waiting caller disconnects, the work is aborted and nothing of it is stored',
    rules: '§6',
    needs: ['signal'],
    mutant: dropsTheSignal,
    async run(world) {
      world.emulator.next('shelf.look', { kind: 'slow', ms: 500 })
      const leaving = [new AbortController(), new AbortController()]
      for (const { signal } of leaving) await world.begin({ ...look, signal })
      for (const controller of leaving) controller.abort()
      await world.clock.advance(0)
      expect(world.emulator.arrivals[0]?.signal.aborted).toBe(true)
      await world.clock.advance(1_000)
      expect((await world.call(look)).metadata.source).toBe('executed')
    },
  },
  {
    id: 'cancel.joined-after-all-left',
    sentence: 'a caller that arrives after all others have disconnected starts anew',
    rules: '§6',
    needs: ['signal'],
    mutant: brokenSurface('a surface that shares the promise of a call by its input', (surface) => {
      const shared = new Map<string, ReturnType<typeof surface.call>>()
      return {
        call(request) {
          const name = JSON.stringify(request.input)
          const known = shared.get(name) ?? surface.call(request)
          shared.set(name, known)
          return known
        },
      }
    }),
    async run(world) {
      world.emulator.next('shelf.look', { kind: 'deaf', ms: 500 })
      const leaving = new AbortController()
      await world.begin({ ...look, signal: leaving.signal })
      leaving.abort()
      expect(codeOrStatus(await world.call(look))).toBe('success')
      expect(countRequests(world, 'shelf.look')).toBe(2)
    },
  },
  {
    id: 'flight.single',
    sentence: 'readers of the same thing at the same moment share one request',
    rules: '§7',
    needs: [],
    mutant: brokenContract('shelf.cached', 'a contract without a cache', () => ({
      cache: undefined,
    })),
    async run(world) {
      world.emulator.always('shelf.look', { kind: 'slow', ms: 500 })
      const readers = [await world.begin(look), await world.begin(look), await world.begin(look)]
      const answers = [
        await readers[0]?.answer(),
        await readers[1]?.answer(),
        await readers[2]?.answer(),
      ]
      expect(answers.map((answer) => answer?.data)).toEqual(
        Array(3).fill({ item: 'lamp', serial: 1 }),
      )
      expect(countRequests(world, 'shelf.look')).toBe(1)
    },
  },
  {
    id: 'flight.own-deadline',
    sentence: 'a caller that joins a running read is answered by its own deadline',
    rules: '§6',
    needs: ['within'],
    mutant: dropsTheDeadline,
    async run(world) {
      world.emulator.next('shelf.look', { kind: 'slow', ms: 900 })
      const first = await world.begin(look)
      const hasty = await world.begin({ ...look, withinMs: 100 })
      await world.clock.advance(100)
      expect(codeOrStatus(hasty.now())).toBe('TOOL_EXECUTION_TIMEOUT')
      expect(codeOrStatus(await first.answer())).toBe('success')
    },
  },
  {
    id: 'flight.of-a-hasty-caller',
    sentence:
      "a hasty caller's deadline does not end the read for another who waits for the same answer",
    rules: '§6',
    needs: ['within'],
    mutant: brokenSurface('a surface whose first caller sets the deadline for all', (surface) => {
      let withinMs: number | undefined
      return {
        call(request) {
          withinMs ??= request.withinMs
          return surface.call(withinMs === undefined ? request : { ...request, withinMs })
        },
      }
    }),
    async run(world) {
      world.emulator.next('shelf.look', { kind: 'slow', ms: 500 })
      const hasty = await world.begin({ ...look, withinMs: 100 })
      const patient = await world.begin(look)
      expect(codeOrStatus(await hasty.answer())).toBe('TOOL_EXECUTION_TIMEOUT')
      expect(codeOrStatus(await patient.answer())).toBe('success')
    },
  },
]
