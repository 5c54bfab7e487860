import { numberOf, type Reader, textOf } from '../market-data.ts'
import { MAX_SHORTLIST_ITEMS, type ShortlistItem } from '../request/request.ts'
import type { StoredReading } from './find-reading.ts'

/** A vendor who has answered, with what was understood. */
export type Answered = {
  readonly vendorId: string
  readonly name: string
  readonly phone: string
  readonly rating: number | undefined
  readonly text: string
  readonly reading: StoredReading
  readonly dueAt: number
}

export async function readAnswers(
  read: Reader,
  tenant: string,
  requestId: string,
): Promise<readonly Answered[]> {
  const rows = await read(
    `select o.vendor_id, o.reply_text, o.reply_data, o.due_at, v.name, v.phone, v.rating from mk_outreach o
      join mk_vendors v on v.tenant = o.tenant and v.id = o.vendor_id
      where o.tenant = ? and o.request_id = ? and o.state = 'replied' and o.reply_data is not null`,
    tenant,
    requestId,
  )
  return rows.map((row) => ({
    vendorId: String(row.vendor_id),
    name: String(row.name),
    phone: String(row.phone),
    rating: numberOf(row.rating),
    text: textOf(row.reply_text) ?? '',
    reading: JSON.parse(String(row.reply_data)) as StoredReading,
    dueAt: numberOf(row.due_at) ?? 0,
  }))
}

/** A reply that says with certainty that the vendor has it. */
export function isOffer({ reading }: Answered): boolean {
  return reading.has_stock === true && !reading.unsure
}

/** A reply that says with certainty that the vendor has none now, and when there will be some. */
export function isLaterOffer({ reading }: Answered): boolean {
  return reading.has_stock === false && reading.availability !== undefined && !reading.unsure
}

/**
 * Those who have it before those who will have it; of each the cheapest first, and of the same price
 * the better rated.
 */
export function toShortlist(offers: readonly Answered[]): readonly ShortlistItem[] {
  return offers
    .toSorted(
      (left, right) =>
        Number(isOffer(right)) - Number(isOffer(left)) ||
        (left.reading.price ?? Number.POSITIVE_INFINITY) -
          (right.reading.price ?? Number.POSITIVE_INFINITY) ||
        (right.rating ?? 0) - (left.rating ?? 0),
    )
    .slice(0, MAX_SHORTLIST_ITEMS)
    .map(toItem)
}

function toItem({ vendorId, name, phone, text, reading }: Answered): ShortlistItem {
  const { price, availability, unit, total, confidence } = reading
  return {
    vendor_id: vendorId,
    vendor_name: name,
    vendor_phone: phone,
    response_summary: text.slice(0, 300),
    ...(price === undefined ? {} : { price }),
    ...(availability === undefined ? {} : { availability }),
    metadata: {
      confidence,
      ...(unit === undefined ? {} : { unit }),
      ...(total === undefined ? {} : { total }),
    },
  }
}
