import type { Caller, Runtime } from '@surehand/core'
import { requesterText, visibleText } from '@surehand/core/host'
import {
  type Approval,
  type Decision,
  type Page,
  type PageRequest,
  placeOf,
  type Question,
  readPlace,
} from '@surehand/core/ports'
import type { HttpContext } from '../http-env.ts'
import { formatRelativeTime } from './format-time.ts'
import { type Html, html } from './html.ts'
import { page } from './page.ts'
import { renderText } from './render-value.ts'
import { askToSignIn, findSignedInPerson, HOME, type Pages } from './signed-in-person.ts'

const PER_PAGE = 50
const LONGEST_SEARCH = 200
// A search reads on until its page is full, but no longer than this; the next page continues there.
const MOST_READ = 1_000
const PER_READ = 200

/** `GET /approvals`: everything that waits for this person, what expires first at the top. */
export async function showInbox(context: HttpContext, pages: Pages): Promise<Response> {
  const person = await findSignedInPerson(context, pages)
  if (person === undefined) return askToSignIn(context)
  const { runtime, clock } = pages.surface
  const nowMs = clock.now()
  const list = await collectPage(context, {
    path: HOME,
    async read(wanted) {
      const { items, next } = await readWaiting(person.caller, wanted, runtime)
      return { items: items.map(toWaitingItem), next }
    },
    nameOf: placeOf,
    textOf: ({ searched }) => searched,
  })
  const { shown, search } = list
  const rows = shown.map((item) => waitingRow(item, nowMs))
  const nothing = search === '' ? 'Nothing is waiting.' : 'Nothing that waits matches this.'
  const count = `${shown.length}${list.next === undefined ? '' : '+'}`
  const body = html`<main data-live>
<h1>Waiting for you <span class="count">(${count})</span></h1>
${searchForm(HOME, search)}
${rows.length === 0 ? html`<p>${nothing}</p>` : html`<ul class="list">${rows}</ul>`}
${pager(list)}
<form method="post" action="/sign-out"><div class="answers"><button>Sign out</button></div></form></main>`
  const title = shown.length === 0 ? 'Waiting for you' : `(${count}) Waiting for you`
  return page(body, { title, script: 'pages' })
}

/** Something that a person is to decide or to answer. */
export type Waiting = Placed &
  (
    | { readonly kind: 'approval'; readonly approval: Approval }
    | { readonly kind: 'question'; readonly question: Question }
  )

/** Approval requests and questions in one list: both are paged by the same places. */
export async function readWaiting(
  caller: Caller,
  wanted: PageRequest,
  { approvals, questions }: Runtime,
): Promise<Page<Waiting>> {
  const [requested, asked] = await Promise.all([
    approvals.waitingFor(caller, wanted),
    questions.waitingFor(caller, wanted),
  ])
  const items: Waiting[] = [
    ...requested.items.map(
      (approval) => ({ kind: 'approval', approval, ...place(approval) }) as const,
    ),
    ...asked.items.map((question) => ({ kind: 'question', question, ...place(question) }) as const),
  ].toSorted(comparePlaces)
  // Behind the end of one list, what was not read of it comes before the rest of the other.
  const [end] = [requested.next, asked.next]
    .flatMap((next) => (next === undefined ? [] : [readPlace(next)]))
    .map(({ at, id }) => ({ expiresAt: at, id }))
    .toSorted(comparePlaces)
  if (end === undefined) return { items, next: undefined }
  return { items: items.filter((item) => comparePlaces(item, end) <= 0), next: placeOf(end) }
}

function place({ expiresAt, id }: Placed): Placed {
  return { expiresAt, id }
}

function toWaitingItem(waiting: Waiting): WaitingItem {
  return waiting.kind === 'approval'
    ? approvalItem(waiting.approval)
    : questionItem(waiting.question)
}

type Placed = Pick<Approval, 'expiresAt' | 'id'>

function comparePlaces(one: Placed, other: Placed): number {
  return one.expiresAt - other.expiresAt || (one.id < other.id ? -1 : Number(one.id > other.id))
}

type WaitingItem = Pick<Approval, 'id' | 'asks' | 'toolId' | 'expiresAt'> & {
  readonly path: string
  readonly requester: string
  readonly kind: string
  readonly isFinal: boolean
  readonly searched: string
}

function approvalItem(approval: Approval): WaitingItem {
  return {
    ...approval,
    path: `/approvals/${encodeURIComponent(approval.id)}`,
    requester: requesterText(approval),
    kind: 'Approval',
    isFinal: !approval.reversible,
    searched: searchedText(approval),
  }
}

function questionItem(question: Question): WaitingItem {
  return {
    ...question,
    path: `/questions/${encodeURIComponent(question.id)}`,
    requester: requesterText(question),
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
  { path, kind, isFinal, asks, requester, toolId, expiresAt }: WaitingItem,
  nowMs: number,
): Html {
  const final = isFinal ? html` <span class="tag bad">cannot be undone</span>` : undefined
  return html`<li><a href="${path}">${renderText(asks.split('\n')[0] ?? '')}</a><span class="small"><span class="tag">${kind}</span>${final} expires ${formatRelativeTime(expiresAt, nowMs)}, requested by ${renderText(requester)} with <code>${toolId}</code></span></li>`
}

/** `GET /decisions`: what was decided, by whom and why; the latest request first. */
export async function showDecisions(context: HttpContext, pages: Pages): Promise<Response> {
  const person = await findSignedInPerson(context, pages)
  if (person === undefined) return askToSignIn(context)
  const { runtime, clock } = pages.surface
  const nowMs = clock.now()
  const list = await collectPage(context, {
    path: '/decisions',
    async read(wanted) {
      const { items, next } = await runtime.approvals.pageFor(person.caller, wanted)
      return { items: items.filter(({ state }) => state !== 'pending'), next }
    },
    nameOf: ({ id }) => id,
    textOf: decisionText,
  })
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
  const { id, asks, toolId, decision } = approval
  const reason = decision?.reason
    ? html`<span class="small reason">Reason: ${renderText(visibleText(decision.reason))}</span>`
    : undefined
  return html`<li><a href="/approvals/${encodeURIComponent(id)}">${renderText(asks.split('\n')[0] ?? '')}</a><span class="small">${verdictTag(approval)} ${decision === undefined ? undefined : html`by ${decider(decision)} `}${formatRelativeTime(endOf(approval), nowMs)}, requested by ${renderText(requesterText(approval))} with <code>${toolId}</code></span>${reason}</li>`
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

type List<Item> = {
  readonly path: string
  readonly read: (wanted: PageRequest) => Promise<Page<Item>>
  /** The name of an item for `after`: the next page begins behind it. */
  readonly nameOf: (item: Item) => string
  readonly textOf: (item: Item) => string
}

type Listed<Item> = {
  readonly shown: readonly Item[]
  readonly search: string
  readonly path: string
  readonly isFirst: boolean
  readonly next: string | undefined
}

/** The page of the list that the request asks for, of the items that match its search. */
async function collectPage<Item>(
  context: HttpContext,
  { path, read, nameOf, textOf }: List<Item>,
): Promise<Listed<Item>> {
  const search = (context.req.query('q') ?? '').trim().slice(0, LONGEST_SEARCH)
  const words = search.toLowerCase().split(/\s+/)
  const isWanted = (item: Item): boolean => {
    const text = textOf(item).toLowerCase()
    return words.every((word) => text.includes(word))
  }
  const from = context.req.query('after') || undefined
  const found: Item[] = []
  let next = from
  for (let reads = 0; reads * PER_READ < MOST_READ; reads++) {
    const batch = await read({ limit: PER_READ, after: next })
    found.push(...batch.items.filter(isWanted))
    next = batch.next
    if (next === undefined || found.length > PER_PAGE) break
  }
  const shown = found.slice(0, PER_PAGE)
  const last = shown.at(-1)
  const behind = found.length > PER_PAGE && last !== undefined ? nameOf(last) : next
  return { shown, search, path, isFirst: from === undefined, next: behind }
}

function searchForm(path: string, search: string): Html {
  return html`<form class="search" role="search" action="${path}"><input type="search" name="q" value="${search}" aria-label="Search" placeholder="Search" maxlength="${LONGEST_SEARCH}"><button>Search</button></form>`
}

function pager({ search, path, isFirst, next }: Listed<unknown>): Html | undefined {
  if (isFirst && next === undefined) return undefined
  const link = (name: string, after: string | undefined): Html => {
    const query = new URLSearchParams({ q: search, ...(after === undefined ? {} : { after }) })
    return html`<a href="${path}?${query.toString()}">${name}</a>`
  }
  return html`<nav class="pager" aria-label="Pages of the list">${isFirst ? html`<span></span>` : link('First page', undefined)}${next === undefined ? html`<span></span>` : link('Next page', next)}</nav>`
}
