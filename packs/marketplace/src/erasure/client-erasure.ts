import { type MarketWork, runTool } from '../engine/market-context.ts'
import type { ErasureOrder, ErasureReceipt } from '../market-port.ts'
import { eventSubject, type MarketEvent } from '../messages/market-event.ts'
import { deleteMedia, mediaUrlOf } from '../ocr/media-store.ts'
import { requireRequest } from '../request/store-request.ts'

/** Calls whose inputs and answers are to be emptied; stored until all of them have ended. */
type PendingErasure = {
  /** Requests, consents and pictures: their rows are gone, so a repeated call is refused. */
  readonly requests: readonly string[]
  /** What WhatsApp reported: a repeated webhook must still be recognized by its key. */
  readonly events: readonly string[]
  /** When they are looked for again. */
  readonly after: number
}

const PREFIX = 'marketplace/erasures/'
// A sending whose outcome is not reported ends after about this time; one that is unknown then ends
// when a person settles it.
const AGAIN_MS = 10 * 60_000

/**
 * Deletes a client. What the rows name is read, and pictures are deleted, before the rows are, so
 * that a crash in between loses nothing.
 */
export async function eraseClient(
  work: MarketWork,
  { requestId }: ErasureOrder,
): Promise<ErasureReceipt> {
  const { conversationId } = await requireRequest(work.read, work.tenant, requestId)
  const media = await readIds(
    work,
    `select media_id as id from mk_messages where tenant = ? and party = 'client' and party_id = ? and media_id is not null`,
    conversationId,
  )
  for (const id of media) await deleteMedia(work, mediaUrlOf(id))
  const key = PREFIX + conversationId
  const pending = await listCalls(work, conversationId)
  await store(work, key, pending)
  const rows = await runTool<Omit<ErasureReceipt, 'calls'>>(work, {
    tool: 'marketplace.erase_client_rows',
    input: { conversation_id: conversationId },
  })
  return { ...rows, calls: await eraseCalls(work, key, pending) }
}

/** Empties the calls that had not ended when their client was erased. */
export async function continueErasures(work: MarketWork): Promise<number> {
  let erased = 0
  for (const { key, value } of await work.values.list(work.tenant, PREFIX)) {
    const pending = JSON.parse(value) as PendingErasure
    if (pending.after <= work.now()) erased += await eraseCalls(work, key, pending)
  }
  return erased
}

/** Was its client erased? An event that is stored again would bring them back. */
export async function isErasedEvent(
  { tenant, values }: MarketWork,
  event: Pick<MarketEvent, 'kind' | 'id'>,
): Promise<boolean> {
  const pending = await values.list(tenant, PREFIX)
  const subject = eventSubject(event)
  return pending.some(({ value }) => (JSON.parse(value) as PendingErasure).events.includes(subject))
}

async function eraseCalls(work: MarketWork, key: string, pending: PendingErasure): Promise<number> {
  const { tenant, values } = work
  const { requests, events } = pending
  const about = await work.eraseCalls({ tenant, requestIds: requests, keys: 'forget' })
  const reported = await work.eraseCalls({ tenant, requestIds: events, keys: 'keep' })
  if (about.underWay + reported.underWay === 0) await values.delete(tenant, key)
  else await store(work, key, { ...pending, after: work.now() + AGAIN_MS })
  return about.erased + reported.erased
}

async function store(
  { tenant, values }: MarketWork,
  key: string,
  pending: PendingErasure,
): Promise<void> {
  await values.set(tenant, key, JSON.stringify(pending))
}

async function listCalls(work: MarketWork, conversationId: string): Promise<PendingErasure> {
  const ofRequests = (what: string, table: string) =>
    readIds(
      work,
      `select ${what} as id from ${table} where tenant = ? and request_id in (select r.id from mk_requests r where r.tenant = ${table}.tenant and r.conversation_id = ?)`,
      conversationId,
    )
  const messages = await readIds(
    work,
    `select provider_message_id as id from mk_messages where tenant = ? and party = 'client' and party_id = ? and direction = 'inbound'`,
    conversationId,
  )
  const replies = await ofRequests('provider_message_id', 'mk_replies')
  const calls = await ofRequests('provider_call_id', 'mk_call_attempts')
  return {
    after: work.now(),
    requests: [
      ...(await readIds(
        work,
        'select id from mk_requests where tenant = ? and conversation_id = ?',
        conversationId,
      )),
      ...(await ofRequests('id', 'mk_consents')),
      ...(await ofRequests('id', 'mk_ocr_jobs')),
    ],
    events: [
      ...[...messages, ...replies].map((id) => eventSubject({ kind: 'message', id })),
      ...calls.map((id) => eventSubject({ kind: 'call', id })),
    ],
  }
}

async function readIds(
  { read, tenant }: MarketWork,
  sql: string,
  conversationId: string,
): Promise<readonly string[]> {
  const rows = await read(sql, tenant, conversationId)
  return rows.flatMap(({ id }) => (id === null || id === undefined ? [] : [String(id)]))
}
