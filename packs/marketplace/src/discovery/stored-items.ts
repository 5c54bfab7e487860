import type { PackGiven } from '@surehand/core/host'
import type { Row } from '@surehand/core/internal'
import { ExternalFeedItem } from './feed-item.ts'

/** The stored items with these ids, in their order. */
export async function readStoredItems(
  { query }: Pick<PackGiven, 'query'>,
  tenant: string,
  ids: readonly string[],
): Promise<readonly ExternalFeedItem[]> {
  if (ids.length === 0) return []
  const marks = ids.map(() => '?').join(', ')
  const rows = await query(
    `select * from external_feed_items where tenant = ? and feed_item_id in (${marks})`,
    [tenant, ...ids],
  )
  const byId = new Map(rows.map((row) => [String(row.feed_item_id), row]))
  return ids.flatMap((id) => {
    const row = byId.get(id)
    return row === undefined ? [] : [toFeedItem(row)]
  })
}

// The name of a place is not stored; it is seen behind the link.
function toFeedItem(row: Row): ExternalFeedItem {
  const { feed_item_id, source, url, title, snippet, phone, location_text, confidence } = row
  return ExternalFeedItem.parse({
    feed_item_id,
    source,
    url,
    title: title ?? 'A place on Google Maps',
    ...(snippet !== null && { snippet }),
    ...(phone !== null && { phone }),
    ...(location_text !== null && { location_text }),
    ...(confidence !== null && { confidence }),
  })
}
