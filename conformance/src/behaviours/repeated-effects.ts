import { lookUp, ToolError } from '@surehand/core'
import { expect } from 'vitest'
import type { Behaviour } from '../behaviour.ts'
import { codeOrStatus, countRequests, listEffects } from '../judge.ts'
import { brokenContract, brokenPort, brokenProvider } from '../mutants/broken.ts'
import { forgetsWhenItBegan } from '../mutants/known.ts'

function order(tool: string) {
  return { tool, input: { item: 'lamp' }, idempotencyKey: 'k1' }
}

/** Which effects are sent again, how often, and what their later answers mean. */
export const redriven: readonly Behaviour[] = [
  {
    id: 'redriven.late-first-answer',
    sentence: 'an answer that arrives during a retry is accepted as the answer',
    rules: '§3',
    needs: ['key'],
    mutant: brokenContract('orders.place', 'a contract that tries once', () => ({ retries: 0 })),
    async run(world) {
      world.emulator.next('orders.make', { kind: 'deaf', ms: 12_000 }, { kind: 'hang' })
      const answer = await world.call(order('orders.place'))
      const again = await world.call(order('orders.place'))
      expect([codeOrStatus(answer), codeOrStatus(again), listEffects(world)]).toEqual([
        'success',
        'success',
        ['orders lamp'],
      ])
    },
  },
  {
    id: 'redriven.refused-after-settle',
    sentence:
      "a refusal of the second request, after the first was found absent, is the key's answer",
    rules: '§3',
    needs: ['key'],
    mutant: brokenContract('parcels.ship', 'a contract that releases the key on refusals', () => ({
      onRefusal: 'release',
    })),
    async run(world) {
      world.emulator.next('parcels.make', { kind: 'lost-request' }, { kind: 'status', status: 422 })
      const first = await world.call(order('parcels.ship'))
      const again = await world.call(order('parcels.ship'))
      expect([codeOrStatus(first), codeOrStatus(again), again.metadata.source]).toEqual([
        'TOOL_INVALID_FIELD_VALUE',
        'TOOL_INVALID_FIELD_VALUE',
        'replayed',
      ])
      expect([countRequests(world, 'parcels.make'), listEffects(world)]).toEqual([2, []])
    },
  },
  {
    id: 'redriven.counts-from-the-first',
    sentence: 'the validity of a provider key counts from its first use, not from the last',
    rules: '§3',
    needs: ['key'],
    mutant: forgetsWhenItBegan,
    async run(world) {
      world.emulator.next('orders.make', { kind: 'lost-answer' }, { kind: 'lost-answer' })
      await world.call(order('orders.draft'))
      await world.clock.advance(50 * 60_000)
      await world.call(order('orders.draft'))
      await world.clock.advance(50 * 60_000)
      expect(codeOrStatus(await world.call(order('orders.draft')))).toBe('TOOL_OUTCOME_UNKNOWN')
      expect([countRequests(world, 'orders.make'), listEffects(world)]).toEqual([
        2,
        ['orders lamp'],
      ])
    },
  },
  {
    id: 'redriven.not-in-circles',
    sentence: 'a provider that loses every request is not retried forever',
    rules: '§6',
    needs: ['key'],
    mutant: brokenPort(
      'parcels',
      'a port that calls a request settled at once',
      lookUp({ method: 'find', settle: '1ms' }),
    ),
    async run(world) {
      world.emulator.always('parcels.make', { kind: 'lost-request' })
      const startedAt = world.clock.now()
      expect((await world.call(order('parcels.ship'))).status).toBe('error')
      expect(world.clock.now() - startedAt).toBeLessThanOrEqual(10_000)
      expect(countRequests(world, 'parcels.make')).toBeLessThanOrEqual(2)
      expect(world.clock.now() - startedAt).toBeGreaterThanOrEqual(2_000)
    },
  },
  {
    id: 'redriven.broken-after-the-effect',
    sentence:
      'a tool that throws after its effect is not run again: the call is done with an invalid output',
    rules: '§3',
    needs: ['key'],
    mutant: brokenProvider(
      'fax.make',
      'an adapter that says nothing was sent',
      (right) => async (args, signal) => {
        await right(args, signal)
        throw new ToolError('TOOL_NETWORK_ERROR', 'Gone.', { effect: 'none' })
      },
    ),
    async run(world) {
      const first = await world.call(order('fax.clumsy'))
      const again = await world.call(order('fax.clumsy'))
      expect([codeOrStatus(first), codeOrStatus(again)]).toEqual([
        'TOOL_INVALID_OUTPUT',
        'TOOL_INVALID_OUTPUT',
      ])
      expect([countRequests(world, 'fax.make'), listEffects(world)]).toEqual([1, ['fax lamp']])
    },
  },
]
