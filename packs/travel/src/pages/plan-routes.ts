import { randomUUID } from 'node:crypto'
import type { Caller, Outcome } from '@surehand/core'
import type { PackRequest, PackRoute } from '@surehand/core/host'
import { z } from 'zod'
import { escapeHtml } from '../documents/html.ts'
import { PlanDocument } from '../documents/write-document.ts'

const Plans = z.object({
  plans: z.array(
    z.object({
      planId: z.string(),
      title: z.string(),
      startDate: z.string(),
      endDate: z.string(),
      status: z.string(),
    }),
  ),
})
const Planned = z.object({ planId: z.string() })
const FORMATS = new Map([
  ['plan.md', 'markdown'],
  ['plan.ics', 'icalendar'],
])

/** The pages of a signed-in traveller: their plans, a plan to print, and a form for a wish. */
export const PLAN_ROUTES: readonly PackRoute[] = [
  { method: 'GET', path: '/travel/plans', auth: 'person', handle: showPlans },
  { method: 'POST', path: '/travel/plans', auth: 'person', maxBytes: 20_000, handle: startTrip },
  { method: 'GET', path: '/travel/plans/:planId', auth: 'person', handle: showPlan },
  { method: 'GET', path: '/travel/plans/:planId/:file', auth: 'person', handle: sendFile },
]

async function showPlans(request: PackRequest): Promise<Response> {
  const outcome = await callAs(request, 'travel.listTravelPlans', { limit: 100 })
  if (outcome.status !== 'done') return explain(outcome)
  const { plans } = Plans.parse(outcome.data)
  const items = plans.map(
    ({ planId, title, startDate, endDate, status }) =>
      `<li><a href="/travel/plans/${encodeURIComponent(planId)}">${escapeHtml(title)}</a> <span class="quiet">${startDate} to ${endDate}, ${escapeHtml(status)}</span></li>`,
  )
  const list = items.length === 0 ? '<p>There are no plans yet.</p>' : `<ul>${items.join('')}</ul>`
  // The key makes a form that is sent twice one trip.
  const form = `<h2>Plan a trip</h2><form method="post" action="/travel/plans"><input type="hidden" name="key" value="${randomUUID()}"><p><label>Where to, when, for how many, for how much?<textarea name="wish" rows="3" minlength="3" maxlength="2000" required placeholder="A week in Lisbon in May for two, under 2000 EUR, from Berlin"></textarea></label></p><p><button>Plan it</button></p></form>`
  return htmlResponse(simplePage('Travel plans', `${list}${form}`))
}

async function startTrip(request: PackRequest): Promise<Response> {
  if (!isFromOurPage(request))
    return messagePage(
      'Not sent',
      'The form was not sent from this site, and nothing was started. Open the page of your plans and send it from there.',
      403,
    )
  const form = await request.request.formData()
  const outcome = await callAs(
    request,
    'travel.planTrip',
    { wish: String(form.get('wish') ?? '') },
    `page:${String(form.get('key') ?? '')}`,
  )
  switch (outcome.status) {
    case 'asking':
      return redirect(`/questions/${encodeURIComponent(outcome.question.id)}`)
    case 'pending':
      return redirect(`/approvals/${encodeURIComponent(outcome.approval.id)}`)
    case 'done':
      return redirect(`/travel/plans/${encodeURIComponent(Planned.parse(outcome.data).planId)}`)
    case 'accepted':
    case 'failed':
      return explain(outcome)
  }
}

// A cookie is sent with requests of other sites' forms as well.
function isFromOurPage({ request, services }: PackRequest): boolean {
  const origin = request.headers.get('origin')
  const site = request.headers.get('sec-fetch-site')
  if (site !== null) return site === 'same-origin'
  return origin === new URL(services.publicUrl).origin
}

async function showPlan(request: PackRequest): Promise<Response> {
  const { planId = '' } = request.params
  const outcome = await callAs(request, 'travel.exportTravelPlan', { planId, format: 'html' })
  if (outcome.status !== 'done') return explain(outcome)
  return htmlResponse(withLinks(PlanDocument.parse(outcome.data), planId))
}

function withLinks({ content }: PlanDocument, planId: string): string {
  const base = `/travel/plans/${encodeURIComponent(planId)}`
  const links = `<nav><a href="/travel/plans">All plans</a> · <a href="${base}/plan.ics">Calendar file</a> · <a href="${base}/plan.md">Markdown</a></nav>`
  return content.replace('<main>', `<main>\n${links}`)
}

async function sendFile(request: PackRequest): Promise<Response> {
  const { planId = '', file = '' } = request.params
  const format = FORMATS.get(file)
  if (format === undefined)
    return messagePage('Not found', 'A plan can be had as plan.md and plan.ics.', 404)
  const outcome = await callAs(request, 'travel.exportTravelPlan', { planId, format })
  return outcome.status === 'done'
    ? fileResponse(PlanDocument.parse(outcome.data))
    : explain(outcome)
}

function callAs(
  { caller, services }: PackRequest,
  tool: string,
  input: Readonly<Record<string, unknown>>,
  idempotencyKey?: string,
): Promise<Outcome> {
  return services.call({
    tool,
    input,
    // The server calls these handlers only for a person who is signed in.
    caller: caller as Caller,
    surface: 'page',
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  })
}

function explain(outcome: Outcome): Response {
  if (outcome.status !== 'failed')
    return messagePage('Not ready', 'This is not done yet. Look again in a moment.', 202)
  const { code, message } = outcome.error
  if (code === 'TOOL_RESOURCE_NOT_FOUND') return messagePage('Not found', message, 404)
  return messagePage('Not done', message, code === 'TOOL_INVALID_INPUT' ? 400 : 503)
}

function redirect(location: string): Response {
  return new Response(null, { status: 303, headers: { location, 'cache-control': 'no-store' } })
}

const TOKEN = /^[A-Za-z0-9_-]{32}$/

/** The page of a shared link. Everyone who knows the address may read it. */
export const SHARED_ROUTE: PackRoute = {
  method: 'GET',
  path: '/travel/shared/:tenant/:token',
  auth: 'none',
  handle: showSharedPlan,
}

async function showSharedPlan({ params, services }: PackRequest): Promise<Response> {
  const { tenant = '', token = '' } = params
  if (!TOKEN.test(token)) return notFound()
  const outcome = await services.call({
    tool: 'travel.readSharedPlan',
    input: { token },
    caller: services.systemCaller(tenant),
    surface: 'page',
  })
  if (outcome.status === 'done') return htmlResponse(PlanDocument.parse(outcome.data).content)
  return outcome.status === 'failed' && outcome.error.code === 'TOOL_RESOURCE_NOT_FOUND'
    ? notFound()
    : messagePage('Not available', 'The plan cannot be shown at the moment. Try again later.', 503)
}

// The same for links that never existed, have expired, or were revoked.
function notFound(): Response {
  return messagePage(
    'No plan here',
    'This link does not lead to a plan. It may have expired or been revoked; ask the person who sent it for a new one.',
    404,
  )
}

// The pages have no scripts and load nothing from outside; a form sends to this server only.
const HEADERS = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow, noarchive',
  'cache-control': 'no-store',
}

function htmlResponse(body: string, status = 200): Response {
  return new Response(body, {
    status,
    headers: { ...HEADERS, 'content-type': 'text/html; charset=utf-8' },
  })
}

export type FileResponse = {
  readonly content: string
  readonly mediaType: string
  readonly fileName: string
}

function fileResponse({ content, mediaType, fileName }: FileResponse): Response {
  return new Response(content, {
    headers: {
      ...HEADERS,
      'content-type': mediaType,
      'content-disposition': `attachment; filename="${fileName}"`,
    },
  })
}

/** A small page with a heading. The body is HTML. */
function simplePage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow"><title>${escapeHtml(title)}</title>
<style>body{font:16px/1.5 system-ui,sans-serif;color:#0f172a;max-width:42rem;margin:2rem auto;padding:0 1rem}textarea{width:100%;font:inherit;padding:.5rem;box-sizing:border-box}button{font:inherit;padding:.5rem 1rem}.quiet{color:#475569}li{margin:.25rem 0}</style>
</head><body><main><h1>${escapeHtml(title)}</h1>
${body}
</main></body></html>
`
}

function messagePage(title: string, message: string, status: number): Response {
  return htmlResponse(simplePage(title, `<p>${escapeHtml(message)}</p>`), status)
}
