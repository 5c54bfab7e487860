import type { Approval, ApprovalState } from '../call/approval.ts'
import type { Caller } from '../call/caller.ts'
import { type Page, type PageRequest, placeOf, readPlace, toPage } from '../call/page.ts'
import type { LedgerContext } from '../ledger/context.ts'
import { decisionRules, maySee, maySeeAll } from './may-decide.ts'

/** What approval requests are searched by; all of it must hold. */
export type ApprovalSearch = {
  /** `closed`: decided, expired or replaced. */
  readonly state?: ApprovalState | 'closed' | undefined
  readonly tool?: string | undefined
  /** Who called the tool. */
  readonly principal?: string | undefined
  /** Whether a person called it, or an agent for them. */
  readonly actor?: Caller['actor'] | undefined
  readonly decidedBy?: string | undefined
  /** Words that all occur in the request or in the reason of its decision. */
  readonly text?: string | undefined
  /** Requested at this time or later, and before this one. */
  readonly since?: number | undefined
  readonly until?: number | undefined
}

// A search reads on until its page is full, but no longer than this; the next page continues there.
const MOST_READ = 1_000
const PER_READ = 200

/** The requests that this viewer may see, the newest first. */
export async function readApprovals(
  viewer: Caller,
  wanted: PageRequest & ApprovalSearch,
  context: LedgerContext,
): Promise<Page<Approval>> {
  const matches = matcherOf(wanted)
  if (matches === undefined) return readBatch(viewer, wanted, context)
  const { limit } = wanted
  const found: Approval[] = []
  const pace = pauseAfter(CHARACTERS_A_TURN)
  let next = wanted.after
  for (let read = 0; read < MOST_READ; read += PER_READ) {
    const batch = await readBatch(viewer, { ...wanted, limit: PER_READ, after: next }, context)
    for (const approval of batch.items) {
      await pace(approval.shown.length)
      if (matches(approval)) found.push(approval)
    }
    next = batch.next
    if (next === undefined || found.length > limit) break
  }
  const items = found.slice(0, limit)
  return { items, next: found.length > limit ? items.at(-1)?.id : next }
}

async function readBatch(
  viewer: Caller,
  { state, tool, principal, since, until, limit, after }: PageRequest & ApprovalSearch,
  context: LedgerContext,
): Promise<Page<Approval>> {
  const stored = state === 'closed' ? undefined : state
  const found = await readInTurns(limit + 1, async (most, last) => {
    const rows = await context.stores.approvals.list(viewer.tenant, stored, {
      principal: maySeeAll(viewer, context.scheme) ? principal : viewer.principal,
      toolId: tool,
      since,
      until,
      limit: most,
      before: last?.id ?? after,
    })
    return rows.toReversed()
  })
  return keepVisible(
    toPage(found, limit, ({ id }) => id),
    viewer,
    context,
  )
}

// A request shows the whole input of its call, which may be a megabyte: a page of two hundred, read
// at once, would hold up other requests. These take about three milliseconds.
const CHARACTERS_A_TURN = 1_000_000
const FIRST_READ = 5

/** Reads so many requests, a few at a time where they are large, with a pause after each read. */
async function readInTurns(
  wanted: number,
  read: (most: number, last: Approval | undefined) => Promise<readonly Approval[]>,
): Promise<readonly Approval[]> {
  const found: Approval[] = []
  let [most, characters] = [Math.min(FIRST_READ, wanted), 0]
  for (;;) {
    const rows = await read(most, found.at(-1))
    found.push(...rows)
    if (rows.length < most || found.length >= wanted) return found
    for (const { shown } of rows) characters += shown.length
    const fitting = Math.ceil((CHARACTERS_A_TURN * found.length) / (characters + 1))
    most = Math.min(fitting, wanted - found.length)
    await nextTurn()
  }
}

/** Called before each step with its size: pauses when those since the last pause are so large. */
function pauseAfter(most: number): (size: number) => Promise<void> | undefined {
  let done = 0
  return (size) => {
    done += size
    if (done < most) return undefined
    done = 0
    return nextTurn()
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** What no index and no statement of the stores compares; undefined where nothing is to be. */
function matcherOf({
  state,
  principal,
  actor,
  decidedBy,
  text = '',
}: ApprovalSearch): ((approval: Approval) => boolean) | undefined {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const tests: ((approval: Approval) => boolean)[] = []
  if (state === 'closed') tests.push((approval) => approval.state !== 'pending')
  // Those who see only their own requests find none of another person.
  if (principal !== undefined) tests.push((approval) => approval.principal === principal)
  if (decidedBy !== undefined) tests.push(({ decision }) => decision?.by === decidedBy)
  if (actor !== undefined) tests.push(({ shown }) => actorOf(shown) === actor)
  if (words.length > 0)
    tests.push((approval) => {
      const searched = searchedText(approval).toLowerCase()
      return words.every((word) => searched.includes(word))
    })
  return tests.length === 0 ? undefined : (approval) => tests.every((test) => test(approval))
}

function searchedText({ asks, shown, toolId, principal, decision }: Approval): string {
  return [asks, shown, toolId, principal, decision?.by, decision?.reason].join('\n')
}

function actorOf(shown: string): unknown {
  return (JSON.parse(shown) as { readonly actor?: unknown }).actor
}

/** The pending requests that this viewer may see, what expires first at the top. */
export async function readWaiting(
  viewer: Caller,
  { limit, after }: PageRequest,
  context: LedgerContext,
): Promise<Page<Approval>> {
  const found = await readInTurns(limit + 1, async (most, last) =>
    context.stores.approvals.list(viewer.tenant, 'pending', {
      principal: maySeeAll(viewer, context.scheme) ? undefined : viewer.principal,
      limit: most,
      expiringAfter: readPlace(last === undefined ? after : placeOf(last)),
    }),
  )
  return keepVisible(toPage(found, limit, placeOf), viewer, context)
}

function keepVisible(
  { items, next }: Page<Approval>,
  viewer: Caller,
  context: LedgerContext,
): Page<Approval> {
  const visible = items.filter((approval) =>
    maySee(viewer, approval, decisionRules(approval, context)),
  )
  return { items: visible, next }
}

/** A text that is another one when what waits has changed; viewers of the same scope share it. */
export type WaitingMark = { readonly scope: string; readonly read: () => Promise<string> }

export function markWaiting(viewer: Caller, { stores, scheme }: LedgerContext): WaitingMark {
  const { tenant } = viewer
  const whose = maySeeAll(viewer, scheme) ? undefined : viewer.principal
  return {
    scope: JSON.stringify([tenant, whose]),
    read: async () =>
      JSON.stringify([
        await stores.approvals.waitingMark(tenant, whose),
        await stores.runs.waitingMark(tenant, whose),
      ]),
  }
}
