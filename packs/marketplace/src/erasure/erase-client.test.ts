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
    settings: { CALLING_ENABLED: 'true', OCR_ENABLED: 'true', WHATSAPP_CALL_OFFER: 'v=0' },
  })
  await write(world, CLIENT, 'I need Zyrtexamol near Kimironko')
  await write(world, CLIENT, 'pharmacy')
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
