import type { PackGiven } from '@surehand/core/host'
import { type ConnectedSite, SiteContract } from '../contract/site-contract.ts'

export type SiteQuery = PackGiven['query']

/** The contract that a tenant has stored, and whether its agent is stopped. */
export async function readSite(
  query: SiteQuery,
  tenant: string,
): Promise<ConnectedSite | undefined> {
  const [row] = await query('select body, is_stopped from site_contracts where tenant = ?', [
    tenant,
  ])
  if (row === undefined) return undefined
  return {
    contract: SiteContract.parse(JSON.parse(String(row.body))),
    isStopped: Number(row.is_stopped) === 1,
  }
}

/** The tenant of a publishable key; undefined where it is unknown or revoked. */
export async function findTenantOfKey(query: SiteQuery, key: string): Promise<string | undefined> {
  const [row] = await query('select tenant from site_keys where key = ? and revoked_at is null', [
    key,
  ])
  return row === undefined ? undefined : String(row.tenant)
}

/** The site that a publishable key belongs to, for the widget and its frame-ancestors. */
export async function findSiteOfKey(
  query: SiteQuery,
  key: string,
): Promise<(ConnectedSite & { readonly tenant: string }) | undefined> {
  const tenant = await findTenantOfKey(query, key)
  if (tenant === undefined) return undefined
  const site = await readSite(query, tenant)
  return site === undefined ? undefined : { ...site, tenant }
}

export type StoredSession = {
  readonly id: string
  readonly tokenHash: string
  readonly locale: string | undefined
  readonly timeZone: string | undefined
  readonly expiresAt: number
}

/** A session that has not ended. */
export async function findSession(
  query: SiteQuery,
  { tenant, session, now }: { tenant: string; session: string; now: number },
): Promise<StoredSession | undefined> {
  const [row] = await query(
    `select token_hash, locale, time_zone, expires_at from site_sessions
      where tenant = ? and id = ? and ended_at is null and expires_at > ?`,
    [tenant, session, now],
  )
  if (row === undefined) return undefined
  return {
    id: session,
    tokenHash: String(row.token_hash),
    locale: row.locale === null ? undefined : String(row.locale),
    timeZone: row.time_zone === null ? undefined : String(row.time_zone),
    expiresAt: Number(row.expires_at),
  }
}

/** What a session has approved so far, except for one cart or slot. */
export async function sumSpend(
  query: SiteQuery,
  { tenant, session, except }: { tenant: string; session: string; except: string },
): Promise<number> {
  const [row] = await query(
    'select coalesce(sum(amount), 0) as n from site_spend where tenant = ? and session = ? and subject <> ?',
    [tenant, session, except],
  )
  return Number(row?.n ?? 0)
}
