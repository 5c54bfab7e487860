import { randomUUID } from 'node:crypto'
import { type Envelope, toEnvelope } from '@surehand/core'
import type { PackRequest, PackRoute } from '@surehand/core/host'
import { z } from 'zod'
import type { ConnectedSite } from '../contract/site-contract.ts'
import { formatMoney } from '../format-money.ts'
import { readSite } from '../session/site-data.ts'
import { Report } from './site-report.ts'

const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

const STYLE = `:root{color-scheme:light dark;--ink:light-dark(#1b1b23,#f1f1f6);--quiet:light-dark(#565666,#b0b0c0);--line:light-dark(#dcdce6,#3a3a48);--raised:light-dark(#f6f6fa,#22222b);--stop:light-dark(#a3142b,#ff9aa8);font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:light-dark(#fff,#17171d)}
body{max-width:60rem;margin:2rem auto;padding:0 1rem}h1{margin:0}h2{font-size:1.1rem;margin:2rem 0 .5rem}
.quiet{color:var(--quiet)}.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(11rem,1fr));gap:1rem;margin:1.5rem 0}
.card{background:var(--raised);border:1px solid var(--line);border-radius:12px;padding:1rem}.card b{display:block;font-size:1.7rem;line-height:1.2}
table{width:100%;border-collapse:collapse}th,td{text-align:left;padding:.4rem .5rem;border-bottom:1px solid var(--line);vertical-align:top}td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}
form.switch{display:flex;flex-wrap:wrap;gap:1rem;align-items:center;justify-content:space-between;background:var(--raised);border:1px solid var(--line);border-radius:12px;padding:1rem;margin:1rem 0}
button{font:inherit;min-height:44px;padding:0 1.2rem;border-radius:10px;border:2px solid var(--stop);background:transparent;color:var(--stop);cursor:pointer}a{color:inherit}`

/** The page of the owner: conversions, what had no answer, who wanted a person, and the kill switch. */
export const OWNER_ROUTES: readonly PackRoute[] = [
  { method: 'GET', path: '/site/owner', auth: 'person', handle: showReport },
  { method: 'GET', path: '/site/owner/visits/:session', auth: 'person', handle: showVisit },
  { method: 'POST', path: '/site/owner', auth: 'person', maxBytes: 4_000, handle: change },
]

const Days = z.coerce.number().int().min(1).max(365).catch(30)

async function showReport(request: PackRequest): Promise<Response> {
  const days = Days.parse(new URL(request.request.url).searchParams.get('days') ?? 30)
  const answer = await callAsOwner(request, 'site.report', { days })
  if (answer.status !== 'success') return explain(answer)
  const { caller, services } = request
  const site = await readSite(services.query, caller?.tenant ?? '')
  return page(site?.contract.name ?? 'No site is connected', [
    `<p class="quiet">The agent of the site in the last ${days} days. ${[7, 30, 90].map((one) => `<a href="/site/owner?days=${one}">${one} days</a>`).join(' · ')}</p>`,
    ...writeReport(Report.parse(answer.data), site),
  ])
}

function writeReport(report: Report, site: ConnectedSite | undefined): readonly string[] {
  const { visits, orders, bookings, conversion, cancellations, handoffs } = report
  const limit = site?.contract.spendLimit
  const sum = ({ totals }: Report['orders']) => totals.map(formatMoney).join(', ') || 'nothing yet'
  const card = (name: string, value: string | number, more: string) =>
    `<div class="card">${escapeText(name)}<b>${escapeText(String(value))}</b><span class="quiet">${escapeText(more)}</span></div>`
  return [
    writeSwitch(report.isStopped),
    '<div class="cards">',
    card('Visits', visits, `${Math.round(conversion * 100)} % ordered or booked`),
    card('Orders', orders.count, sum(orders)),
    card('Bookings', bookings.count, `${sum(bookings)}; ${cancellations} cancelled`),
    card('Limit of a visit', limit === undefined ? 'none' : formatMoney(limit), 'spendLimit'),
    '</div>',
    ...writeTable(
      'Searches without an answer',
      ['Words', 'Times'],
      report.unansweredSearches.map(({ text, count }) => [text || '(erased)', count]),
    ),
    ...writeTable(
      'Sentences that were not understood',
      ['Sentence', 'Times'],
      report.notUnderstood.map(({ text, count }) => [text || '(erased)', count]),
    ),
    '<h2>Wanted a person</h2>',
    handoffs.length === 0
      ? '<p class="quiet">Nobody yet.</p>'
      : `<table><tr><th>When<th>About<th>Visit</tr>${handoffs.map(({ at, text, session }) => `<tr><td>${escapeText(at.slice(0, 16).replace('T', ' '))}<td>${escapeText(text || '(erased)')}<td><a href="/site/owner/visits/${encodeURIComponent(session)}">${escapeText(session.slice(0, 12))}…</a></tr>`).join('')}</table>`,
    ...writeTable(
      'Publishable keys',
      ['Key', 'Name', 'State'],
      report.keys.map(({ key, name, revoked }) => [key, name, revoked ? 'revoked' : 'valid']),
    ),
  ]
}

function writeSwitch(isStopped: boolean): string {
  const [text, to, label] = isStopped
    ? ['The agent is stopped: nothing is done for visitors.', 'resume', 'Let it work again']
    : ['The agent works.', 'stop', 'Stop the agent now']
  return `<form class="switch" method="post" action="/site/owner"><strong role="status">${text}</strong>${hidden('to', to)}${hidden('key', randomUUID())}<button>${label}</button></form>`
}

function writeTable(
  title: string,
  headings: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): readonly string[] {
  const cell = (value: string | number) =>
    typeof value === 'number' ? `<td class="n">${value}` : `<td>${escapeText(value)}`
  if (rows.length === 0) return [`<h2>${title}</h2>`, '<p class="quiet">None.</p>']
  const head = headings.map((name) => (name === 'Times' ? `<th class="n">${name}` : `<th>${name}`))
  return [
    `<h2>${title}</h2>`,
    `<table><tr>${head.join('')}</tr>`,
    ...rows.map((row) => `<tr>${row.map(cell).join('')}</tr>`),
    '</table>',
  ]
}

const Turns = z.object({
  turns: z.array(z.object({ at: z.string(), said: z.string(), answered: z.string() })),
})

async function showVisit(request: PackRequest): Promise<Response> {
  const { session = '' } = request.params
  const answer = await callAsOwner(request, 'site.transcript', { sessionId: session })
  if (answer.status !== 'success') return explain(answer)
  const { turns } = Turns.parse(answer.data)
  return page(`Visit ${session.slice(0, 12)}…`, [
    '<p><a href="/site/owner">Back to the report</a></p>',
    turns.length === 0
      ? '<p>No transcript is stored. The contract of the site says so: transcripts are off unless it sets “session” or “30d”.</p>'
      : `<table><tr><th>When<th>Visitor<th>Agent</tr>${turns.map(({ at, said, answered }) => `<tr><td>${escapeText(at.slice(0, 16).replace('T', ' '))}<td>${escapeText(said)}<td>${escapeText(answered)}</tr>`).join('')}</table>`,
    `<form class="switch" method="post" action="/site/owner"><span>Erase what this visitor said, and their name.</span>${hidden('to', 'erase')}${hidden('session', session)}${hidden('key', randomUUID())}<button>Erase</button></form>`,
  ])
}

async function change(request: PackRequest): Promise<Response> {
  if (!isFromOurPage(request))
    return page(
      'Not sent',
      ['<p>The form was not sent from this page. Nothing was changed.</p>'],
      403,
    )
  const form = await request.request.formData()
  const field = (name: string) => String(form.get(name) ?? '')
  const input = field('to') === 'erase' ? { sessionId: field('session') } : {}
  const tool = { stop: 'site.stop', resume: 'site.resume', erase: 'site.erase_visitor' }[
    field('to')
  ]
  if (tool === undefined) return page('Not sent', ['<p>Nothing was changed.</p>'], 400)
  const answer = await callAsOwner(request, tool, input, `page ${field('key')}`)
  if (answer.status !== 'success') return explain(answer)
  return new Response(null, { status: 303, headers: { location: '/site/owner' } })
}

// A cookie is sent with the forms of other sites as well.
function isFromOurPage({ request, services }: PackRequest): boolean {
  const site = request.headers.get('sec-fetch-site')
  if (site !== null) return site === 'same-origin'
  return request.headers.get('origin') === new URL(services.publicUrl).origin
}

async function callAsOwner(
  { caller, services }: PackRequest,
  tool: string,
  input: object,
  key?: string,
): Promise<Envelope> {
  if (caller === undefined) throw new Error('A route with auth "person" has a caller.')
  const keyed = key === undefined ? {} : { idempotencyKey: key }
  return toEnvelope(await services.call({ tool, input, caller, surface: 'site', ...keyed }))
}

function explain({ error }: Envelope): Response {
  const isForbidden = /CAPABILITY|PERMISSION/.test(error?.code ?? '')
  return page(
    isForbidden ? 'Not for you' : 'That did not work',
    [`<p>${escapeText(error?.message ?? 'Try again in a minute.')}</p>`],
    isForbidden ? 403 : 500,
  )
}

function page(title: string, parts: readonly string[], status = 200): Response {
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeText(title)}</title><style>${STYLE}</style><main><h1>${escapeText(title)}</h1>${parts.join('\n')}</main></html>`
  return new Response(html, {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': POLICY,
      'cache-control': 'no-store',
    },
  })
}

function hidden(name: string, value: string): string {
  return `<input type="hidden" name="${name}" value="${escapeText(value)}">`
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
}
