import { toEnvelope } from '@surehand/core'
import { approvalView, type PackRoute, readShownFacts } from '@surehand/core/host'
import { Locale } from '@surehand/documents'
import { z } from 'zod'
import { describeTool, FOR_VISITORS } from '../describe-tool.ts'
import { continueAfterDecision } from '../planner/after-decision.ts'
import { deleteTranscript } from '../providers/stored-transcripts.ts'
import { UCP_PROFILE } from '../providers/ucp-client.ts'
import { callAsVisitor } from './call-as-visitor.ts'
import { decideApproval, VisitorDecision } from './decide-approval.ts'
import { sessionHub } from './session-hub.ts'
import { readSite } from './site-data.ts'
import { openVisitor } from './visitor.ts'
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
