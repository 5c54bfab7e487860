import type { Envelope } from '@surehand/core'
import { definitionHash } from '@surehand/core/host'
import { expect } from 'vitest'
import type { Behaviour } from '../behaviour.ts'
import { codeOrStatus, listEffects } from '../judge.ts'
import { brokenCaller, brokenStore, brokenSurface } from '../mutants/broken.ts'
import { forgetsTheAgent, losesDecisions, noPolicy } from '../mutants/known.ts'
import { agentOf, ann, bob, person, root } from '../world/people.ts'
import { approvalOf, decideApproval } from './decide-approval.ts'

const order = { tool: 'approve.confirm', input: { item: 'lamp' } }

function codeOrState(answer: Awaited<ReturnType<typeof decideApproval>>): string {
  return answer.ok ? answer.value.state : answer.code
}

/** Who may decide, about what, and with whose word. */
export const deciding: readonly Behaviour[] = [
  {
    id: 'approval.two-deciders',
    sentence: 'of two simultaneous decisions one counts, and the call runs once',
    rules: '§4',
    needs: [],
    mutant: brokenStore(
      'approvals',
      'an approval store where the last decision wins',
      (approvals) => ({
        async decide(tenant, id, decision, entry) {
          const decided = await approvals.decide(tenant, id, decision, entry)
          return decided.kind === 'closed'
            ? { kind: 'decided', approval: decided.approval }
            : decided
        },
      }),
    ),
    async run(world) {
      const asked = await world.call(order)
      const both = await Promise.all([
        decideApproval(world, asked, 'approve'),
        decideApproval(world, asked, 'deny', { decider: root }),
      ])
      expect(both.map((answer) => answer.ok).sort()).toEqual([false, true])
      expect(both.map(codeOrState)).toContain('TOOL_GATE_CLOSED')
      const outcome = await world.call(order)
      expect(listEffects(world).length).toBe(both[0]?.ok ? 1 : 0)
      expect(codeOrStatus(outcome)).toBe(
        both[0]?.ok ? 'TOOL_APPROVAL_REQUIRED' : 'TOOL_APPROVAL_DENIED',
      )
    },
  },
  {
    id: 'approval.never-an-agent',
    sentence: 'an agent never decides, neither on its own request nor on another',
    rules: '§4',
    needs: [],
    mutant: forgetsTheAgent,
    async run(world) {
      const asked = await world.call({ ...order, caller: agentOf(ann) })
      const own = await decideApproval(world, asked, 'approve', { decider: agentOf(ann) })
      const admin = await decideApproval(world, asked, 'approve', { decider: agentOf(root) })
      expect([codeOrState(own), codeOrState(admin), listEffects(world)]).toEqual([
        'TOOL_INSUFFICIENT_PERMISSIONS',
        // The request of another principal does not exist for an agent.
        'TOOL_RESOURCE_NOT_FOUND',
        [],
      ])
    },
  },
  {
    id: 'approval.digest',
    sentence: 'a decision with the digest of something else is refused',
    rules: '§4',
    needs: [],
    mutant: brokenSurface('a decision page that fills in the digest itself', (surface) => ({
      async decide(decider, approvalId, form) {
        const question = await surface.question(decider.tenant, approvalId)
        return surface.decide(
          decider,
          approvalId,
          question.ok ? { ...form, digest: question.value.digest } : form,
        )
      },
    })),
    async run(world) {
      const asked = await world.call(order)
      const wrong = await decideApproval(world, asked, 'approve', { digest: 'f'.repeat(64) })
      expect([wrong.ok, listEffects(world)]).toEqual([false, []])
      expect((await decideApproval(world, asked, 'approve')).ok).toBe(true)
    },
  },
  {
    id: 'approval.definition',
    sentence: "an approval runs nothing once the tool's definition has changed",
    rules: '§4',
    needs: [],
    mutant: brokenStore(
      'calls',
      'a ledger that forgets which approval a row belongs to',
      (calls) => ({
        async get(tenant, callId) {
          const row = await calls.get(tenant, callId)
          return row?.state === 'queued'
            ? { ...row, approvalId: undefined, state: 'claimed', leaseUntil: 0 }
            : row
        },
      }),
    ),
    async run(world) {
      const asked = await world.call(order)
      const redeployed = await world.process({
        tools: (tools) =>
          tools.map((tool) =>
            tool.id === order.tool
              ? { ...tool, description: 'Makes an item and deletes the account.' }
              : tool,
          ),
      })
      const [before, after] = [world, redeployed].map(({ runtime }) =>
        runtime.tools().find(({ id }) => id === order.tool),
      )
      expect(before && after && definitionHash(before) !== definitionHash(after)).toBe(true)
      await decideApproval(redeployed, asked, 'approve')
      expect(listEffects(world)).toEqual([])
      const again = await redeployed.call(order)
      expect(codeOrStatus(again)).toBe('TOOL_APPROVAL_REQUIRED')
      expect(approvalOf(again)).not.toBe(approvalOf(asked))
    },
  },
  {
    id: 'approval.policy-at-the-end',
    sentence: 'an approval does not run a tool that was disabled meanwhile',
    rules: '§2',
    needs: [],
    mutant: noPolicy,
    async run(world) {
      const asked = await world.call(order)
      world.policies.set('acme', { version: 1, disabledTools: ['approve.*'] })
      await decideApproval(world, asked, 'approve')
      expect(listEffects(world)).toEqual([])
    },
  },
  {
    id: 'approval.kinds',
    sentence:
      'consent is given by the person, admin approval by an administrator, and no one else decides for them',
    rules: '§4',
    needs: [],
    mutant: brokenCaller('a surface that treats every caller as an administrator', (caller) => ({
      ...caller,
      roles: ['admin'],
    })),
    async run(world) {
      const ask = (tool: string): Promise<Envelope> => world.call({ tool, input: { item: 'lamp' } })
      const [consent, admin, confirm] = [
        await ask('approve.consent'),
        await ask('approve.admin'),
        await ask('approve.confirm'),
      ]
      const refused = [
        await decideApproval(world, consent, 'approve', { decider: root }),
        await decideApproval(world, admin, 'approve', { decider: ann }),
        await decideApproval(world, confirm, 'approve', { decider: bob }),
      ]
      expect(refused.map(codeOrState)).toEqual([
        'TOOL_INSUFFICIENT_PERMISSIONS',
        'TOOL_INSUFFICIENT_PERMISSIONS',
        // The request of another person does not exist for someone who is no approver.
        'TOOL_RESOURCE_NOT_FOUND',
      ])
      const granted = [
        await decideApproval(world, consent, 'approve'),
        await decideApproval(world, admin, 'approve', {
          decider: person('cleo', { capabilities: ['approvals.decide'] }),
        }),
        await decideApproval(world, confirm, 'approve', { decider: root }),
      ]
      expect(granted.map((answer) => answer.ok)).toEqual([true, true, true])
    },
  },
  {
    id: 'approval.attested',
    sentence:
      'an approval relayed by a trusted host counts for confirmations only, and is recorded as attested',
    rules: '§4',
    needs: [],
    mutant: brokenSurface(
      "an adapter that reports a relayed decision as the person's own",
      (surface) => ({
        decide: (decider, approvalId, form) =>
          surface.decide({ ...decider, actor: 'user' }, approvalId, {
            ...form,
            credential: { kind: 'own' },
          }),
      }),
    ),
    async run(world) {
      world.policies.set('acme', { version: 1, trustedHosts: ['desktop'] })
      const attest = async (tool: string, host: string) =>
        codeOrState(
          await decideApproval(
            world,
            await world.call({ tool, input: { item: 'lamp' }, caller: agentOf(ann) }),
            'approve',
            {
              decider: agentOf(ann),
              credential: { kind: 'attested', host },
            },
          ),
        )
      const refused = [
        await attest('approve.confirm', 'somewhere'),
        await attest('approve.consent', 'desktop'),
        await attest('approve.admin', 'desktop'),
        await attest('approve.final', 'desktop'),
      ]
      expect(refused).toEqual(Array(4).fill('TOOL_INSUFFICIENT_PERMISSIONS'))
      expect(await attest('approve.confirm', 'desktop')).toBe('approved')
      const decisions = (await world.audit()).filter((record) => record.phase === 'decision')
      expect(decisions.map((record) => record.surface)).toEqual(['attested by desktop'])
    },
  },
  {
    id: 'approval.decision-is-recorded',
    sentence: 'every decision leaves a record of who decided what',
    rules: '§9',
    needs: [],
    mutant: losesDecisions,
    async run(world) {
      const asked = await world.call(order)
      await decideApproval(world, asked, 'deny', { decider: root, reason: 'No.' })
      const decision = (await world.audit()).find((record) => record.phase === 'decision')
      expect(decision).toMatchObject({
        call_id: asked.metadata.call_id,
        principal: 'root',
        outcome: 'denied',
        success: false,
        error: 'No.',
      })
    },
  },
  {
    id: 'approval.no-decision-without-its-record',
    sentence: 'a decision whose record cannot be written does not count and runs nothing',
    rules: '§9',
    needs: [],
    mutant: losesDecisions,
    async run(world) {
      const asked = await world.call(order)
      world.faults.breakAudit()
      expect((await decideApproval(world, asked, 'approve')).ok).toBe(false)
      world.faults.clear()
      // An approval without its record allowed nothing, so it is given again.
      await decideApproval(world, asked, 'approve')
      world.runtime.start()
      await world.clock.advance(60_000)
      const decisions = (await world.audit()).filter((record) => record.phase === 'decision')
      expect([listEffects(world).length, decisions.length]).toEqual([1, 1])
    },
  },
  {
    id: 'approval.another-tenant',
    sentence: 'an approval request of one tenant does not exist for another',
    rules: '§4',
    needs: [],
    mutant: brokenCaller('a surface that knows one tenant', (caller) => ({
      ...caller,
      tenant: 'acme',
    })),
    async run(world) {
      const asked = await world.call(order)
      const outsider = person('root', { tenant: 'globex', roles: ['admin'] })
      const question = await world.surface.question('acme', approvalOf(asked))
      const answer = await world.surface.decide(outsider, approvalOf(asked), {
        verdict: 'approve',
        digest: question.ok ? question.value.digest : '',
      })
      expect([codeOrState(answer), listEffects(world)]).toEqual(['TOOL_RESOURCE_NOT_FOUND', []])
    },
  },
]
