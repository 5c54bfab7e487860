import type { Outcome, ToolError } from '@surehand/core'
import type { AttentionKind } from '../attention/raise-attention.ts'
import { callTool, type MarketWork } from '../engine/market-context.ts'
import { textOf } from '../market-data.ts'
import { sourceCodeOf } from '../refuse.ts'
import type { RequestState } from '../request/request.ts'
import { type StoredRequest, toRequest } from '../request/store-request.ts'
import { type Language, languageOf } from './texts.ts'

/** A request with what is known of its client. */
export type ClientRequest = StoredRequest & {
  readonly language: Language
  readonly mode: 'auto' | 'operator' | 'paused'
}

const SELECT = `select r.*, c.language, c.mode from mk_requests r join mk_conversations c on c.tenant = r.tenant and c.id = r.conversation_id`

export async function readClientRequest(
  { read, tenant }: MarketWork,
  requestId: string,
): Promise<ClientRequest | undefined> {
  const [row] = await read(`${SELECT} where r.tenant = ? and r.id = ?`, tenant, requestId)
  return row === undefined
    ? undefined
    : { ...toRequest(row), language: languageOf(row.language), mode: row.mode as 'auto' }
}

/** The request that a client's messages belong to: the newest that is not closed. */
export async function findOpenRequest(
  { read, tenant }: MarketWork,
  conversationId: string,
): Promise<ClientRequest | undefined> {
  const [row] = await read(
    `${SELECT} where r.tenant = ? and r.conversation_id = ? and r.state <> 'closed' order by r.created_at desc limit 1`,
    tenant,
    conversationId,
  )
  return row === undefined
    ? undefined
    : { ...toRequest(row), language: languageOf(row.language), mode: row.mode as 'auto' }
}

/** Writes to the client; what cannot be sent now is an entry for a person, not a failure. */
export async function writeToClient(
  work: MarketWork,
  request: Pick<ClientRequest, 'id'>,
  text: string,
  options?: readonly string[],
): Promise<boolean> {
  const outcome = await callTool(work, {
    tool: 'marketplace.send_client_message',
    input: {
      request_id: request.id,
      message: text,
      ...(options === undefined
        ? {}
        : { message_type: 'interactive', interactive_options: options }),
    },
  })
  return isDone(outcome)
}

/** Moves a request on, if it is still as it was read. Returns false where it is not. */
export async function moveRequest(
  work: MarketWork,
  request: Pick<StoredRequest, 'id' | 'version'>,
  to: RequestState,
  more: {
    readonly reason: string
    readonly fallbackMessage?: string
    readonly attention?: { readonly kind: AttentionKind; readonly reason: string }
  },
): Promise<boolean> {
  const outcome = await callTool(work, {
    tool: 'marketplace.move_request',
    input: {
      request_id: request.id,
      version: request.version,
      new_state: to,
      reason: more.reason,
      ...(more.fallbackMessage === undefined ? {} : { fallback_message: more.fallbackMessage }),
      ...(more.attention === undefined ? {} : { attention: more.attention }),
    },
  })
  if (outcome.status === 'failed' && !isOvertaken(outcome.error)) throw outcome.error
  return outcome.status === 'done'
}

/** Another process was faster: what was decided no longer fits, and nothing was changed. */
export function isOvertaken(error: ToolError): boolean {
  const code = sourceCodeOf(error)
  return code === 'STATE_CHANGED' || code === 'INVALID_TRANSITION'
}

/** Closes a request from whatever state it is in, and with it the outreach to vendors. */
export async function closeRequest(
  work: MarketWork,
  requestId: string,
  reason: string,
): Promise<void> {
  for (let step = 0; step < 5; step++) {
    const request = await readClientRequest(work, requestId)
    if (request === undefined || request.state === 'closed') return
    // Three states lead to "closed" only through "error".
    const isDirect = !['ocr_processing', 'vendor_outreach', 'awaiting_vendor_replies'].includes(
      request.state,
    )
    await moveRequest(work, request, isDirect ? 'closed' : 'error', { reason })
  }
}

export type PersonWanted = {
  readonly kind: string
  readonly subject: string
  readonly reason: string
  readonly request_id?: string
  readonly conversation_id?: string
  readonly vendor_id?: string
  readonly message_id?: string
}

/** Puts something on the list of the operators, once. */
export async function askPerson(work: MarketWork, wanted: PersonWanted): Promise<void> {
  const outcome = await callTool(work, {
    tool: 'marketplace.ask_person',
    input: wanted,
    requestId: wanted.request_id,
  })
  if (outcome.status === 'failed') throw outcome.error
}

export function needOf({ requirements }: Pick<StoredRequest, 'requirements'>): string {
  return textOf(requirements.need as string | null | undefined) ?? ''
}

export function placeOf({ requirements }: Pick<StoredRequest, 'requirements'>): string {
  return textOf(requirements.location_text as string | null | undefined) ?? 'Kigali'
}

function isDone({ status }: Outcome): boolean {
  return status === 'done'
}
