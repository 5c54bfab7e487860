import { expect } from 'vitest'
import type { Behaviour } from '../behaviour.ts'
import { codeOrStatus, detailsOf, listEffects } from '../judge.ts'
import {
  brokenContract,
  brokenRequest,
  brokenStore,
  brokenTool,
  without,
} from '../mutants/broken.ts'
import { dropsTheKey } from '../mutants/known.ts'
import { ann, bob } from '../world/people.ts'

const look = (tool: string, item = 'lamp') => ({ tool, input: { item } })

/** Gates, and wishes told twice: what the moment allows. */
const forgetsWishes = brokenStore('calls', 'a ledger that finds no earlier calls', (calls) => ({
  recent: () => undefined,
  claim: (request) => calls.claim({ ...request, guardMs: undefined }),
}))

export const admission: readonly Behaviour[] = [
  {
    id: 'gate.refuses',
    sentence: "a closed gate refuses, with the domain's own code, and nothing is done",
    rules: '§2',
    needs: [],
    mutant: brokenContract('orders.gated', 'a contract without gates', () => ({ gates: [] })),
    async run(world) {
      world.emulator.saying('closed')
      const answer = await world.call(look('orders.gated'))
      expect([answer.status, codeOrStatus(answer), detailsOf(answer).source_code]).toEqual([
        'failed',
        'TOOL_GATE_CLOSED',
        'SHOP_OPEN',
      ])
      expect(listEffects(world)).toEqual([])
    },
  },
  {
    id: 'gate.asked-again',
    sentence:
      'a gate is checked again inside the claim: if it has closed, nothing is done and the key is free',
    rules: '§2',
    needs: ['key'],
    mutant: brokenTool('orders.gated', 'a gate that caches its answer', (tool) => {
      const [gate] = tool.contract.gates
      if (gate === undefined) return {}
      let known: ReturnType<typeof gate.check> | undefined
      const check: typeof gate.check = (moment) => {
        known ??= gate.check(moment)
        return known
      }
      return { contract: { ...tool.contract, gates: [{ ...gate, check }] } }
    }),
    async run(world) {
      world.emulator.saying('open', 'closed')
      const order = { ...look('orders.gated'), idempotencyKey: 'k1' }
      expect(codeOrStatus(await world.call(order))).toBe('TOOL_GATE_CLOSED')
      expect(listEffects(world)).toEqual([])
      world.emulator.saying('open')
      expect(codeOrStatus(await world.call(order))).toBe('success')
    },
  },
  {
    id: 'duplicate.guard',
    sentence:
      'an irreversible call without a key is refused when the same input ran within ten minutes',
    rules: '§3',
    needs: [],
    mutant: forgetsWishes,
    async run(world) {
      const first = await world.call(look('cards.charge'))
      const second = await world.call(look('cards.charge'))
      expect([codeOrStatus(second), detailsOf(second).earlier_call_id]).toEqual([
        'TOOL_POSSIBLE_DUPLICATE',
        first.metadata.call_id,
      ])
      expect(codeOrStatus(await world.call(look('cards.charge', 'chair')))).toBe('success')
      expect(codeOrStatus(await world.call({ ...look('cards.charge'), caller: bob }))).toBe(
        'success',
      )
      await world.clock.advance(10 * 60_000)
      expect(codeOrStatus(await world.call({ ...look('cards.charge'), caller: ann }))).toBe(
        'success',
      )
    },
  },
  {
    id: 'duplicate.after-a-keyed-call',
    sentence: 'a repeat without a key is refused even if the earlier call had a key',
    rules: '§3',
    needs: ['key'],
    mutant: forgetsWishes,
    async run(world) {
      const first = await world.call({ ...look('cards.charge'), idempotencyKey: 'k1' })
      const second = await world.call(look('cards.charge'))
      expect([codeOrStatus(first), codeOrStatus(second), listEffects(world)]).toEqual([
        'success',
        'TOOL_POSSIBLE_DUPLICATE',
        ['orders lamp'],
      ])
    },
  },
  {
    id: 'duplicate.meant',
    sentence: 'a repeat that a person or the host marks as intended runs',
    rules: '§3',
    needs: ['repeat'],
    mutant: brokenRequest('a surface that cannot mark a repeat as intended', (request) =>
      without(request, 'repeat'),
    ),
    async run(world) {
      await world.call(look('cards.charge'))
      expect(codeOrStatus(await world.call({ ...look('cards.charge'), repeat: 'meant' }))).toBe(
        'success',
      )
      expect(listEffects(world)).toHaveLength(2)
    },
  },
  {
    id: 'duplicate.not-for-stable-keys',
    sentence: 'two calls with different caller keys are two calls',
    rules: '§3',
    needs: ['key'],
    mutant: dropsTheKey,
    async run(world) {
      const words = []
      for (const idempotencyKey of ['k1', 'k2'])
        words.push(codeOrStatus(await world.call({ ...look('cards.charge'), idempotencyKey })))
      expect([words, listEffects(world).length]).toEqual([['success', 'success'], 2])
    },
  },
]
