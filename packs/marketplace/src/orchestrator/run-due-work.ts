import { isToolError, type ToolError } from '@surehand/core'
import { CONSENT_MS } from '../consent/decide-consent.ts'
import { deliverPrepared } from '../engine/dispatch-message.ts'
import { callTool, type MarketWork, runTool } from '../engine/market-context.ts'
import { continueErasures } from '../erasure/client-erasure.ts'
import type { Prepared } from '../messages/prepare-message.ts'
import { deleteMedia } from '../ocr/media-store.ts'
import { advanceRequest } from './advance-request.ts'
import { readClientRequest, writeToClient } from './client-request.ts'
import { giveUnhandledEvent } from './handle-event.ts'
import { runOcrJob } from './run-ocr-job.ts'

// As much as one period can do; the rest waits for the next.
const BATCH = 50
const MAX_SEND_ATTEMPTS = 3
// After the first refusal a message waits for this long, after the second for twice as long.
const RETRY_MS = 60_000
// A message that is still "sending" after this time lost its process.
const LOST_MS = 120_000
// WhatsApp reports the end of every call; where the report is lost, a call is over after this time.
const LONGEST_CALL_MS = 4 * 3_600_000

// Well below the timeout of the call: a period that is cut off there counts as failed.
const MAX_PERIOD_MS = 60_000

type DueWork = MarketWork & { readonly dueUntil: number }

/** Does what is due now, each thing by itself: one that fails does not hold up the others. */
export async function runDueWork(
  given: MarketWork,
): Promise<{ readonly done: Readonly<Record<string, number>> }> {
  const work = { ...given, dueUntil: given.now() + MAX_PERIOD_MS }
  return {
    done: {
      messages: await sendQueuedMessages(work),
      refused: await retryRefusedMessages(work),
      unknown: await endUnknownOutreach(work),
      no_response: await endUnansweredOutreach(work),
      requests: await advanceOpenRequests(work),
      consents: await expireConsents(work),
      pictures: await readPictures(work),
      fallbacks: await sendFallbacks(work),
      calls: await endLostCalls(work),
      unhandled: await giveUnhandledEvents(work),
      erased: await erasePictures(work),
      erased_calls: await continueErasures(work),
    },
  }
}

/** Acts on rows one after the other, until the time of a period is used up; the rest is still due. */
async function forEach(
  work: DueWork,
  rows: readonly Readonly<Record<string, unknown>>[],
  act: (id: string, row: Readonly<Record<string, unknown>>) => Promise<void>,
): Promise<number> {
  let count = 0
  let failure: ToolError | undefined
  for (const row of rows) {
    if (work.now() > work.dueUntil) break
    try {
      await act(String(row.id), row)
      count++
    } catch (thrown) {
      if (!isToolError(thrown)) throw thrown
      failure = thrown
    }
  }
  // What is wrong with one row is stored with its own call; a store that is gone concerns all.
  if (failure?.code === 'TOOL_STORAGE_ERROR') throw failure
  return count
}

/**
 * A message whose outcome is unknown is looked at after 2, 4, 8 minutes and so on: a person may have
 * settled it. Looked at in every period, old ones would leave no time for those that are due.
 */
async function sendQueuedMessages(work: DueWork): Promise<number> {
  const { read, tenant } = work
  const now = work.now()
  const rows = await read(
    `select m.id, m.request_id from mk_messages m join mk_requests r on r.tenant = m.tenant and r.id = m.request_id
      join mk_conversations c on c.tenant = r.tenant and c.id = r.conversation_id
      where m.tenant = ? and m.direction = 'outbound' and (c.mode = 'auto' or (c.mode = 'operator' and m.sent_by = 'user'))
      and ((m.state = 'queued' and m.send_after <= ?) or (m.state in ('sending', 'unknown') and m.updated_at < ? and m.updated_at - m.at <= ? - m.updated_at))
      order by coalesce(m.send_after, m.updated_at) limit ${BATCH}`,
    tenant,
    now,
    now - LOST_MS,
    now,
  )
  return forEach(work, rows, (id, row) => sendQueued(work, id, String(row.request_id)))
}

async function sendQueued(work: MarketWork, messageId: string, requestId: string): Promise<void> {
  const { quietHours, timeZone } = work.settings()
  const prepared = await runTool<Prepared>(work, {
    tool: 'marketplace.prepare_queued_message',
    input: {
      message_id: messageId,
      quiet: { hours: quietHours ?? null, time_zone: timeZone },
    },
    requestId,
  })
  await deliverPrepared(work, prepared, requestId)
}

/**
 * A message of the orchestrator that WhatsApp refused is tried three times, then the vendor is given
 * up. An agent or an operator was told of the refusal, and decides: nothing is sent behind that answer.
 */
async function retryRefusedMessages(work: DueWork): Promise<number> {
  const { read, tenant } = work
  const now = work.now()
  const rows = await read(
    `select o.id, o.request_id, m.id as message_id, m.attempt, coalesce(m.sent_by, 'system') as sent_by from mk_outreach o join mk_messages m on m.tenant = o.tenant and m.request_id = o.request_id and m.party_id = o.vendor_id
      join mk_requests r on r.tenant = o.tenant and r.id = o.request_id join mk_conversations c on c.tenant = r.tenant and c.id = r.conversation_id
      where o.tenant = ? and o.state = 'queued' and m.party = 'vendor' and m.state = 'refused' and c.mode = 'auto'
      and case when coalesce(m.sent_by, 'system') <> 'system' then m.updated_at <= ?
        else m.attempt >= ${MAX_SEND_ATTEMPTS} or m.updated_at <= ? - m.attempt * ${RETRY_MS} end order by m.updated_at limit ${BATCH}`,
    tenant,
    now - work.settings().replyWaitMs,
    now,
  )
  return forEach(work, rows, async (id, row) => {
    if (row.sent_by !== 'system' || Number(row.attempt) >= MAX_SEND_ATTEMPTS) {
      await runTool(work, {
        tool: 'marketplace.end_outreach',
        input: { outreach_id: id, to: 'failed', reason: 'WhatsApp refused the message' },
      })
      await advanceRequest(work, String(row.request_id))
      return
    }
    await sendQueued(work, String(row.message_id), String(row.request_id))
  })
}

/**
 * WhatsApp never said whether the message was sent: nobody waits for this vendor any more. It is not
 * sent again, and its call stays open for a person to settle.
 */
async function endUnknownOutreach(work: DueWork): Promise<number> {
  const rows = await work.read(
    `select o.id, o.request_id from mk_outreach o join mk_messages m on m.tenant = o.tenant and m.request_id = o.request_id and m.party_id = o.vendor_id
      join mk_requests r on r.tenant = o.tenant and r.id = o.request_id join mk_conversations c on c.tenant = r.tenant and c.id = r.conversation_id
      where o.tenant = ? and o.state = 'queued' and m.party = 'vendor' and m.state = 'unknown' and m.at <= ? and c.mode = 'auto' limit ${BATCH}`,
    work.tenant,
    work.now() - work.settings().replyWaitMs,
  )
  return forEach(work, rows, async (id, row) => {
    await runTool(work, {
      tool: 'marketplace.end_outreach',
      input: { outreach_id: id, to: 'failed', reason: 'WhatsApp did not say whether it was sent' },
    })
    await advanceRequest(work, String(row.request_id))
  })
}

async function endUnansweredOutreach(work: DueWork): Promise<number> {
  const rows = await work.read(
    `select o.id, o.request_id from mk_outreach o join mk_requests r on r.tenant = o.tenant and r.id = o.request_id
      join mk_conversations c on c.tenant = r.tenant and c.id = r.conversation_id
      where o.tenant = ? and o.state = 'sent' and o.due_at <= ? and c.mode = 'auto' order by o.due_at limit ${BATCH}`,
    work.tenant,
    work.now(),
  )
  return forEach(work, rows, async (id, row) => {
    await runTool(work, {
      tool: 'marketplace.end_outreach',
      input: { outreach_id: id, to: 'no_response' },
    })
    await advanceRequest(work, String(row.request_id))
  })
}

/**
 * Requests that nothing else moves on: a process died, an operator handed them back, or all that is
 * left are messages in the queue.
 */
// The process died between storing the list and sending it. An agent that stores a list sends it
// itself.
const UNTOLD = `r.state = 'shortlist_ready' and exists (select 1 from mk_request_states s where s.tenant = r.tenant and s.request_id = r.id
    and s.to_state = 'shortlist_ready' and s.actor = 'system' and s.at = r.state_at)
  and not exists (select 1 from mk_messages m where m.tenant = r.tenant and m.request_id = r.id and m.party = 'client'
    and m.direction = 'outbound' and m.at >= r.state_at)`

async function advanceOpenRequests(work: DueWork): Promise<number> {
  const now = work.now()
  const ofRequest = 'o.tenant = r.tenant and o.request_id = r.id'
  const rows = await work.read(
    `select r.id from mk_requests r join mk_conversations c on c.tenant = r.tenant and c.id = r.conversation_id
      where r.tenant = ? and c.mode = 'auto' and ((r.state = 'vendor_outreach' and r.state_at < ?)
      or (${UNTOLD} and r.state_at < ?)
      or (r.state = 'awaiting_vendor_replies' and not exists (select 1 from mk_outreach o where ${ofRequest} and (o.state = 'sent' or (o.state = 'queued' and o.created_at > ?)))
        and (exists (select 1 from mk_outreach o where ${ofRequest} and o.state = 'replied') or not exists (select 1 from mk_outreach o where ${ofRequest} and o.state = 'queued'))))
      order by r.touched_at desc limit ${BATCH}`,
    work.tenant,
    now - LOST_MS,
    now - LOST_MS,
    now - work.settings().replyWaitMs,
  )
  return forEach(work, rows, (id) => advanceRequest(work, id))
}

async function expireConsents(work: DueWork): Promise<number> {
  const now = work.now()
  const rows = await work.read(
    `select id from mk_consents where tenant = ? and ((state = 'granted' and expires_at <= ?) or (state = 'requested' and requested_at <= ?)) limit ${BATCH}`,
    work.tenant,
    now,
    now - CONSENT_MS,
  )
  return forEach(work, rows, async (id) => {
    await runTool(work, {
      tool: 'marketplace.decide_consent',
      input: { consent_id: id, change: 'expired' },
    })
  })
}

async function readPictures(work: DueWork): Promise<number> {
  if (!work.settings().ocrEnabled) return 0
  const now = work.now()
  const rows = await work.read(
    `select id from mk_ocr_jobs where tenant = ? and ((status = 'pending' and run_after <= ?) or (status = 'processing' and updated_at < ?)) order by run_after limit 5`,
    work.tenant,
    now,
    now - LOST_MS,
  )
  return forEach(work, rows, (id) => runOcrJob(work, id))
}

/** After an error the client is told here, once, also where an agent set the state. */
async function sendFallbacks(work: DueWork): Promise<number> {
  const rows = await work.read(
    `select s.request_id as id, s.position, s.fallback_message from mk_request_states s join mk_requests r on r.tenant = s.tenant and r.id = s.request_id
      join mk_conversations c on c.tenant = r.tenant and c.id = r.conversation_id
      where s.tenant = ? and s.fallback_message is not null and s.fallback_sent_at is null and c.mode = 'auto' order by s.at limit ${BATCH}`,
    work.tenant,
  )
  return forEach(work, rows, async (id, row) => {
    const request = await readClientRequest(work, id)
    if (request === undefined) return
    if (!(await writeToClient(work, request, String(row.fallback_message)))) return
    await runTool(work, {
      tool: 'marketplace.mark_fallback_sent',
      input: { request_id: id, position: Number(row.position) },
    })
  })
}

async function endLostCalls(work: DueWork): Promise<number> {
  const rows = await work.read(
    `select id from mk_call_attempts where tenant = ? and state in ('initiated', 'ringing', 'answered') and started_at < ? limit ${BATCH}`,
    work.tenant,
    work.now() - LONGEST_CALL_MS,
  )
  return forEach(work, rows, async (id) => {
    await callTool(work, {
      tool: 'marketplace.settle_call',
      input: {
        call_attempt_id: id,
        state: 'failed',
        error: 'WhatsApp reported no end of the call.',
        at: work.now(),
      },
    })
  })
}

async function giveUnhandledEvents(work: DueWork): Promise<number> {
  const { tenant } = work
  const found = await work.unknownCalls({ tenant, tool: 'marketplace.handle_event', limit: BATCH })
  const byId = new Map(found.map((call) => [call.callId, call]))
  const rows = [...byId.keys()].map((id) => ({ id }))
  return forEach(work, rows, async (id) => {
    const call = byId.get(id)
    if (call !== undefined) await giveUnhandledEvent(work, call)
  })
}

/** Pictures are deleted when their time is over, or when an operator has erased what was read. */
async function erasePictures(work: DueWork): Promise<number> {
  const rows = await work.read(
    `select id, media_url from mk_ocr_jobs where tenant = ? and media_url <> ''
      and (erased_at is not null or (created_at < ? and status in ('completed', 'failed'))) limit ${BATCH}`,
    work.tenant,
    work.now() - work.settings().ocrRetentionMs,
  )
  return forEach(work, rows, async (id, row) => {
    await deleteMedia(work, String(row.media_url))
    await runTool(work, {
      tool: 'marketplace.update_ocr_job',
      input: { job_id: id, change: { to: 'erased', is_picture_deleted: true } },
    })
  })
}
