import { type MarketWork, runTool } from '../engine/market-context.ts'
import { numberOf, textOf } from '../market-data.ts'
import { VENDOR_COOLDOWN_MS } from '../messages/message-limits.ts'
import { localMinute, minuteOf } from '../messages/quiet-hours.ts'
import type { ClientRequest } from './client-request.ts'

const WIDER_RADIUS_KM = 15
/** As many as `search_vendors` returns at most: the best of them who can be asked now are taken. */
const CANDIDATES = 15

/**
 * The vendors to ask: in the order of `search_vendors`, but those who are open and can be written to
 * now come first. Another one is asked all the same where there are too few: a message to a closed
 * shop waits on its phone, and one under cooldown in our queue.
 */
export async function chooseVendors(
  work: MarketWork,
  request: ClientRequest,
): Promise<readonly string[]> {
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
