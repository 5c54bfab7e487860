import assert from 'node:assert/strict'
import { readCallback } from '../src/messages/deliver-message.ts'
import { REQUEST_TRANSITIONS, type RequestState } from '../src/request/request.ts'
import type { Seen } from './conversations.ts'
import { CLIENTS } from './happenings.ts'
import type { MarketWorld } from './market-world.ts'

const CALLS_A_POST = 2

/** Compares what left the market since the last step with what is stored. */
export async function checkStep(seen: Seen): Promise<void> {
  const [world] = seen.nodes as readonly [MarketWorld]
  const { tenant, messenger } = world
  const optedOut = new Set(
    (await world.query('select phone from mk_opt_outs where tenant = ?', tenant)).map(({ phone }) =>
      String(phone),
    ),
  )
  for (const sent of messenger.sent.slice(seen.sent).filter(({ to }) => isVendor(to))) {
    assert.ok(!optedOut.has(sent.to), `${sent.to} was written to after opting out`)
    assertNoClient(JSON.stringify(sent.content), "a vendor saw a client's phone")
  }
  for (const call of messenger.calls.slice(seen.calls)) {
    const [live] = await world.query(
      `select count(*) as n from mk_consents c join mk_requests r on r.tenant = c.tenant and r.id = c.request_id
        join mk_conversations v on v.tenant = r.tenant and v.id = r.conversation_id
        where c.tenant = ? and v.phone = ? and c.state = 'granted' and c.expires_at > ?`,
      tenant,
      call.to,
      world.clock.now(),
    )
    assert.ok(Number(live?.n) > 0, 'a call without a live grant')
  }
  seen.sent = messenger.sent.length
  seen.calls = messenger.calls.length
  const ids = messenger.sent.map(({ callback }) => readCallback(callback)?.messageId)
  assert.equal(new Set(ids).size, ids.length, 'a message was sent twice')
}

/** What must hold when a conversation is over. */
export async function checkEnd(seen: Seen): Promise<void> {
  await checkReplies(seen)
  await checkHistory(seen)
  checkSearches(seen)
}

async function checkReplies({ nodes, events }: Seen): Promise<void> {
  const [world] = nodes as readonly [MarketWorld]
  const stored = new Set(
    (
      await world.query(
        'select provider_message_id as id from mk_replies where tenant = ? union select subject as id from mk_attention where tenant = ?',
        world.tenant,
        world.tenant,
      )
    ).map(({ id }) => String(id)),
  )
  for (const event of events)
    if (event.kind === 'message' && isVendor(event.from) && event.text !== 'STOP')
      assert.ok(stored.has(event.id), `the reply "${event.text}" was lost`)
}

async function checkHistory({ nodes }: Seen): Promise<void> {
  const [world] = nodes as readonly [MarketWorld]
  const states = await world.query(
    'select from_state, to_state from mk_request_states where tenant = ?',
    world.tenant,
  )
  for (const { from_state: from, to_state: to } of states)
    if (from !== null)
      assert.ok(
        REQUEST_TRANSITIONS[from as RequestState].includes(to as RequestState),
        `${from} became ${to}`,
      )
}

function checkSearches({ searched, events }: Seen): void {
  for (const { body, engine } of searched) assertNoClient(body, `${engine} saw a client's phone`)
  const replies = new Set(events.flatMap((one) => (one.kind === 'message' ? [one.id] : [])))
  const asked = searched.filter(({ engine }) => engine === 'model')
  assert.ok(asked.length <= replies.size, 'a model was asked twice about a reply')
  const maps = searched.filter(({ engine }) => engine.startsWith('places'))
  const web = searched.filter(({ engine }) => !/^(?:places|resolve|model)/.test(engine))
  assert.ok(maps.length <= CALLS_A_POST, 'more searches of places than the budget')
  assert.ok(web.length <= CALLS_A_POST, 'more searches than the budget')
}

function isVendor(phone: string): boolean {
  return phone.startsWith('250788100')
}

function assertNoClient(text: string, message: string): void {
  const digits = text.replaceAll(/\D/g, '')
  for (const client of CLIENTS) assert.ok(!digits.includes(client.slice(-9)), message)
}
