import type { PackGiven } from '@surehand/core/host'
import type { SiteReports, StoredReport } from '../owner/report-port.ts'
import { readSite } from '../session/site-data.ts'

const MOST_LISTED = 50

/** The owner's report, from our own tables. */
export function storedReports({ query }: Pick<PackGiven, 'query'>): SiteReports {
  return {
    async read({ tenant, since, now }) {
      const [site, sums, unanswered, notUnderstood, handoffs, keys, visits, live] =
        await Promise.all([
          readSite(query, tenant),
          query(
            `select kind, currency, count(*) as n, coalesce(sum(amount), 0) as total from site_events
            where tenant = ? and at >= ? group by kind, currency order by kind, currency`,
            [tenant, since],
          ),
          listCounted(query, tenant, 'unanswered_search', since),
          listCounted(query, tenant, 'not_understood', since),
          query(
            `select at, session, text from site_events where tenant = ? and kind = 'handoff' and at >= ?
            order by at desc limit ?`,
            [tenant, since, MOST_LISTED],
          ),
          query(
            'select key, name, revoked_at from site_keys where tenant = ? order by created_at',
            [tenant],
          ),
          query('select count(*) as n from site_sessions where tenant = ? and created_at >= ?', [
            tenant,
            since,
          ]),
          query(
            `select id, origin, created_at, expires_at from site_sessions
            where tenant = ? and ended_at is null and expires_at > ? order by created_at desc limit ?`,
            [tenant, now, MOST_LISTED],
          ),
        ])
      const sumOf = (kind: string) => {
        const rows = sums.filter((row) => row.kind === kind)
        return {
          count: rows.reduce((count, row) => count + Number(row.n), 0),
          totals: rows
            .filter((row) => row.currency !== null)
            .map((row) => ({ amount: Number(row.total), currency: String(row.currency) })),
        }
      }
      return {
        isStopped: site?.isStopped ?? false,
        visits: Number(visits[0]?.n ?? 0),
        orders: sumOf('order'),
        bookings: sumOf('booking'),
        cancellations: sumOf('cancellation').count,
        unansweredSearches: unanswered,
        notUnderstood,
        handoffs: handoffs.map((row) => ({
          at: new Date(Number(row.at)).toISOString(),
          session: String(row.session),
          text: String(row.text),
        })),
        keys: keys.map((row) => ({
          key: String(row.key),
          name: String(row.name),
          revoked: row.revoked_at !== null,
        })),
        live: live.map((row) => ({
          session: String(row.id),
          origin: String(row.origin),
          since: new Date(Number(row.created_at)).toISOString(),
          until: new Date(Number(row.expires_at)).toISOString(),
        })),
      }
    },
  }
}

async function listCounted(
  query: PackGiven['query'],
  tenant: string,
  kind: string,
  since: number,
): Promise<StoredReport['unansweredSearches']> {
  const rows = await query(
    `select text, count(*) as n from site_events where tenant = ? and kind = ? and at >= ?
      group by text order by count(*) desc, text limit ?`,
    [tenant, kind, since, MOST_LISTED],
  )
  return rows.map((row) => ({ text: String(row.text), count: Number(row.n) }))
}
