import type { ToolError } from '@surehand/core'
import { numberOf, type Reader, textOf } from '../market-data.ts'
import { refuse } from '../refuse.ts'
import type { ConsentState, RequestState } from '../request/request.ts'

/** How long a client is not called again. */
export const CALL_COOLDOWN_MS = 10 * 60_000

/** What decides whether a call may be started. */
export type CallFacts = {
  readonly callingEnabled: boolean
  readonly consent:
    | {
        readonly state: ConsentState
        readonly expiresAt: number | undefined
        readonly requestId: string
      }
    | undefined
  readonly requestState: RequestState | undefined
  readonly conversationId: string | undefined
  /** When the client was last called; attempts that the provider refused do not count. */
  readonly lastCallAt: number | undefined
  readonly isInCall: boolean
}

/** Why a call may not be started, by the document's gates in their order; undefined: it may. */
export function refuseCall(facts: CallFacts, now: number): ToolError | undefined {
  const { consent, requestState, lastCallAt } = facts
  if (!facts.callingEnabled)
    return refuse(
      'CALLING_DISABLED',
      'Calls are switched off, so nobody was called. An operator switches them on with CALLING_ENABLED=true.',
    )
  if (consent === undefined || consent.state === 'not_requested')
    return refuse(
      'NO_CONSENT',
      'There is no such consent, so nobody was called. Ask with marketplace.request_call_consent.',
    )
  if (consent.state === 'denied')
    return refuse(
      'CONSENT_DENIED',
      'The client does not want to be called, and was not. Write with marketplace.send_client_message.',
    )
  if (consent.state === 'requested')
    return refuse(
      'CONSENT_NOT_GRANTED',
      'The client has not answered yet, so nobody was called. Wait for the answer.',
    )
  if (consent.state === 'expired' || (consent.expiresAt ?? 0) <= now) return refuseExpired()
  if (requestState === undefined || ['handed_off', 'closed', 'error'].includes(requestState))
    return refuse(
      'INVALID_STATE',
      `The request is ${requestState ?? 'gone'}, so nobody was called. Calls belong to requests that are open.`,
      { state: requestState },
    )
  if (lastCallAt !== undefined && now - lastCallAt < CALL_COOLDOWN_MS) {
    const retryAfterMs = lastCallAt + CALL_COOLDOWN_MS - now
    return refuse(
      'COOLDOWN_ACTIVE',
      `The client was called less than 10 minutes ago, and is not called now. Call again in ${Math.ceil(retryAfterMs / 1000)} s.`,
      { retry_after_ms: retryAfterMs },
    )
  }
  if (facts.isInCall)
    return refuse(
      'ALREADY_IN_CALL',
      'The client is in a call with us now, so no other was started. Wait until it has ended.',
    )
  return undefined
}

export function refuseExpired(): ToolError {
  return refuse(
    'CONSENT_EXPIRED',
    'The consent was given more than 24 hours ago; nobody was called. Ask again with marketplace.request_call_consent.',
  )
}

/** Reads what decides about a call. */
export async function readCallFacts(
  read: Reader,
  {
    tenant,
    consentId,
    callingEnabled,
  }: { readonly tenant: string; readonly consentId: string; readonly callingEnabled: boolean },
): Promise<CallFacts> {
  const [row] = await read(
    `select c.state, c.expires_at, c.request_id, r.state as request_state, r.conversation_id
      from mk_consents c left join mk_requests r on r.tenant = c.tenant and r.id = c.request_id
      where c.tenant = ? and c.id = ?`,
    tenant,
    consentId,
  )
  const conversationId = textOf(row?.conversation_id)
  const [calls] =
    conversationId === undefined
      ? []
      : await read(
          `select max(case when provider_call_id is not null or state = 'initiated' then started_at end) as last_at,
            sum(case when state in ('initiated', 'ringing', 'answered') then 1 else 0 end) as active
            from mk_call_attempts where tenant = ? and conversation_id = ?`,
          tenant,
          conversationId,
        )
  return {
    callingEnabled,
    consent:
      row === undefined
        ? undefined
        : {
            state: row.state as ConsentState,
            expiresAt: numberOf(row.expires_at),
            requestId: String(row.request_id),
          },
    requestState: textOf(row?.request_state) as RequestState | undefined,
    conversationId,
    lastCallAt: numberOf(calls?.last_at),
    isInCall: Number(calls?.active ?? 0) > 0,
  }
}
