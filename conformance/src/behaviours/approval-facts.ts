import type { Approval } from '@surehand/core/ports'
import { expect } from 'vitest'
import type { Behaviour } from '../behaviour.ts'
import { codeOrStatus, listEffects } from '../judge.ts'
import type { Mutant } from '../mutant.ts'
import { brokenContract, brokenStore } from '../mutants/broken.ts'
import { ann } from '../world/people.ts'
import { approvalOf, decideApproval } from './decide-approval.ts'

const order = { tool: 'approve.facts', input: { item: 'lamp' } }

/** The tool with other facts than it should have. */
function otherFacts(breaks: string, facts: (() => Promise<unknown>) | undefined): Mutant {
  return brokenContract('approve.facts', breaks, ({ approval }) => ({
    approval: approval && { ...approval, facts, asks: () => 'Make it?' },
  }))
}

const shownIn = ({ shown }: Pick<Approval, 'shown'>): Record<string, unknown> =>
  JSON.parse(shown) as Record<string, unknown>

/** What an approval covers beside the input, and what happens when that changes. */
export const facts: readonly Behaviour[] = [
  {
    id: 'approval.facts-are-shown',
    sentence: 'the approver is shown the facts of the call, in the sentence and beside the input',
    rules: '§4',
    needs: [],
    mutant: otherFacts('a contract that reads no facts', undefined),
    async run(world) {
      const asked = await world.call(order)
      expect(asked.metadata.pending?.asks).toBe('Make 1 × lamp while the shop is open?')
      const question = await world.surface.question('acme', approvalOf(asked))
      expect(question.ok && shownIn(question.value)).toMatchObject({
        facts: { shop: 'open' },
        facts_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      })
      await decideApproval(world, asked, 'approve')
      expect(listEffects(world)).toEqual(['orders lamp'])
    },
  },
  {
    id: 'approval.facts-changed',
    sentence:
      'facts that differ just before the effect stop it: the person is asked again under the same call, with what has changed',
    rules: '§4',
    needs: [],
    mutant: otherFacts('facts that are always the same', async () => ({ shop: 'open' })),
    async run(world) {
      const asked = await world.call(order)
      world.emulator.saying('closed')
      expect((await decideApproval(world, asked, 'approve')).ok).toBe(true)
      const again = await world.surface.answer(ann, asked.metadata.call_id)
      if (again === undefined) return expect.fail('the call has no answer')
      expect([codeOrStatus(again), listEffects(world)]).toEqual(['TOOL_APPROVAL_REQUIRED', []])
      expect(again.error?.message).toMatch(/nothing has been done yet.*has changed/i)
      expect(approvalOf(again)).not.toBe(approvalOf(asked))
      expect(again.metadata.pending?.changed).toEqual([
        { path: 'shop', before: 'open', after: 'closed' },
      ])
      const first = await world.surface.question('acme', approvalOf(asked))
      expect(first.ok && first.value.state).toBe('used')
      await decideApproval(world, again, 'approve')
      expect(codeOrStatus(await world.surface.answer(ann, asked.metadata.call_id))).toBe('success')
      expect(listEffects(world)).toEqual(['orders lamp'])
    },
  },
  {
    id: 'approval.facts-unreadable',
    sentence: 'facts that cannot be read are the failure of the call, and nobody is asked',
    rules: '§4',
    needs: [],
    mutant: otherFacts('facts that hide their failures', async () => null),
    async run(world) {
      world.emulator.always('rules.ask', { kind: 'status', status: 404 })
      const answer = await world.call(order)
      expect(codeOrStatus(answer)).toBe('TOOL_RESOURCE_NOT_FOUND')
      expect(answer.error?.message).toMatch(/nothing has been done/i)
      expect([await world.stores.approvals.list('acme'), listEffects(world)]).toEqual([[], []])
    },
  },
  {
    id: 'approval.facts-keep-changing',
    sentence:
      'a person is asked again three times; facts that have changed after the fourth approval refuse the call',
    rules: '§4',
    needs: [],
    mutant: brokenStore(
      'approvals',
      'an approval store that forgets how often it was asked',
      (approvals) => ({
        askAgain(fence, asked) {
          const shown = JSON.stringify({ ...shownIn(asked.question), asked_before: 1 })
          return approvals.askAgain(fence, { ...asked, question: { ...asked.question, shown } })
        },
      }),
    ),
    async run(world) {
      let asked = await world.call(order)
      for (const now of ['closed', 'open', 'closed', 'open'] as const) {
        world.emulator.saying(now)
        await decideApproval(world, asked, 'approve')
        asked = (await world.surface.answer(ann, asked.metadata.call_id)) ?? asked
      }
      expect([codeOrStatus(asked), asked.error?.details]).toMatchObject([
        'TOOL_GATE_CLOSED',
        { source_code: 'facts_changed', changed: [{ path: 'shop' }] },
      ])
      expect(listEffects(world)).toEqual([])
    },
  },
]
