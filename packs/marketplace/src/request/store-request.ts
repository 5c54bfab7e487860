import { ToolError, type Tx } from '@surehand/core'
import type { Row } from '@surehand/core/internal'
import { numberOf, type Reader, textOf } from '../market-data.ts'
import { IS_GIVEN } from '../outreach/store-outreach.ts'
import { refuse } from '../refuse.ts'
import { mayFollow, REQUEST_TRANSITIONS, type RequestState, type Requirements } from './request.ts'

export type StoredRequest = {
  readonly id: string
  readonly conversationId: string
  readonly state: RequestState
  readonly stateAt: number
  /** Grows with every change of the state. */
  readonly version: number
  readonly requirements: Requirements
  readonly shortlist: readonly unknown[]
  readonly lat: number | undefined
  readonly lng: number | undefined
  readonly outreachStartedAt: number | undefined
  readonly createdAt: number
}

export async function readRequest(
  read: Reader,
  tenant: string,
  id: string,
): Promise<StoredRequest | undefined> {
  const [row] = await read('select * from mk_requests where tenant = ? and id = ?', tenant, id)
  return row === undefined ? undefined : toRequest(row)
}

export function toRequest(row: Row): StoredRequest {
  return {
    id: String(row.id),
    conversationId: String(row.conversation_id),
    state: row.state as RequestState,
    stateAt: Number(row.state_at),
    version: Number(row.version),
    requirements: JSON.parse(textOf(row.requirements) ?? '{}') as Requirements,
    shortlist: JSON.parse(textOf(row.shortlist) ?? '[]') as readonly unknown[],
    lat: numberOf(row.lat),
    lng: numberOf(row.lng),
    outreachStartedAt: numberOf(row.outreach_started_at),
    createdAt: Number(row.created_at),
  }
}

/** Reads a request that must exist. */
export async function requireRequest(
  read: Reader,
  tenant: string,
  id: string,
): Promise<StoredRequest> {
  const found = await readRequest(read, tenant, id)
  if (found === undefined) throw unknownRequest(id)
  return found
}

export function unknownRequest(id: string): ToolError {
  return new ToolError('TOOL_RESOURCE_NOT_FOUND', `There is no request ${id}.`)
}

/** Locks the row of a request until the transaction ends, then reads it. */
export async function lockRequest(
  tx: Tx,
  { tenant, id, now }: { readonly tenant: string; readonly id: string; readonly now: number },
): Promise<StoredRequest> {
  await tx.run('update mk_requests set touched_at = ? where tenant = ? and id = ?', now, tenant, id)
  return requireRequest(tx.all, tenant, id)
}

export type StateChange = {
  readonly tenant: string
  readonly actor: string
  readonly now: number
  readonly to: RequestState
  /** The version that the decision was made on; undefined: whatever it is. */
  readonly version?: number | undefined
  readonly reason?: string | undefined
  readonly fallbackMessage?: string | undefined
}

/** Changes the state of a locked request, or throws what `update_request_state` answers. */
export async function changeState(
  tx: Tx,
  request: StoredRequest,
  change: StateChange,
): Promise<void> {
  const { tenant, now, to, version } = change
  if (version !== undefined && version !== request.version)
    throw refuse('STATE_CHANGED', `The request was changed meanwhile; it is ${request.state}.`)
  if (!mayFollow(request.state, to)) throw invalidTransition(request.state, to)
  await tx.run(
    `update mk_requests set state = ?, state_at = ?, touched_at = ?, version = version + 1,
      outreach_started_at = case when ? = 'vendor_outreach' then ? else outreach_started_at end,
      closed_at = case when ? = 'closed' then ? else closed_at end
      where tenant = ? and id = ?`,
    to,
    now,
    now,
    to,
    now,
    to,
    now,
    tenant,
    request.id,
  )
  await recordState(tx, request, change)
  if (to === 'closed' || to === 'error' || to === 'shortlist_ready')
    await endOutreach(tx, { tenant, requestId: request.id, now, to })
}

/** Adds a line to the history of a request's states. */
export async function recordState(
  tx: Tx,
  request: { readonly id: string; readonly state: RequestState | null },
  { tenant, actor, now, to, reason, fallbackMessage }: StateChange,
): Promise<void> {
  await tx.run(
    `insert into mk_request_states (tenant, request_id, position, from_state, to_state, reason, fallback_message, actor, at)
      select ?, ?, coalesce(max(position), 0) + 1, ?, ?, ?, ?, ?, ? from mk_request_states where tenant = ? and request_id = ?`,
    tenant,
    request.id,
    request.state,
    to,
    reason ?? null,
    fallbackMessage ?? null,
    actor,
    now,
    tenant,
    request.id,
  )
}

/**
 * What is queued is never sent. Where the request has ended, nobody is waited for any more; where it
 * has its offers, vendors who were asked may still answer.
 */
async function endOutreach(
  tx: Tx,
  {
    tenant,
    requestId,
    now,
    to,
  }: {
    readonly tenant: string
    readonly requestId: string
    readonly now: number
    readonly to: 'closed' | 'error' | 'shortlist_ready'
  },
): Promise<void> {
  const [which, reason] =
    to === 'shortlist_ready'
      ? [`o.state = 'queued' and not ${IS_GIVEN}`, 'the shortlist is ready']
      : ["o.state in ('queued', 'sent')", 'the request ended']
  await tx.run(
    `update mk_outreach as o set state = 'excluded', excluded_reason = ?, touched_at = ?
      where o.tenant = ? and o.request_id = ? and ${which}`,
    reason,
    now,
    tenant,
    requestId,
  )
  await tx.run(
    `update mk_messages set state = 'cancelled', updated_at = ?
      where tenant = ? and request_id = ? and party = 'vendor' and direction = 'outbound' and state = 'queued'`,
    now,
    tenant,
    requestId,
  )
}

function invalidTransition(from: RequestState, to: RequestState): ToolError {
  const allowed = REQUEST_TRANSITIONS[from]
  const error = `A request that is ${from} cannot become ${to}.`
  return new ToolError('TOOL_GATE_CLOSED', `${error} The request stays ${from}.`, {
    details: { source_code: 'INVALID_TRANSITION', from, to, allowed },
    data: { success: false, previous_state: from, current_state: from, error },
    suggestions: [
      allowed.length === 0
        ? 'Nothing follows this state; open a new request if the client has another need.'
        : `Choose one of these states: ${allowed.join(', ')}.`,
    ],
    effect: 'none',
  })
}
