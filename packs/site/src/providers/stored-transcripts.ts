import type { PackGiven } from '@surehand/core/host'
import type { SiteContract } from '../contract/site-contract.ts'
import type { TranscriptTurn, VisitorRecords } from '../owner/visitor-records.ts'

const LIFE_MS = { session: 8 * 3_600_000, '30d': 30 * 86_400_000 }
type Session = { readonly tenant: string; readonly session: string }

/**
 * Stores a turn of the conversation as the contract says: by default not at all. It expires by
 * itself, and is stored outside of calls and audit, so that it can be erased.
 */
export async function storeTurn(
  { values, now }: Pick<PackGiven, 'values' | 'now'>,
  { tenant, session }: Session,
  turn: {
    readonly keep: SiteContract['transcripts']
    readonly said: string
    readonly answered: string
  },
): Promise<void> {
  const { keep, said, answered } = turn
  if (keep === 'off') return
  const at = new Date(now()).toISOString()
  const line: TranscriptTurn = { at, said, answered }
  await values.set(tenant, `${prefixOf(session)}${at}`, JSON.stringify(line), LIFE_MS[keep])
}

/** Deletes the transcript of a visit; returns how many turns it had. */
export async function deleteTranscript(
  { values }: Pick<PackGiven, 'values'>,
  { tenant, session }: Session,
): Promise<number> {
  const lines = await values.list(tenant, prefixOf(session))
  for (const { key } of lines) await values.delete(tenant, key)
  return lines.length
}

export function storedTranscripts(
  given: Pick<PackGiven, 'values' | 'call' | 'systemCaller'>,
): VisitorRecords {
  return {
    async transcript({ tenant, session }) {
      const lines = await given.values.list(tenant, prefixOf(session))
      return lines.map(({ value }) => JSON.parse(value) as TranscriptTurn)
    },
    async erase({ tenant, session, idempotencyKey }) {
      const sentences = await deleteTranscript(given, { tenant, session })
      await given.values.delete(tenant, `site/talk/${session}`)
      // Requests to a UCP shop repeat the address that the visitor entered there.
      for (const { key } of await given.values.list(tenant, `site/ucp-request/${session}/`))
        await given.values.delete(tenant, key)
      const outcome = await given.call({
        tool: 'site.erase_rows',
        input: { sessionId: session },
        caller: given.systemCaller(tenant),
        surface: 'site',
        idempotencyKey,
      })
      if (outcome.status === 'failed') throw outcome.error
      const { rows } = (outcome.status === 'done' ? outcome.data : { rows: 0 }) as { rows: number }
      return { sentences, rows }
    },
  }
}

function prefixOf(session: string): string {
  return `site/transcript/${session}/`
}
