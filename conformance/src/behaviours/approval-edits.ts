import { CanonicalText } from '@surehand/core/internal'
import { expect } from 'vitest'
import type { Behaviour } from '../behaviour.ts'
import { codeOrStatus, listEffects } from '../judge.ts'
import { brokenStore, brokenTool } from '../mutants/broken.ts'
import { noPolicy } from '../mutants/known.ts'
import { ann, root } from '../world/people.ts'
import { approvalOf, decideApproval } from './decide-approval.ts'

const order = { tool: 'approve.confirm', input: { item: 'lamp' } }

function codeOrState(answer: Awaited<ReturnType<typeof decideApproval>>): string {
  return answer.ok ? answer.value.state : answer.code
}

/** What an edit of a question does, and who may make one. */
export const editing: readonly Behaviour[] = [
  {
    id: 'approval.edit',
    sentence:
      'an edit replaces the approval request: the old one runs nothing, and the edited input is what runs',
    rules: '§4',
    needs: ['key'],
    mutant: brokenStore(
      'approvals',
      'an approval store that leaves the old request open',
      (approvals) => ({
        async replace(tenant, id) {
          const approval = await approvals.get(tenant, id)
          return approval === undefined
            ? { kind: 'missing' }
            : { kind: 'decided', approval: { ...approval, id: `${id}` } }
        },
      }),
    ),
    async run(world) {
      const keyed = { ...order, idempotencyKey: 'k1' }
      const asked = await world.call(keyed)
      const old = await world.surface.question('acme', approvalOf(asked))
      const edited = await world.surface.edit(ann, approvalOf(asked), { item: 'small lamp' })
      expect(
        edited.ok &&
          edited.value.id !== approvalOf(asked) &&
          old.ok &&
          edited.value.digest !== old.value.digest,
      ).toBe(true)
      expect(codeOrState(await decideApproval(world, asked, 'approve'))).toBe('TOOL_GATE_CLOSED')
      if (edited.ok)
        await world.surface.decide(ann, edited.value.id, {
          verdict: 'approve',
          digest: edited.value.digest,
        })
      expect(listEffects(world)).toEqual(['orders small lamp'])
      expect(codeOrStatus(await world.call({ ...keyed, input: { item: 'lamp' } }))).toBe(
        'TOOL_IDEMPOTENCY_CONFLICT',
      )
    },
  },
  {
    id: 'approval.edit-is-validated',
    sentence:
      'an edit is validated as a new input: an invalid one is refused and the request stays open',
    rules: '§4',
    needs: [],
    mutant: brokenTool('approve.confirm', 'a schema that accepts anything', (tool) => ({
      input: {
        ...tool.input,
        parse: (value) => ({ ok: true, value }),
        write: (value) => new CanonicalText(JSON.stringify(value)),
      },
    })),
    async run(world) {
      const asked = await world.call(order)
      const edited = await world.surface.edit(ann, approvalOf(asked), { item: 7 })
      expect(edited.ok ? 'accepted' : edited.code).toBe('TOOL_INVALID_FIELD_TYPE')
      expect(approvalOf(await world.call(order))).toBe(approvalOf(asked))
    },
  },
  {
    id: 'approval.separate-approver',
    sentence: 'where the policy says so, the requester may neither decide nor edit',
    rules: '§4',
    needs: [],
    mutant: noPolicy,
    async run(world) {
      world.policies.set('acme', { version: 1, separateApprover: true })
      const asked = await world.call(order)
      const edited = await world.surface.edit(ann, approvalOf(asked), { item: 'chair' })
      expect([codeOrState(await decideApproval(world, asked, 'approve')), edited.ok]).toEqual([
        'TOOL_INSUFFICIENT_PERMISSIONS',
        false,
      ])
      expect(codeOrState(await decideApproval(world, asked, 'approve', { decider: root }))).toBe(
        'approved',
      )
    },
  },
]
