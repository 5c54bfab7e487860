import { visibleText } from '@surehand/core/host'
import type { Approval, Decision, Question } from '@surehand/core/ports'
import type { HttpContext } from '../http-env.ts'
import { formatRelativeTime } from './format-time.ts'
import { type Html, html } from './html.ts'
import { page } from './page.ts'
import { renderText } from './render-value.ts'
import { askToSignIn, findSignedInPerson, HOME, type Pages } from './signed-in-person.ts'

const PER_PAGE = 50
const LONGEST_SEARCH = 200

/** `GET /approvals`: everything that waits for this person, what expires first at the top. */
export async function showInbox(context: HttpContext, pages: Pages): Promise<Response> {
  const person = await findSignedInPerson(context, pages)
  if (person === undefined) return askToSignIn(context)
  const { runtime, clock } = pages.surface
  const nowMs = clock.now()
  const [approvals, questions] = await Promise.all([
    runtime.approvals.listFor(person.caller, 'pending'),
    runtime.questions.listFor(person.caller, 'open'),
  ])
  const waiting = [...approvals.map(approvalItem), ...questions.map(questionItem)]
    .filter(({ expiresAt }) => expiresAt > nowMs)
    .toSorted((one, other) => one.expiresAt - other.expiresAt)
  const list = pick(waiting, ({ searched }) => searched, { context, path: HOME })
  const rows = list.shown.map((item) => waitingRow(item, nowMs))
  const nothing = list.search === '' ? 'Nothing is waiting.' : 'Nothing that waits matches this.'
  const body = html`<main data-live>
<h1>Waiting for you <span class="count">(${waiting.length})</span></h1>
${searchForm(HOME, list.search)}
${rows.length === 0 ? html`<p>${nothing}</p>` : html`<ul class="list">${rows}</ul>`}
${pager(list)}
<form method="post" action="/sign-out"><div class="answers"><button>Sign out</button></div></form></main>`
  const count = waiting.length === 0 ? '' : `(${waiting.length}) `
  return page(body, { title: `${count}Waiting for you`, script: 'pages' })
}

type WaitingItem = Pick<Approval, 'asks' | 'principal' | 'toolId' | 'expiresAt'> & {
  readonly path: string
  readonly kind: string
  readonly isFinal: boolean
  readonly searched: string
}

function approvalItem(approval: Approval): WaitingItem {
  return {
    ...approval,
    path: `/approvals/${encodeURIComponent(approval.id)}`,
    kind: 'Approval',
    isFinal: !approval.reversible,
    searched: searchedText(approval),
  }
}

function questionItem(question: Question): WaitingItem {
  return {
    ...question,
    path: `/questions/${encodeURIComponent(question.id)}`,
    kind: 'Question',
    isFinal: false,
    searched: searchedText(question),
  }
}

function searchedText({
  asks,
  toolId,
  principal,
}: Pick<Approval, 'asks' | 'toolId' | 'principal'>): string {
  return [asks, toolId, principal].join('\n')
}

function waitingRow(
  { path, kind, isFinal, asks, principal, toolId, expiresAt }: WaitingItem,
  nowMs: number,
): Html {
  const final = isFinal ? html` <span class="tag bad">cannot be undone</span>` : undefined
  return html`<li><a href="${path}">${renderText(asks.split('\n')[0] ?? '')}</a><span class="small"><span class="tag">${kind}</span>${final} expires ${formatRelativeTime(expiresAt, nowMs)}, requested by ${renderText(visibleText(principal))} with <code>${toolId}</code></span></li>`
}

/** `GET /decisions`: what was decided, by whom and why; the latest first. */
export async function showDecisions(context: HttpContext, pages: Pages): Promise<Response> {
  const person = await findSignedInPerson(context, pages)
  if (person === undefined) return askToSignIn(context)
  const { runtime, clock } = pages.surface
  const nowMs = clock.now()
  const approvals = await runtime.approvals.listFor(person.caller)
  const over = approvals
    .filter(({ state, expiresAt }) => state !== 'pending' || expiresAt <= nowMs)
    .toSorted((one, other) => endOf(other) - endOf(one))
  const list = pick(over, decisionText, { context, path: '/decisions' })
  const rows = list.shown.map((approval) => decisionRow(approval, nowMs))
  const nothing = list.search === '' ? 'Nothing was decided yet.' : 'No decision matches this.'
  const body = html`<main>
<h1>Decisions</h1>
${searchForm('/decisions', list.search)}
${rows.length === 0 ? html`<p>${nothing}</p>` : html`<ul class="list">${rows}</ul>`}
${pager(list)}</main>`
  return page(body, { title: 'Decisions', script: 'pages' })
}

function endOf({ decision, expiresAt, createdAt, state }: Approval): number {
  return decision?.at ?? (state === 'replaced' ? createdAt : expiresAt)
}

function decisionText(approval: Approval): string {
  const { decision } = approval
  return [searchedText(approval), decision?.by, decision?.reason].join('\n')
}

function decisionRow(approval: Approval, nowMs: number): Html {
  const { id, asks, principal, toolId, decision } = approval
  const reason = decision?.reason
    ? html`<span class="small reason">Reason: ${renderText(visibleText(decision.reason))}</span>`
    : undefined
  return html`<li><a href="/approvals/${encodeURIComponent(id)}">${renderText(asks.split('\n')[0] ?? '')}</a><span class="small">${verdictTag(approval)} ${decision === undefined ? undefined : html`by ${decider(decision)} `}${formatRelativeTime(endOf(approval), nowMs)}, requested by ${renderText(visibleText(principal))} with <code>${toolId}</code></span>${reason}</li>`
}

function verdictTag({ state, decision }: Approval): Html {
  if (decision?.verdict === 'deny') return html`<span class="tag bad">Denied</span>`
  if (decision?.voided !== undefined) return html`<span class="tag">Approved, then changed</span>`
  if (decision !== undefined) return html`<span class="tag good">Approved</span>`
  return html`<span class="tag">${state === 'replaced' ? 'Edited' : 'Expired'}</span>`
}

function decider({ by, credential, host }: Decision): Html {
  const relayed = credential === 'attested' ? html` (relayed by ${host ?? 'a host'})` : undefined
  return html`${renderText(visibleText(by))}${relayed}`
}

type Listed<Item> = {
  readonly shown: readonly Item[]
  readonly search: string
  readonly path: string
  readonly number: number
  readonly pages: number
}

/** The page of the list that the request asks for, of the items that match its search. */
function pick<Item>(
  items: readonly Item[],
  textOf: (item: Item) => string,
  { context, path }: { readonly context: HttpContext; readonly path: string },
): Listed<Item> {
  const search = (context.req.query('q') ?? '').trim().slice(0, LONGEST_SEARCH)
  const words = search.toLowerCase().split(/\s+/)
  const found = items.filter((item) => {
    const text = textOf(item).toLowerCase()
    return words.every((word) => text.includes(word))
  })
  const pages = Math.max(1, Math.ceil(found.length / PER_PAGE))
  const number = Math.min(pages, Math.max(1, Math.trunc(Number(context.req.query('page')) || 1)))
  return {
    shown: found.slice((number - 1) * PER_PAGE, number * PER_PAGE),
    search,
    path,
    number,
    pages,
  }
}

function searchForm(path: string, search: string): Html {
  return html`<form class="search" role="search" action="${path}"><input type="search" name="q" value="${search}" aria-label="Search" placeholder="Search" maxlength="${LONGEST_SEARCH}"><button>Search</button></form>`
}

function pager({ search, path, number, pages }: Listed<unknown>): Html | undefined {
  if (pages === 1) return undefined
  const link = (to: number, name: string): Html =>
    to < 1 || to > pages
      ? html`<span></span>`
      : html`<a href="${path}?${new URLSearchParams({ q: search, page: String(to) }).toString()}">${name}</a>`
  return html`<nav class="pager" aria-label="Pages of the list">${link(number - 1, 'Previous')}<span>Page ${number} of ${pages}</span>${link(number + 1, 'Next')}</nav>`
}
