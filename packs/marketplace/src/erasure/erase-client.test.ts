import { afterAll, beforeAll, expect, test } from 'vitest'
import { vendor } from '../../testing/market-rows.ts'
import {
  type MarketDatabase,
  type MarketWorld,
  openMarketDatabase,
} from '../../testing/market-world.ts'

let database: MarketDatabase
beforeAll(async () => {
  database = await openMarketDatabase()
})
afterAll(() => database.close())

const CLIENT = '250788555001'
const NEIGHBOUR = '250788555002'
const TABLES = [
  ...['mk_conversations', 'mk_requests', 'mk_request_states', 'mk_outreach', 'mk_replies'],
  'mk_model_readings',
  ...['mk_messages', 'mk_message_states', 'mk_consents', 'mk_call_attempts', 'mk_call_events'],
  ...['mk_ocr_jobs', 'mk_attention', 'mk_opt_outs'],
]

let count = 0
async function write(world: MarketWorld, from: string, text: string, quoted?: string) {
  await world.receive({
    ...{ kind: 'message', id: `in-${++count}`, from, at: world.clock.now(), type: 'text', text },
    ...(quoted === undefined ? {} : { reply_to: quoted }),
  })
}

async function readAll(world: MarketWorld): Promise<string> {
  const rows = await Promise.all(
    TABLES.map((table) => world.query(`select * from ${table} where tenant = ?`, world.tenant)),
  )
  return JSON.stringify(rows)
}

async function readCalls(world: MarketWorld): Promise<string> {
  return JSON.stringify(
    await world.query('select input, answer from calls where tenant = ?', world.tenant),
  )
}

const requestOf = async (world: MarketWorld, phone: string): Promise<string> => {
  const [row] = await world.query(
    `select r.id from mk_requests r join mk_conversations c on c.tenant = r.tenant and c.id = r.conversation_id
      where r.tenant = ? and c.phone = ?`,
    world.tenant,
    phone,
  )
  return String(row?.id)
}

test('of an erased client nothing is left in the tables, of others everything', async () => {
  const world = await database.open({
    rows: [...vendor('ven_1'), ...vendor('ven_2')],
    settings: {
      ...{ CALLING_ENABLED: 'true', OCR_ENABLED: 'true', WHATSAPP_CALL_OFFER: 'v=0' },
      MARKETPLACE_REPLY_MODEL: 'openai:gpt-5.5',
    },
  })
  await write(world, CLIENT, 'I need Zyrtexamol near Kimironko')
  await write(world, CLIENT, 'pharmacy')
  // The webhook's way stores the event with its call, until a worker acts on it.
  await world.receiveByJob({
    ...{ kind: 'message', id: 'in-job', from: CLIENT, at: world.clock.now(), type: 'text' },
    text: 'Zyrtexamol, please',
  })
  await write(world, NEIGHBOUR, 'I need insulin near Kimironko')
  await world.clock.advance(6 * 60_000)
  await world.runDueWork()
  const asked = world.messenger.sent.findIndex(({ to }) => to === '250788100001')
  await write(world, '250788100001', 'Zyrtexamol yes 3000', `wamid.${asked + 1}`)
  await world.receive({
    ...{ kind: 'message', id: 'picture', from: CLIENT, at: world.clock.now(), type: 'image' },
    media: { id: 'media-1', type: 'image/png' },
  })
  await world.given.values.set(world.tenant, 'marketplace/media/media-1', 'image/png;AAAA')
  const before = await readAll(world)
  expect(before).toContain('yrtexamol')
  expect(before).toContain('gpt-5.5')
  expect(await readCalls(world)).toMatch(/yrtexamol.*insulin/)

  const id = await requestOf(world, CLIENT)
  expect(await world.data('marketplace.erase_client', { request_id: id })).toMatchObject({
    requests: 1,
  })
  const after = await readAll(world)
  expect(after).not.toMatch(/yrtexamol/)
  expect(after).not.toContain(CLIENT)
  expect(after).not.toContain(id)
  expect(after).toContain(NEIGHBOUR)
  expect(await world.given.values.get(world.tenant, 'marketplace/media/media-1')).toBeUndefined()
  const calls = await readCalls(world)
  expect(calls).not.toMatch(/yrtexamol/)
  expect(calls).not.toContain(CLIENT)
  expect(calls).toContain('insulin')
  expect(await world.given.values.list(world.tenant, 'marketplace/erasures/')).toEqual([])
  // A webhook that WhatsApp delivers once more brings nothing back.
  await world.call(
    'marketplace.handle_event',
    {
      event: {
        kind: 'message',
        id: 'in-job',
        from: CLIENT,
        at: 1,
        type: 'text',
        text: 'Zyrtexamol',
      },
    },
    { caller: world.given.systemCaller(world.tenant), key: 'message/in-job' },
  )
  expect(await readCalls(world)).not.toMatch(/yrtexamol/)
  // What a vendor was sent still counts for its limits.
  const sent = world.messenger.sent.filter(({ to }) => to.startsWith('250788100')).length
  const counted = await world.query(
    "select id from mk_messages where tenant = ? and party = 'vendor' and direction = 'outbound' and state = 'sent'",
    world.tenant,
  )
  expect(counted).toHaveLength(sent)
  await world.runDueWork()
  await world.close()
})

test('an erased client who writes again is a new one', async () => {
  const world = await database.open({ rows: vendor('ven_1') })
  await write(world, CLIENT, 'I need insulin near Kimironko')
  const first = await requestOf(world, CLIENT)
  await world.data('marketplace.erase_client', { request_id: first })
  await write(world, CLIENT, 'I need insulin near Kimironko')
  expect(await requestOf(world, CLIENT)).not.toBe(first)
  await world.close()
})

test('a call whose outcome is unknown is emptied when it is settled', async () => {
  const world = await database.open({ rows: vendor('ven_1') })
  await write(world, CLIENT, 'I need insulin near Kimironko')
  const id = await requestOf(world, CLIENT)
  world.messenger.faults.push('lost')
  await world.call('marketplace.send_client_message', {
    request_id: id,
    message: 'Is it for today?',
  })
  const state = async () => {
    const rows = await world.query(
      "select call_id, state, input from calls where tenant = ? and tool_id = 'marketplace.deliver_message' order by created_at desc",
      world.tenant,
    )
    return rows[0]
  }
  expect(await state()).toMatchObject({ state: 'unknown' })
  await world.data('marketplace.erase_client', { request_id: id })
  await world.runDueWork()
  const unknown = await state()
  expect(unknown).toMatchObject({ state: 'unknown', input: expect.stringMatching(/./) })
  await world.given.settleUnknown({
    ...{ tenant: world.tenant, callId: String(unknown?.call_id), text: 'delivered' },
    output: { provider_message_id: 'wamid.late' },
  })
  await world.clock.advance(10 * 60_000)
  expect(await world.runDueWork()).toMatchObject({ erased_calls: 1 })
  expect(await state()).toMatchObject({ input: '' })
  await world.close()
})
