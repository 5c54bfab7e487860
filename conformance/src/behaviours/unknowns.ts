import { expect } from 'vitest'
import type { Behaviour } from '../behaviour.ts'
import { codeOrStatus, listEffects } from '../judge.ts'
import { brokenContract, brokenStore } from '../mutants/broken.ts'
import { forgetsTheAgent } from '../mutants/known.ts'
import { agentOf, ann, root } from '../world/people.ts'
import type { World } from '../world/world.ts'

function order(tool: string) {
  return { tool, input: { item: 'lamp' }, idempotencyKey: 'k1' }
}

/** Makes a call with an unknown outcome and returns its id. */
async function lose(world: World, tool: string): Promise<string> {
  world.emulator.next('fax.make', { kind: 'lost-request' })
  const envelope = await world.call(order(tool))
  expect(codeOrStatus(envelope)).toBe('TOOL_OUTCOME_UNKNOWN')
  return envelope.metadata.call_id
}

/** How a person settles an unknown outcome. */
export const unknowns: readonly Behaviour[] = [
  {
    id: 'unknown.settled-as-done',
    sentence:
      'an unknown call is settled once, with evidence, and its key then answers what was found',
    rules: '§3',
    needs: ['key'],
    mutant: brokenStore('calls', 'a ledger that can be settled again and again', () => ({
      resolve: () => true,
    })),
    async run(world) {
      const callId = await lose(world, 'fax.send')
      const output = { receipt: 'found', item: 'lamp', extra: null }
      const first = await world.surface.settleUnknown(root, callId, {
        text: 'I rang them up.',
        found: 'done',
        output,
      })
      const second = await world.surface.settleUnknown(root, callId, {
        text: 'No, wait.',
        found: 'done',
        output: { receipt: 'other' },
      })
      expect([first.ok, second.ok]).toEqual([true, false])
      const again = await world.call(order('fax.send'))
      expect([codeOrStatus(again), again.data, again.metadata.source]).toEqual([
        'success',
        output,
        'replayed',
      ])
      expect(
        (await world.audit())
          .filter((record) => record.phase === 'decision')
          .map((record) => record.error),
      ).toEqual(['I rang them up.'])
    },
  },
  {
    id: 'unknown.settled-as-not-done',
    sentence: 'an unknown call that is settled as not done releases its key',
    rules: '§3',
    needs: ['key'],
    mutant: brokenStore('calls', 'a ledger that settles nothing and says it did', () => ({
      resolve: () => true,
    })),
    async run(world) {
      const callId = await lose(world, 'fax.send')
      await world.surface.settleUnknown(root, callId, {
        text: 'They know nothing.',
        found: 'not_done',
      })
      expect(codeOrStatus(await world.call(order('fax.send')))).toBe('success')
      expect(listEffects(world)).toEqual(['fax lamp'])
    },
  },
  {
    id: 'unknown.second-person',
    sentence: 'an irreversible call needs a second person before its key is released',
    rules: '§3',
    needs: ['key'],
    mutant: brokenContract('wires.send', 'a contract that says it can be undone', () => ({
      reversible: true,
    })),
    async run(world) {
      const callId = await lose(world, 'wires.send')
      const alone = await world.surface.settleUnknown(root, callId, {
        text: 'Not done.',
        found: 'not_done',
      })
      const same = await world.surface.settleUnknown(root, callId, {
        text: 'Not done, I say.',
        found: 'not_done',
      })
      expect([alone.ok, same.ok]).toEqual([false, false])
      expect(codeOrStatus(await world.call(order('wires.send')))).toBe('TOOL_OUTCOME_UNKNOWN')
      const two = await world.surface.settleUnknown({ ...root, principal: 'ruth' }, callId, {
        text: 'Not done.',
        found: 'not_done',
      })
      expect(two.ok).toBe(true)
      expect(codeOrStatus(await world.call(order('wires.send')))).toBe('success')
    },
  },
  {
    id: 'unknown.never-an-agent',
    sentence: 'an agent never settles an unknown outcome',
    rules: '§3',
    needs: ['key'],
    mutant: forgetsTheAgent,
    async run(world) {
      const callId = await lose(world, 'fax.send')
      const settled = await world.surface.settleUnknown(agentOf(root), callId, {
        text: 'Trust me.',
        found: 'not_done',
      })
      expect(settled.ok).toBe(false)
      expect(codeOrStatus(await world.call({ ...order('fax.send'), caller: ann }))).toBe(
        'TOOL_OUTCOME_UNKNOWN',
      )
    },
  },
]
