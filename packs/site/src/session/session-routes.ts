import { type Envelope, ToolError, toEnvelope } from '@surehand/core'
import {
  approvalView,
  isOpen,
  type PackRoute,
  type PackServices,
  readShownFacts,
} from '@surehand/core/host'
import { Locale } from '@surehand/documents'
import { z } from 'zod'
import { describeTool, FOR_VISITORS } from '../describe-tool.ts'
import { continueAfterDecision } from '../planner/after-decision.ts'
import { deleteTranscript } from '../providers/stored-transcripts.ts'
import { UCP_PROFILE } from '../providers/ucp-client.ts'
import { callAsVisitor } from './call-as-visitor.ts'
import { recordConversion } from './record-conversion.ts'
import { sessionHub } from './session-hub.ts'
import { readSite } from './site-data.ts'
import { readSpokenAnswer } from './spoken-answer.ts'
import { openVisitor, type Visitor } from './visitor.ts'
import { json, problem, readBody, visitorRoute, withProblems } from './visitor-route.ts'

const OpenBody = z.object({
  key: z.string().max(128),
  /** The origin of the page, as the browser told the widget (`event.origin`). */
  origin: z.string().max(300),
  locale: Locale.optional(),
  timeZone: z.string().max(64).optional(),
})

const openRoute: PackRoute = {
  method: 'POST',
  path: '/site/sessions',
  auth: 'none',
  maxBytes: 10_000,
  handle: ({ request, address, services }) =>
    withProblems(async () => {
      // Sent by the widget, which is served from here. A page that opens a session itself could
      // claim another origin than its own.
      const sender = request.headers.get('origin')
      if (sender !== null && sender !== new URL(services.publicUrl).origin)
        return problem(403, {
          code: 'TOOL_RESOURCE_ACCESS_DENIED',
          message: 'Sessions are opened by the widget. Add its script to the page.',
        })
      const body = (await readBody(request, OpenBody)) as z.output<typeof OpenBody>
      const opened = await openVisitor(services, { ...body, address })
      const { token, session, expiresAt, site } = opened
      return json({ token, session, expires_at: new Date(expiresAt).toISOString(), site }, 201)
    }),
}

const endRoute = visitorRoute({
  method: 'DELETE',
  path: '/site/sessions',
  async handle({ visitor, services }) {
    const outcome = await services.call({
      tool: 'site.end_session',
      input: { sessionId: visitor.session },
      caller: services.systemCaller(visitor.tenant),
      surface: 'site',
      idempotencyKey: `end ${visitor.session}`,
    })
    const site = await readSite(services.query, visitor.tenant)
    if (site?.contract.transcripts === 'session') await deleteTranscript(services, visitor)
    // Its last sentences, which a model was given.
    await services.values.delete(visitor.tenant, `site/talk/${visitor.session}`)
    return json(toEnvelope(outcome))
  },
})

const listApprovals = visitorRoute({
  method: 'GET',
  path: '/site/approvals',
  async handle({ visitor, services }) {
    const pending = await services.approvals.list(visitor.person, 'pending')
    return json({ approvals: pending.map((one) => approvalView(one)) })
  },
})

const getApproval = visitorRoute({
  method: 'GET',
  path: '/site/approvals/:id',
  async handle({ visitor, params, services }) {
    const approval = await services.approvals.get(visitor.person, params.id ?? '')
    const { facts, changed } = readShownFacts(approval)
    return json({ ...approvalView(approval), facts, changed })
  },
})

const VisitorDecision = z.object({
  verdict: z.enum(['approve', 'deny']),
  digest: z.string().max(128),
  /** The whole utterance of a spoken answer. */
  said: z.string().max(300).optional(),
})
type VisitorDecision = z.output<typeof VisitorDecision>

type Services = Pick<
  PackServices,
  'approvals' | 'answer' | 'call' | 'systemCaller' | 'values' | 'now'
>

/**
 * Decides an approval request with the visitor's own credential, and waits a while for the answer
 * of its call. What is approved counts towards the spend limit first.
 */
async function decideApproval(
  services: Services,
  visitor: Visitor,
  id: string,
  { verdict, digest, said }: VisitorDecision,
): Promise<Envelope | undefined> {
  if (said !== undefined && readSpokenAnswer(said) !== verdict)
    throw new ToolError(
      'TOOL_INVALID_FIELD_VALUE',
      'This answer is not a clear yes or no. Nothing has been decided; ask again, or let the visitor click.',
      { details: { field: 'said' } },
    )
  const approval = await services.approvals.get(visitor.person, id)
  if (verdict === 'approve') await reserveAmount(services, visitor, approval)
  // The same decision again, because its answer was lost, is not an error: its outcome is told.
  const isRepeated = approval.decision?.verdict === verdict
  if (!isRepeated)
    await services.approvals.decide(visitor.person, id, {
      verdict,
      digest,
      ...(said === undefined ? {} : { reason: `spoken: ${said}` }),
    })
  const answer = await awaitEnd(services, visitor, approval.callId)
  if (answer !== undefined) await recordConversion(services, visitor, answer)
  return answer
}

const Amount = z.object({ amount: z.int().positive(), currency: z.string().length(3) })
const Subject = z.object({
  tool: z.string(),
  input: z.object({ cartId: z.string().optional(), slotId: z.string().optional() }),
})

async function reserveAmount(
  { call, systemCaller }: Services,
  { tenant, session }: Visitor,
  approval: { readonly id: string; readonly shown: string },
): Promise<void> {
  const amount = Amount.safeParse(readShownFacts(approval).facts)
  const { tool, input } = Subject.parse(JSON.parse(approval.shown))
  const subject = input.cartId ?? input.slotId
  if (!amount.success || subject === undefined || tool === 'booking.cancelBooking') return
  const outcome = await call({
    tool: 'site.reserve_spend',
    input: { sessionId: session, subject, ...amount.data },
    caller: systemCaller(tenant),
    surface: 'site',
    idempotencyKey: `spend ${approval.id}`,
  })
  if (outcome.status === 'failed') throw outcome.error
}

const LONGEST_WAIT_MS = 20_000
const POLL_MS = 50

async function awaitEnd(
  { answer, now }: Services,
  { person }: Visitor,
  callId: string,
): Promise<Envelope | undefined> {
  const until = now() + LONGEST_WAIT_MS
  for (;;) {
    const outcome = await answer(person, callId)
    if (outcome !== undefined && !isOpen(outcome, 'news')) return toEnvelope(outcome)
    if (now() >= until) return outcome === undefined ? undefined : toEnvelope(outcome)
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

const decideRoute = visitorRoute({
  method: 'POST',
  path: '/site/approvals/:id',
  body: VisitorDecision,
  async handle({ visitor, params, body, services }) {
    const answer = await decideApproval(services, visitor, params.id ?? '', body)
    const hub = sessionHub(services)
    if (answer !== undefined && body.verdict === 'approve')
      await continueAfterDecision({
        services,
        visitor,
        answer,
        publish: (event) => hub.publish(visitor, event),
      })
    return json({ verdict: body.verdict, answer: answer ?? null })
  },
})

const CallBody = z.object({
  tool: z.string().max(128),
  input: z.record(z.string(), z.unknown()),
  /** The same for every repetition of the same wish. */
  key: z.string().regex(/^[!-~]{8,200}$/),
})

const toolsRoute = visitorRoute({
  method: 'GET',
  path: '/site/tools',
  async handle({ visitor, services }) {
    const tools = await services.tools(visitor.agent)
    return json({ tools: tools.filter(({ id }) => FOR_VISITORS.test(id)).map(describeTool) })
  },
})

const callRoute = visitorRoute({
  method: 'POST',
  path: '/site/calls',
  body: CallBody,
  async handle({ visitor, body: { tool, input, key }, services }) {
    if (!FOR_VISITORS.test(tool))
      return problem(404, { code: 'TOOL_NOT_FOUND', message: `There is no tool "${tool}" here.` })
    return json(await callAsVisitor(services, visitor, { tool, input, key: `page ${key}` }))
  },
})

const answerRoute = visitorRoute({
  method: 'GET',
  path: '/site/calls/:id',
  async handle({ visitor, params, services }) {
    const outcome = await services.answer(visitor.person, params.id ?? '')
    return outcome === undefined
      ? problem(404, { code: 'TOOL_RESOURCE_NOT_FOUND', message: 'There is no such call.' })
      : json(toEnvelope(outcome))
  },
})

// Shops that speak UCP read whom they deal with, and which parts of the protocol we know.
const ucpProfile: PackRoute = {
  method: 'GET',
  path: '/site/ucp-profile',
  auth: 'none',
  handle: async () =>
    Response.json(UCP_PROFILE, { headers: { 'cache-control': 'public, max-age=3600' } }),
}

/** Sessions, approvals and calls of visitors. */
export const SESSION_ROUTES: readonly PackRoute[] = [
  openRoute,
  endRoute,
  listApprovals,
  getApproval,
  decideRoute,
  toolsRoute,
  callRoute,
  answerRoute,
  ucpProfile,
]
