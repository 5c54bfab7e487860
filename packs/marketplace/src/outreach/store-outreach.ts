import type { Tx } from '@surehand/core'
import type { Row } from '@surehand/core/internal'
import { textOf } from '../market-data.ts'
import { refuse } from '../refuse.ts'
import { OUTREACH_TRANSITIONS, type OutreachState } from '../request/request.ts'

/** Whether the message of an outreach `o` was given to WhatsApp, which has not answered yet. */
export const IS_GIVEN = `exists (select 1 from mk_messages m where m.tenant = o.tenant and m.request_id = o.request_id
  and m.party = 'vendor' and m.party_id = o.vendor_id and m.state in ('sending', 'unknown'))`

export type StoredOutreach = {
  readonly id: string
  readonly requestId: string
  readonly vendorId: string
  readonly state: OutreachState
}

export function toOutreach(row: Row): StoredOutreach {
  return {
    id: String(row.id),
    requestId: String(row.request_id),
    vendorId: String(row.vendor_id),
    state: row.state as OutreachState,
  }
}

/**
 * The outreach of a request to a vendor, created where there is none. One that has ended is refused.
 * Returns its id.
 */
export async function ensureOutreach(
  tx: Tx,
  wanted: {
    readonly tenant: string
    readonly now: number
    readonly id: string
    readonly requestId: string
    readonly vendorId: string
  },
): Promise<string> {
  const { tenant, now, id, requestId, vendorId } = wanted
  const row = await tx.get(
    'select id, state, excluded_reason from mk_outreach where tenant = ? and request_id = ? and vendor_id = ?',
    tenant,
    requestId,
    vendorId,
  )
  if (row === undefined) {
    await tx.run(
      `insert into mk_outreach (tenant, id, request_id, vendor_id, state, touched_at, created_at) values (?, ?, ?, ?, 'queued', ?, ?)`,
      tenant,
      id,
      requestId,
      vendorId,
      now,
      now,
    )
    return id
  }
  if (row.state === 'excluded' || row.state === 'failed')
    throw refuse(
      row.state === 'excluded' ? 'OUTREACH_EXCLUDED' : 'OUTREACH_FAILED',
      `The outreach to this vendor has ended (${textOf(row.excluded_reason) ?? row.state}). Ask another vendor.`,
    )
  return String(row.id)
}

/** Changes the state of an outreach where the transition is legal; otherwise nothing is changed. */
export async function moveOutreach(
  tx: Tx,
  {
    tenant,
    id,
    now,
    to,
  }: {
    readonly tenant: string
    readonly id: string
    readonly now: number
    readonly to: OutreachState
  },
  more: Readonly<Record<string, string | number | null>> = {},
): Promise<boolean> {
  const from = Object.entries(OUTREACH_TRANSITIONS)
    .filter(([, next]) => next.includes(to))
    .map(([state]) => state)
  const columns = Object.keys(more)
  const { changes } = await tx.run(
    `update mk_outreach set state = ?, touched_at = ?${columns.map((column) => `, ${column} = ?`).join('')}
      where tenant = ? and id = ? and state in (${from.map(() => '?').join(', ')})`,
    to,
    now,
    ...Object.values(more),
    tenant,
    id,
    ...from,
  )
  return changes > 0
}
