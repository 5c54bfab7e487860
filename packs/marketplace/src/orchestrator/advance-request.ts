import { callTool, type MarketWork, runTool } from '../engine/market-context.ts'
import { numberOf, textOf } from '../market-data.ts'
import { VENDOR_COOLDOWN_MS } from '../messages/message-limits.ts'
import { localMinute, minuteOf } from '../messages/quiet-hours.ts'
import {
  type Answered,
  isLaterOffer,
  isOffer,
  readAnswers,
  toShortlist,
} from '../outreach/read-offers.ts'
import { sourceCodeOf } from '../refuse.ts'
import type { ShortlistItem } from '../request/request.ts'
import {
  type ClientRequest,
  isOvertaken,
  moveRequest,
  needOf,
  placeOf,
  readClientRequest,
  writeToClient,
} from './client-request.ts'
import { languageOf, phrasesOf, shortlistText } from './texts.ts'

// Vendors are asked in at most this many rounds.
const MAX_ROUNDS = 2

/**
 * Does what follows from the state of a request, as far as it goes now. It decides by what is
 * stored alone, so that it may be called at any time and by several processes.
 */
export async function advanceRequest(work: MarketWork, requestId: string): Promise<void> {
  if (!work.settings().orchestratorEnabled) return
  for (let step = 0; step < 4; step++) {
    const request = await readClientRequest(work, requestId)
    if (request === undefined || request.mode !== 'auto') return
    if (!(await advanceOnce(work, request))) return
  }
}

/** One step; returns whether the state has changed, so that more may follow. */
async function advanceOnce(work: MarketWork, request: ClientRequest): Promise<boolean> {
  switch (request.state) {
    case 'vendor_outreach':
      return askPlannedVendors(work, request)
    case 'awaiting_vendor_replies':
      return judgeReplies(work, request)
    case 'shortlist_ready':
      await tellShortlist(work, request)
      return false
    case 'collecting_requirements':
    case 'ocr_processing':
    case 'handed_off':
    case 'closed':
    case 'error':
      return false
  }
}

// A process may have died between storing the list and sending it; the same text is sent once.
async function tellShortlist(work: MarketWork, request: ClientRequest): Promise<void> {
  const items = request.shortlist as readonly ShortlistItem[]
  if (items.length > 0)
    await writeToClient(work, request, shortlistText(request.language, needOf(request), items))
}

/** Chooses vendors and begins to ask them; without any, the client is told and a person looks. */
export async function beginOutreach(work: MarketWork, request: ClientRequest): Promise<void> {
  const vendorIds = await chooseVendors(work, request)
  if (vendorIds.length === 0) return giveUp(work, request, 'no_vendors')
  const planned = await callTool(work, {
    tool: 'marketplace.plan_outreach',
    input: { request_id: request.id, version: request.version, vendor_ids: vendorIds },
  })
  // Another message of the client began it at the same moment.
  if (planned.status === 'failed' && !isOvertaken(planned.error)) throw planned.error
  await advanceRequest(work, request.id)
}

async function askPlannedVendors(work: MarketWork, request: ClientRequest): Promise<boolean> {
  const { read, tenant } = work
  const planned = await read(
    `select o.id, o.vendor_id, v.language from mk_outreach o join mk_vendors v on v.tenant = o.tenant and v.id = o.vendor_id
      where o.tenant = ? and o.request_id = ? and o.state = 'queued' order by o.created_at, o.id`,
    tenant,
    request.id,
  )
  for (const { id, vendor_id: vendorId, language } of planned) {
    const { vendorQuestion } = phrasesOf(languageOf(language))
    const outcome = await callTool(work, {
      tool: 'marketplace.send_vendor_message',
      input: {
        request_id: request.id,
        vendor_id: String(vendorId),
        message: vendorQuestion(needOf(request), placeOf(request)).slice(0, 1_024),
      },
    })
    if (outcome.status === 'failed' && isClosedFor(sourceCodeOf(outcome.error)))
      await runTool(work, {
        tool: 'marketplace.end_outreach',
        input: { outreach_id: String(id), to: 'excluded', reason: outcome.error.message },
      })
  }
  const [asked] = await read(
    `select count(*) as n from mk_outreach where tenant = ? and request_id = ? and state in ('queued', 'sent', 'replied', 'no_response')`,
    tenant,
    request.id,
  )
  const count = Number(asked?.n ?? 0)
  // Told before the state changes: a crash in between would leave the client without an answer.
  if (count > 0)
    await writeToClient(
      work,
      request,
      phrasesOf(request.language).searching(needOf(request), placeOf(request), count),
    )
  return moveRequest(work, request, 'awaiting_vendor_replies', { reason: 'the vendors are asked' })
}

function isClosedFor(code: string | undefined): boolean {
  return code === 'VENDOR_OPTED_OUT' || code === 'VENDOR_INACTIVE' || code === 'OPTED_OUT'
}

/**
 * The shortlist is ready when there are enough offers, or when no vendor is waited for any more.
 * A vendor whose message is still queued is waited for as long as one who was asked, unless nobody
 * else has it or will have it: a popular vendor under cooldown would hold up its clients for hours
 * otherwise.
 * Replies that are unsure wait for a person.
 */
async function judgeReplies(work: MarketWork, request: ClientRequest): Promise<boolean> {
  const [waiting] = await work.read(
    `select coalesce(sum(case when state = 'sent' or created_at > ? then 1 else 0 end), 0) as soon, count(*) as all_of_them
      from mk_outreach where tenant = ? and request_id = ? and state in ('queued', 'sent')`,
    work.now() - work.settings().replyWaitMs,
    work.tenant,
    request.id,
  )
  const answered = await readAnswers(work.read, work.tenant, request.id)
  const offers = answered.filter(isOffer)
  const later = answered.filter(isLaterOffer)
  // "Let me check" and questions leave the vendor the rest of the time to answer.
  const isWaiting =
    Number((offers.length + later.length > 0 ? waiting?.soon : waiting?.all_of_them) ?? 0) > 0 ||
    answered.some(({ reading, dueAt }) => reading.has_stock === null && dueAt > work.now())
  if (offers.length >= work.settings().enoughOffers || (offers.length > 0 && !isWaiting))
    return sendShortlist(work, request, [...offers, ...later])
  if (isWaiting || answered.some(({ reading }) => reading.unsure)) return false
  return askMoreVendors(work, request, later)
}

async function sendShortlist(
  work: MarketWork,
  request: ClientRequest,
  offers: readonly Answered[],
): Promise<boolean> {
  const finished = await callTool(work, {
    tool: 'marketplace.finish_shortlist',
    input: { request_id: request.id, version: request.version, shortlist: toShortlist(offers) },
  })
  if (finished.status === 'failed' && !isOvertaken(finished.error)) throw finished.error
  // Read again: where another process was faster, its list is the one that is sent.
  return true
}

async function askMoreVendors(
  work: MarketWork,
  request: ClientRequest,
  later: readonly Answered[],
): Promise<boolean> {
  const [rounds] = await work.read(
    `select count(*) as n from mk_request_states where tenant = ? and request_id = ? and to_state = 'vendor_outreach'`,
    work.tenant,
    request.id,
  )
  const vendorIds = Number(rounds?.n ?? 0) < MAX_ROUNDS ? await chooseVendors(work, request) : []
  // Tomorrow is better than never.
  if (vendorIds.length === 0 && later.length > 0) return sendShortlist(work, request, later)
  if (vendorIds.length === 0) {
    await giveUp(work, request, 'nobody_has_it')
    return false
  }
  const planned = await callTool(work, {
    tool: 'marketplace.plan_outreach',
    input: { request_id: request.id, version: request.version, vendor_ids: vendorIds },
  })
  return planned.status === 'done'
}

// The client is told by the fallback message of the state, which the due work sends.
async function giveUp(
  work: MarketWork,
  request: ClientRequest,
  why: 'no_vendors' | 'nobody_has_it',
): Promise<void> {
  const { noVendors, noOffers } = phrasesOf(request.language)
  const tell = why === 'no_vendors' ? noVendors : noOffers
  await moveRequest(work, request, 'error', {
    reason: why === 'no_vendors' ? 'no vendor was found' : 'no vendor has it',
    fallbackMessage: tell(needOf(request)).slice(0, 1_024),
    attention: {
      kind: 'no_vendors',
      reason:
        why === 'no_vendors'
          ? 'No vendor of this category is near the client.'
          : 'The vendors who were asked do not have it, or did not answer.',
    },
  })
}

const WIDER_RADIUS_KM = 15
/** As many as `search_vendors` returns at most: the best of them who can be asked now are taken. */
const CANDIDATES = 15

/**
 * The vendors to ask: in the order of `search_vendors`, but those who are open and can be written to
 * now come first. Another one is asked all the same where there are too few: a message to a closed
 * shop waits on its phone, and one under cooldown in our queue.
 */
async function chooseVendors(work: MarketWork, request: ClientRequest): Promise<readonly string[]> {
  const near = await search(work, request)
  const found = near.length > 0 ? near : await search(work, request, WIDER_RADIUS_KM)
  if (found.length === 0) return []
  const ready = await findReady(work, found)
  return [...found.filter((id) => ready.has(id)), ...found.filter((id) => !ready.has(id))].slice(
    0,
    work.settings().vendorsPerRequest,
  )
}

async function search(
  work: MarketWork,
  request: ClientRequest,
  radiusKm?: number,
): Promise<readonly string[]> {
  const { vendors } = await runTool<{ vendors: readonly { vendor_id: string }[] }>(work, {
    tool: 'marketplace.search_vendors',
    input: {
      request_id: request.id,
      category: String(request.requirements.category ?? ''),
      limit: CANDIDATES,
      ...(radiusKm === undefined ? {} : { filters: { location_radius_km: radiusKm } }),
    },
  })
  return vendors.map(({ vendor_id: id }) => id)
}

async function findReady(work: MarketWork, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const now = work.now()
  const rows = await work.read(
    `select v.id, v.last_outbound_at, v.opening_hours, v.time_zone,
      (select count(*) from mk_outreach o where o.tenant = v.tenant and o.vendor_id = v.id and o.state = 'queued') as waiting
      from mk_vendors v where v.tenant = ? and v.id in (${ids.map(() => '?').join(', ')})`,
    work.tenant,
    ...ids,
  )
  return new Set(
    rows
      .filter(
        (row) =>
          Number(row.waiting) === 0 &&
          (numberOf(row.last_outbound_at) ?? 0) <= now - VENDOR_COOLDOWN_MS &&
          isOpen(textOf(row.opening_hours), String(row.time_zone), now),
      )
      .map(({ id }) => String(id)),
  )
}

/** Whether a shop is open; one whose hours are not known is taken to be. */
export function isOpen(hours: string | undefined, timeZone: string, now: number): boolean {
  if (hours === undefined) return true
  const week = JSON.parse(hours) as Readonly<Record<string, readonly (readonly string[])[]>>
  const day = new Intl.DateTimeFormat('en-GB', { timeZone, weekday: 'short' }).format(now)
  const minute = localMinute(now, timeZone)
  return (week[day.toLowerCase()] ?? []).some(
    ([from = '', to = '']) => minute >= minuteOf(from) && minute < minuteOf(to),
  )
}
