import { approvalView } from '@surehand/core/host'
import { ApprovalSchema } from '@surehand/edge/api'
import { z } from 'zod'
import { PAGE_FIELDS, pageReturned, pageView, readPage } from '../paging.ts'
import { parseBody, parseQuery, readJson } from '../parse-request.ts'
import type { Documented, Route } from '../route.ts'

const Words = z.string().min(1).max(200)
const Time = z.iso.datetime({ offset: true })
const ListQuery = z.strictObject({
  ...PAGE_FIELDS,
  state: z
    .enum(['pending', 'approved', 'denied', 'expired', 'used', 'replaced', 'closed'])
    .exactOptional()
    .describe('closed: decided, expired or replaced.'),
  tool: Words.exactOptional(),
  principal: Words.exactOptional().describe('Who called the tool.'),
  actor: z.enum(['user', 'ai_agent']).exactOptional(),
  decided_by: Words.exactOptional(),
  text: Words.exactOptional().describe('Words that all occur in the request or its decision.'),
  since: Time.exactOptional().describe('Requested at this time or later.'),
  until: Time.exactOptional().describe('Requested before this time.'),
})
const DelegateBody = z.strictObject({
  to: z.string().min(1).max(256).describe('A person who may decide the request.'),
})
const Verdict = z.strictObject({
  verdict: z.enum(['approve', 'deny']),
  digest: z.string().regex(/^[0-9a-f]{64}$/, 'must be the digest of what was shown'),
  reason: z.string().max(4_000).exactOptional(),
})

const EditedInput = z.unknown().describe("The tool's whole input.")

const DIGEST = '8f0e5c1d7b2a4936c5e8d1f0a7b3924e6c8d5f1a0b7e3c9d2f4a6b8c0e1d3f57'

export const approvalReturned: Documented = {
  schema: () => ApprovalSchema,
  example: {
    id: 'appr_01jd3k8m2nq4r5s6t7v8w9x0yz',
    tenant: 'home',
    principal: 'ann',
    tool: 'shop.buy',
    tool_version: '1.0.0',
    definition_hash: DIGEST,
    input_hash: DIGEST,
    call_id: 'call_01jd3k8m2nq4r5s6t7v8w9x0ya',
    kind: 'consent',
    reversible: false,
    asks: 'Buy 22 × Earl Grey for 275.00 EUR?',
    shown: '{"tool":"shop.buy","input":{"productId":"tea","quantity":22}}',
    digest: DIGEST,
    state: 'pending',
    created_at: '2026-11-16T09:00:00.000Z',
    expires_at: '2026-11-16T09:15:00.000Z',
    url: 'https://tools.example/approvals/appr_01jd3k8m2nq4r5s6t7v8w9x0yz',
  },
}

/** Approval requests, and decisions on them. */
export const approvalRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/v1/approvals',
    command: 'approvals.list',
    summary:
      "Lists your own approval requests, and for approvers all of the tenant's, the newest first.",
    query: ListQuery,
    returns: pageReturned(approvalReturned),
    async handle(context, caller, { runtime, approvalUrl }) {
      const { decided_by, since, until, limit, cursor, ...search } = parseQuery(context, ListQuery)
      const page = await runtime.approvals.pageFor(caller, {
        ...search,
        decidedBy: decided_by,
        since: since === undefined ? undefined : Date.parse(since),
        until: until === undefined ? undefined : Date.parse(until),
        ...readPage('approvals.list', cursor === undefined ? { limit } : { limit, cursor }),
      })
      return pageView('approvals.list', page, (approval) => approvalView(approval, approvalUrl))
    },
  },
  {
    method: 'GET',
    path: '/v1/approvals/:id',
    command: 'approvals.get',
    summary: 'Returns one approval request, with everything that the approver must see.',
    returns: approvalReturned,
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
    body: {
      schema: () => Verdict,
      example: { verdict: 'deny', digest: DIGEST, reason: 'We still have tea.' },
    },
    returns: approvalReturned,
    async handle(context, caller, surface) {
      const verdict = await parseBody(context, surface, Verdict)
      return approvalView(
        await surface.runtime.approvals.decide(caller, context.req.param('id') ?? '', verdict),
        surface.approvalUrl,
      )
    },
  },
  {
    method: 'POST',
    path: '/v1/approvals/:id/delegation',
    command: 'approvals.delegate',
    summary:
      'Asks another person to decide. Only a person who may decide can delegate, and only to one who may decide too.',
    body: { schema: () => DelegateBody, example: { to: 'ben' } },
    returns: approvalReturned,
    async handle(context, caller, surface) {
      const { to } = await parseBody(context, surface, DelegateBody)
      return approvalView(
        await surface.runtime.approvals.delegate(caller, context.req.param('id') ?? '', to),
        surface.approvalUrl,
      )
    },
  },
  {
    method: 'PUT',
    path: '/v1/approvals/:id/input',
    command: 'approvals.edit',
    summary: 'Edits the input. A new approval request replaces this one.',
    body: { schema: () => EditedInput, example: { productId: 'tea', quantity: 2 } },
    returns: approvalReturned,
    async handle(context, caller, surface) {
      const input = await readJson(context, surface)
      return approvalView(
        await surface.runtime.approvals.edit(caller, context.req.param('id') ?? '', input),
        surface.approvalUrl,
      )
    },
  },
]
