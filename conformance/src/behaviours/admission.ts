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
const forgetsWishes = brokenStore('calls', 'a ledger that remembers no wishes', (calls) => ({
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
      'a gate that closes before the claim is asked again after it: nothing is done and the key is free',
    rules: '§2',
    needs: ['key'],
    mutant: brokenTool('orders.gated', 'a gate that remembers what it once said', (tool) => {
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
      "the same wish twice in ten minutes, without a key, for what can't be undone, is held back",
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
    sentence: 'the same wish without a key is held back though the earlier one had a key',
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
    sentence: 'a repeat that a person or the host calls meant is done',
    rules: '§3',
    needs: ['repeat'],
    mutant: brokenRequest('a surface that cannot say that a repeat is meant', (request) =>
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
    sentence: 'whoever sends keys of its own knows what it does: two keys are two wishes',
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
