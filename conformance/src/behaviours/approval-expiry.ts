import { expect } from 'vitest'
import type { Behaviour } from '../behaviour.ts'
import { codeOrStatus, listEffects } from '../judge.ts'
import { brokenStore, brokenSurface } from '../mutants/broken.ts'
import { standingStoreClock } from '../mutants/known.ts'
import { dyingProcess } from '../world/crash.ts'
import { ann, root } from '../world/people.ts'
import { approvalOf, decideApproval } from './decide-approval.ts'

const order = { tool: 'approve.confirm', input: { item: 'lamp' } }
const keyed = { ...order, idempotencyKey: 'k1' }

/** How long a question and its yes live, and what they outlive. */
export const lapsing: readonly Behaviour[] = [
  {
    id: 'approval.expired-question',
    sentence: 'an approval request that expires is closed, and a repeat creates a new one',
    rules: '§4',
    needs: ['key'],
    mutant: standingStoreClock,
    async run(world) {
      const asked = await world.call(keyed)
      await world.clock.advance(15 * 60_000)
      const late = await decideApproval(world, asked, 'approve')
      expect(late.ok ? 'accepted' : late.code).toBe('TOOL_GATE_CLOSED')
      const again = await world.call(keyed)
      expect(codeOrStatus(again)).toBe('TOOL_APPROVAL_REQUIRED')
      expect(approvalOf(again)).not.toBe(approvalOf(asked))
      expect(listEffects(world)).toEqual([])
    },
  },
  {
    id: 'approval.expired-approval',
    sentence: 'an approval that expired before its use runs nothing',
    rules: '§4',
    needs: ['key'],
    mutant: standingStoreClock,
    async run(world) {
      const asked = await world.call(keyed)
      // A process whose worker never runs, so that the approval stays unused.
      const idle = await world.process({
        stores: (stores) => ({
          ...stores,
          jobs: { ...stores.jobs, work: () => async () => undefined },
          calls: { ...stores.calls, abandoned: () => [] },
        }),
      })
      idle.runtime.start()
      await decideApproval(idle, asked, 'approve')
      await world.clock.advance(16 * 60_000)
      world.runtime.start()
      await world.clock.advance(1_000)
      expect(listEffects(world)).toEqual([])
      expect(codeOrStatus(await world.call(keyed))).toBe('TOOL_APPROVAL_REQUIRED')
    },
  },
  {
    id: 'approval.cancelled',
    sentence: 'a call that was cancelled while waiting is not run by a later approval',
    rules: '§4',
    needs: [],
    mutant: brokenSurface('a surface that says cancelled and does nothing', () => ({
      cancel: async () => true,
    })),
    async run(world) {
      const asked = await world.call(order)
      expect(await world.surface.cancel(ann, asked.metadata.call_id)).toBe(true)
      await decideApproval(world, asked, 'approve', { decider: root })
      await world.clock.advance(10_000)
      expect(listEffects(world)).toEqual([])
    },
  },
  {
    id: 'approval.survives-a-restart',
    sentence:
      'a pending approval request survives a restart of everything, and its approval runs the call',
    rules: '§4',
    needs: [],
    mutant: brokenStore(
      'approvals',
      'an approval store that knows only requests of its own process',
      (approvals) => {
        const own = new Set<string>()
        return {
          async ask(question, call) {
            own.add(question.id)
            return approvals.ask(question, call)
          },
          get: (tenant, id) => (own.has(id) ? approvals.get(tenant, id) : undefined),
        }
      },
    ),
    async run(world) {
      const asked = await world.call(order)
      const reborn = await world.process()
      expect((await decideApproval(reborn, asked, 'approve')).ok).toBe(true)
      expect(listEffects(world)).toEqual(['orders lamp'])
    },
  },
  {
    id: 'approval.survives-a-dead-worker',
    sentence:
      'an approved call whose worker died before its effect runs after the lease, without a second approval',
    rules: '§4',
    needs: [],
    mutant: brokenStore('calls', 'a ledger that lists nothing to sweep', () => ({
      abandoned: () => [],
    })),
    async run(world) {
      const asked = await world.call(order)
      void decideApproval(await dyingProcess(world, 'claimed'), asked, 'approve')
      await world.clock.advance(1_000)
      world.runtime.start()
      await world.clock.advance(35_000)
      expect([
        listEffects(world),
        codeOrStatus(await world.surface.answer(ann, asked.metadata.call_id)),
      ]).toEqual([['orders lamp'], 'success'])
    },
  },
]
