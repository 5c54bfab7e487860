import { approvalView } from '@surehand/core/host'
import { z } from 'zod'
import { parseBody, parseQuery, readJson } from '../parse-request.ts'
import type { Route } from '../route.ts'

const ListQuery = z.strictObject({
  state: z.enum(['pending', 'approved', 'denied', 'expired', 'used', 'replaced']).exactOptional(),
})
const Verdict = z.strictObject({
  verdict: z.enum(['approve', 'deny']),
  digest: z.string().regex(/^[0-9a-f]{64}$/, 'must be the digest of what was shown'),
  reason: z.string().max(4_000).exactOptional(),
})

/** Approval requests, and decisions on them. */
export const approvalRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/v1/approvals',
    command: 'approvals.list',
    summary: "Lists your own approval requests, and for approvers all of the tenant's.",
    async handle(context, caller, { runtime, approvalUrl }) {
      const { state } = parseQuery(context, ListQuery)
      const approvals = await runtime.approvals.listFor(caller, state)
      return { approvals: approvals.map((approval) => approvalView(approval, approvalUrl)) }
    },
  },
  {
    method: 'GET',
    path: '/v1/approvals/:id',
    command: 'approvals.get',
    summary: 'Returns one approval request, with everything that the approver must see.',
    handle: async (context, caller, surface) =>
      approvalView(
        await surface.runtime.approvals.getFor(caller, context.req.param('id') ?? ''),
        surface.approvalUrl,
      ),
  },
  {
    method: 'POST',
    path: '/v1/approvals/:id/decision',
    command: 'approvals.decide',
    summary: 'Approves or denies the request that the digest identifies.',
    async handle(context, caller, surface) {
      const verdict = await parseBody(context, surface, Verdict)
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
    summary: 'Edits the input. A new approval request replaces this one.',
    async handle(context, caller, surface) {
      const input = await readJson(context, surface)
      return approvalView(
        await surface.runtime.approvals.edit(caller, context.req.param('id') ?? '', input),
        surface.approvalUrl,
      )
    },
  },
]
