import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { Behaviour } from '../behaviour.ts'
import { codeOrStatus, listEffects } from '../judge.ts'
import type { Mutant } from '../mutant.ts'
import { brokenContract, brokenStore, brokenTool } from '../mutants/broken.ts'
import { ignoresTheInput } from '../mutants/known.ts'
import { ann, bob } from '../world/people.ts'
import { approvalOf, decideApproval } from './decide-approval.ts'

const order = { tool: 'approve.confirm', input: { item: 'lamp' } }
const keyed = { ...order, idempotencyKey: 'k1' }

const asksEveryTime: Mutant = brokenStore(
  'approvals',
  'an approval store that creates a new request each time',
  (approvals) => ({
    ask(question, call) {
      const inputHash = randomUUID()
      return approvals.ask({ ...question, inputHash }, { ...call, key: randomUUID(), inputHash })
    },
  }),
)

const forgetsDenials: Mutant = brokenStore(
  'approvals',
  'an approval store that forgets denials',
  (approvals) => ({
    async ask(question, call) {
      const asked = await approvals.ask(question, call)
      return asked.kind === 'denied' ? { kind: 'pending', approval: asked.approval } : asked
    },
  }),
)

/** How approval requests are created, and what an approval or a denial then allows. */
export const asking: readonly Behaviour[] = [
  {
    id: 'approval.nothing-done-yet',
    sentence:
      'a call that needs approval is reported as failed, with its approval request, and has done nothing',
    rules: '§12',
    needs: [],
    mutant: brokenContract('approve.confirm', 'a contract that requires no approval', () => ({
      approval: undefined,
    })),
    async run(world) {
      const answer = await world.call(order)
      expect([answer.status, codeOrStatus(answer), answer.data]).toEqual([
        'failed',
        'TOOL_APPROVAL_REQUIRED',
        null,
      ])
      expect(answer.error?.message).toMatch(/nothing has been done yet/i)
      expect(answer.metadata.pending).toMatchObject({
        asks: 'Make 1 × lamp?',
        expires_at: '2026-01-15T08:15:00.000Z',
      })
      expect(listEffects(world)).toEqual([])
    },
  },
  {
    id: 'approval.runs-by-itself',
    sentence:
      'after the approval the call runs by itself, once, and its answer is fetched by call id',
    rules: '§4',
    needs: [],
    mutant: brokenStore(
      'approvals',
      'an approval store that never wakes the call',
      (approvals) => ({
        async decide(tenant, id) {
          const approval = await approvals.get(tenant, id)
          return approval === undefined
            ? { kind: 'missing' }
            : { kind: 'decided', approval: { ...approval, state: 'approved' } }
        },
      }),
    ),
    async run(world) {
      const asked = await world.call(order)
      expect((await decideApproval(world, asked, 'approve')).ok).toBe(true)
      const answer = await world.surface.answer(ann, asked.metadata.call_id)
      expect([
        codeOrStatus(answer),
        (answer?.data as { readonly item?: string } | null)?.item,
      ]).toEqual(['success', 'lamp'])
      expect(listEffects(world)).toEqual(['orders lamp'])
    },
  },
  {
    id: 'approval.one-input',
    sentence: 'a key approved for one input does not run another',
    rules: '§4',
    needs: ['key'],
    mutant: ignoresTheInput,
    async run(world) {
      const asked = await world.call(keyed)
      const waiting = await world.call({ ...keyed, input: { item: 'palace' } })
      await decideApproval(world, asked, 'approve')
      const after = await world.call({ ...keyed, input: { item: 'palace' } })
      expect([codeOrStatus(waiting), codeOrStatus(after)]).toEqual([
        'TOOL_IDEMPOTENCY_CONFLICT',
        'TOOL_IDEMPOTENCY_CONFLICT',
      ])
      expect(listEffects(world)).toEqual(['orders lamp'])
    },
  },
  {
    id: 'approval.asking-twice-by-key',
    sentence: 'two requests under one key share one approval request',
    rules: '§4',
    needs: ['key'],
    mutant: asksEveryTime,
    async run(world) {
      const first = await world.call(keyed)
      const second = await world.call(keyed)
      expect(approvalOf(second)).toBe(approvalOf(first))
      expect(await world.stores.approvals.list('acme', 'pending')).toHaveLength(1)
    },
  },
  {
    id: 'approval.asking-twice-by-input',
    sentence:
      'two requests without a key and with the same input share one approval request, and run once',
    rules: '§4',
    needs: [],
    mutant: asksEveryTime,
    async run(world) {
      const first = await world.call(order)
      const second = await world.call(order)
      expect(approvalOf(second)).toBe(approvalOf(first))
      // The answer of the second request is that of the first: no other call is stored.
      expect(second.metadata.call_id).toBe(first.metadata.call_id)
      await decideApproval(world, second, 'approve')
      expect(listEffects(world)).toEqual(['orders lamp'])
    },
  },
  {
    id: 'approval.question-of-its-own',
    sentence: "another person's request with the same input is another approval request",
    rules: '§4',
    needs: [],
    mutant: brokenStore(
      'approvals',
      'an approval store that ignores the principal',
      (approvals) => ({
        ask: (question, call) =>
          approvals.ask({ ...question, principal: 'all' }, { ...call, principal: 'all' }),
      }),
    ),
    async run(world) {
      const first = await world.call(order)
      const second = await world.call({ ...order, caller: bob })
      expect(approvalOf(second)).not.toBe(approvalOf(first))
    },
  },
  {
    id: 'approval.one-use',
    sentence: 'an approval covers one call: the same input later needs approval again',
    rules: '§4',
    needs: [],
    mutant: brokenTool('approve.confirm', 'a contract that asks once and never again', (tool) => {
      const asked = new Set<string>()
      const { approval } = tool.contract
      if (approval === undefined) return {}
      const when = (input: unknown): boolean =>
        !asked.has(JSON.stringify(input)) && asked.add(JSON.stringify(input)).size > 0
      return { contract: { ...tool.contract, approval: { ...approval, when } } }
    }),
    async run(world) {
      const first = await world.call(order)
      await decideApproval(world, first, 'approve')
      const second = await world.call(order)
      expect(codeOrStatus(second)).toBe('TOOL_APPROVAL_REQUIRED')
      expect(approvalOf(second)).not.toBe(approvalOf(first))
      expect(listEffects(world)).toHaveLength(1)
    },
  },
  {
    id: 'approval.denial-binds',
    sentence: 'a denial binds the input under every key, until it expires',
    rules: '§4',
    needs: ['key'],
    mutant: forgetsDenials,
    async run(world) {
      await decideApproval(world, await world.call(keyed), 'deny', { reason: 'Too bright.' })
      const sameKey = await world.call(keyed)
      const otherKey = await world.call({ ...keyed, idempotencyKey: 'k2' })
      const noKey = await world.call(order)
      expect([sameKey, otherKey, noKey].map(codeOrStatus)).toEqual(
        Array(3).fill('TOOL_APPROVAL_DENIED'),
      )
      expect(otherKey.error?.message).toContain('Too bright.')
      await world.clock.advance(15 * 60_000)
      expect(codeOrStatus(await world.call({ ...keyed, idempotencyKey: 'k3' }))).toBe(
        'TOOL_APPROVAL_REQUIRED',
      )
      expect(listEffects(world)).toEqual([])
    },
  },
  {
    id: 'approval.denial-of-one-input',
    sentence: 'a denial binds neither another input nor another person',
    rules: '§4',
    needs: [],
    mutant: brokenStore(
      'approvals',
      'an approval store that applies one denial to every input',
      (approvals) => ({
        async ask(question, call) {
          const [denied] = await approvals.list(call.tenant, 'denied')
          return denied === undefined
            ? approvals.ask(question, call)
            : { kind: 'denied', approval: denied }
        },
      }),
    ),
    async run(world) {
      await decideApproval(world, await world.call(order), 'deny')
      const otherInput = await world.call({ ...order, input: { item: 'chair' } })
      const otherPerson = await world.call({ ...order, caller: bob })
      expect([codeOrStatus(otherInput), codeOrStatus(otherPerson)]).toEqual([
        'TOOL_APPROVAL_REQUIRED',
        'TOOL_APPROVAL_REQUIRED',
      ])
    },
  },
  {
    id: 'approval.store-out-of-reach',
    sentence: 'nothing is done while the approval store is unavailable',
    rules: '§4',
    needs: [],
    mutant: brokenContract('approve.confirm', 'a contract that requires no approval', () => ({
      approval: undefined,
    })),
    async run(world) {
      world.faults.break('approvals.ask')
      expect((await world.call(order)).status).toBe('error')
      expect(listEffects(world)).toEqual([])
    },
  },
]
