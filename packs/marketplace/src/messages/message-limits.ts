import { ToolError, type Tx } from '@surehand/core'

export const VENDOR_MESSAGES_PER_DAY = 20
export const VENDOR_COOLDOWN_MS = 5 * 60_000
export const CLIENT_MESSAGES_PER_MINUTE = 20
const DAY_MS = 24 * 3_600_000
const MINUTE_MS = 60_000

// What was given to the provider, or may have been.
const SENT_STATES = "('sending', 'sent', 'delivered', 'read', 'failed', 'unknown')"

type Party = { readonly tenant: string; readonly partyId: string; readonly now: number }

/** When the next message to a vendor may be sent, by its cooldown and the limit of a day. */
export async function nextVendorMessageAt(
  tx: Tx,
  { tenant, partyId, now }: Party,
  except: string,
): Promise<number> {
  const times = await readSentTimes(tx, 'vendor', { tenant, partyId, now: now - DAY_MS }, except)
  const newest = times[0]
  const afterCooldown = newest === undefined ? now : newest + VENDOR_COOLDOWN_MS
  const oldestThatCounts = times[VENDOR_MESSAGES_PER_DAY - 1]
  const afterDay = oldestThatCounts === undefined ? now : oldestThatCounts + DAY_MS
  return Math.max(now, afterCooldown, afterDay)
}

/** Refuses the message of a client who got the most messages of a minute. */
export async function limitClientMessages(
  tx: Tx,
  { tenant, partyId, now }: Party,
  except: string,
): Promise<void> {
  const since = { tenant, partyId, now: now - MINUTE_MS }
  const times = await readSentTimes(tx, 'client', since, except)
  const oldestThatCounts = times[CLIENT_MESSAGES_PER_MINUTE - 1]
  if (oldestThatCounts === undefined) return
  const retryAfterMs = oldestThatCounts + MINUTE_MS - now
  throw new ToolError(
    'TOOL_RATE_LIMIT_EXCEEDED',
    `A client gets at most ${CLIENT_MESSAGES_PER_MINUTE} messages in a minute; this one was not sent.`,
    {
      details: {
        limit: CLIENT_MESSAGES_PER_MINUTE,
        window_ms: MINUTE_MS,
        retry_after_ms: retryAfterMs,
      },
      suggestions: [`Wait ${Math.ceil(retryAfterMs / 1000)} s, then send it again.`],
    },
  )
}

// Newest first. `updated_at` of a message is changed by its delivery, `at` is when it was given to
// the provider.
async function readSentTimes(
  tx: Tx,
  party: 'client' | 'vendor',
  { tenant, partyId, now: since }: Party,
  except: string,
): Promise<readonly number[]> {
  const rows = await tx.all(
    `select at from mk_messages where tenant = ? and party = ? and party_id = ? and at > ?
      and direction = 'outbound' and state in ${SENT_STATES} and id <> ? order by at desc limit ${VENDOR_MESSAGES_PER_DAY}`,
    tenant,
    party,
    partyId,
    since,
    except,
  )
  return rows.map(({ at }) => Number(at))
}
