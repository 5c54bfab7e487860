import { approvalView } from '@surehand/core/host'
import { z } from 'zod'
import { bodyOf, jsonOf, queryOf } from '../query.ts'
import type { Route } from '../route.ts'

const ListQuery = z.strictObject({
  state: z.enum(['pending', 'approved', 'denied', 'expired', 'used', 'replaced']).exactOptional(),
})
const Verdict = z.strictObject({
  verdict: z.enum(['approve', 'deny']),
  digest: z.string().regex(/^[0-9a-f]{64}$/, 'is the digest of what was shown'),
  reason: z.string().max(4_000).exactOptional(),
})

/** Questions, and people's answers to them. */
export const approvalRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/v1/approvals',
    command: 'approvals.list',
    summary: "Questions: one's own, and for approvers everybody's.",
    async answer(context, caller, { runtime, approvalUrl }) {
      const { state } = queryOf(context, ListQuery)
      const approvals = await runtime.approvals.listFor(caller, state)
      return { approvals: approvals.map((approval) => approvalView(approval, approvalUrl)) }
    },
  },
  {
    method: 'GET',
    path: '/v1/approvals/:id',
    command: 'approvals.get',
    summary: 'One question, with everything whoever decides must see.',
    answer: async (context, caller, surface) =>
      approvalView(
        await surface.runtime.approvals.getFor(caller, context.req.param('id') ?? ''),
        surface.approvalUrl,
      ),
  },
  {
    method: 'POST',
    path: '/v1/approvals/:id/decision',
    command: 'approvals.decide',
    summary: 'A yes or a no, to what the digest stands for.',
    async answer(context, caller, surface) {
      const verdict = await bodyOf(context, surface, Verdict)
      return approvalView(
        await surface.runtime.approvals.decide(caller, context.req.param('id') ?? '', verdict),
        surface.approvalUrl,
      )
    },
  },
  {
    method: 'PUT',
    path: '/v1/approvals/:id/input',
    command: 'approvals.edit',
    summary: 'Another input: a new question takes the place of this one.',
    async answer(context, caller, surface) {
      const input = await jsonOf(context, surface)
      return approvalView(
        await surface.runtime.approvals.edit(caller, context.req.param('id') ?? '', input),
        surface.approvalUrl,
      )
    },
  },
]
