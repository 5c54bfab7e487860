import { ToolError, type Tx } from '@surehand/core'
import type { Row } from '@surehand/core/internal'
import { numberOf, type Reader, textOf } from '../market-data.ts'

/** To whom a message goes. `party`: on which side of the market. */
export type Recipient = {
  readonly party: 'client' | 'vendor'
  /** The id of the conversation or of the vendor. */
  readonly id: string
  readonly phone: string
  readonly language: string | undefined
  readonly lastInboundAt: number | undefined
  readonly hasOptedOut: boolean
  /** Of a client: who answers. */
  readonly mode: 'auto' | 'operator' | 'paused'
  /** Of a vendor: whether the marketplace works with it. */
  readonly isActive: boolean
}

const SOURCES = {
  client: `select c.*, o.at as refused_at from mk_conversations c
    left join mk_opt_outs o on o.tenant = c.tenant and o.phone = c.phone where c.tenant = ? and c.id = ?`,
  vendor: `select v.*, o.at as refused_at from mk_vendors v
    left join mk_opt_outs o on o.tenant = v.tenant and o.phone = v.phone where v.tenant = ? and v.id = ?`,
}

export type RecipientName = {
  readonly tenant: string
  readonly party: 'client' | 'vendor'
  readonly id: string
}

export async function readRecipient(
  read: Reader,
  { tenant, party, id }: RecipientName,
): Promise<Recipient> {
  const [row] = await read(SOURCES[party], tenant, id)
  if (row === undefined)
    throw new ToolError(
      'TOOL_RESOURCE_NOT_FOUND',
      party === 'vendor' ? `There is no vendor ${id}.` : `There is no conversation ${id}.`,
    )
  return toRecipient(party, row)
}

/** Locks the row of a recipient until the transaction ends: its limits are counted one by one. */
export async function lockRecipient(tx: Tx, name: RecipientName, now: number): Promise<Recipient> {
  const table = name.party === 'vendor' ? 'mk_vendors' : 'mk_conversations'
  await tx.run(
    `update ${table} set touched_at = ? where tenant = ? and id = ?`,
    now,
    name.tenant,
    name.id,
  )
  return readRecipient(tx.all, name)
}

function toRecipient(party: 'client' | 'vendor', row: Row): Recipient {
  return {
    party,
    id: String(row.id),
    phone: String(row.phone),
    language: textOf(row.language),
    lastInboundAt: numberOf(row.last_inbound_at),
    hasOptedOut: numberOf(row.opted_out_at) !== undefined || numberOf(row.refused_at) !== undefined,
    mode: party === 'client' ? (row.mode as Recipient['mode']) : 'auto',
    isActive: party === 'client' || Number(row.active) === 1,
  }
}

const WINDOW_MS = 24 * 3_600_000

/** WhatsApp takes free text only within 24 hours of the recipient's last message. */
export function isWindowOpen({ lastInboundAt }: Recipient, now: number): boolean {
  return lastInboundAt !== undefined && now - lastInboundAt < WINDOW_MS
}
