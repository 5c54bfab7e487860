import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { conversation, request, vendor } from '../../testing/market-rows.ts'
import {
  MARKET_NOW,
  type MarketDatabase,
  type MarketWorld,
  openMarketDatabase,
  type WorldOptions,
} from '../../testing/market-world.ts'
import type { MarketEvent } from '../messages/market-event.ts'

let database: MarketDatabase
beforeAll(async () => {
  database = await openMarketDatabase()
})
afterAll(() => database.close())

const CLIENT = '250788555001'
const VENDORS = [...vendor('ven_1'), ...vendor('ven_2', { language: 'fr' }), ...vendor('ven_3')]
const PHONES = { ven_1: '250788100001', ven_2: '250788100002', ven_3: '250788100003' }

function open(options: WorldOptions = {}): Promise<MarketWorld> {
  return database.open({ rows: VENDORS, ...options })
}

let count = 0
function message(from: string, text: string | undefined, more: object = {}): MarketEvent {
  count++
  return {
    kind: 'message',
    id: `wamid.in-${count}`,
    from,
    at: MARKET_NOW + count,
    type: 'text',
    ...(text === undefined ? {} : { text }),
    ...more,
  } as MarketEvent
}

const textsTo = (world: MarketWorld, to: string): readonly string[] =>
  world.messenger.sent
    .filter((sent) => sent.to === to)
    .map(({ content }) => (content.kind === 'template' ? content.parameters.join() : content.text))

const stateOf = async (world: MarketWorld): Promise<unknown> =>
  (
    await world.query(
      'select state from mk_requests where tenant = ? order by created_at desc',
      world.tenant,
    )
  )[0]?.state

const attention = async (world: MarketWorld): Promise<unknown[]> =>
  (
    await world.query('select kind from mk_attention where tenant = ? order by kind', world.tenant)
  ).map(({ kind }) => kind)

async function ask(
  world: MarketWorld,
  text = 'Hello, I need amoxicillin 500 mg near Kimironko',
): Promise<void> {
  await world.receive(message(CLIENT, text))
}

describe('a request', () => {
  test('goes from a first message to a shortlist and a choice', async () => {
    const world = await open()
    await ask(world)
    expect(await stateOf(world)).toBe('awaiting_vendor_replies')
    expect(textsTo(world, PHONES.ven_1)).toEqual([
      expect.stringContaining('near Kimironko is looking for: amoxicillin 500 mg'),
    ])
    expect(textsTo(world, PHONES.ven_2)).toEqual([expect.stringContaining('près de Kimironko')])
    expect(textsTo(world, CLIENT)).toEqual([expect.stringContaining('We are asking 3 vendors')])

    await world.receive(message(PHONES.ven_1, 'Yes we have it, 12k'))
    await world.receive(message(PHONES.ven_2, 'Oui disponible, 9 500 francs'))
    expect(await stateOf(world)).toBe('awaiting_vendor_replies')
    await world.receive(message(PHONES.ven_3, 'Oya ntayo dufite'))

    expect(await stateOf(world)).toBe('shortlist_ready')
    expect(textsTo(world, CLIENT).at(-1)).toBe(
      `These vendors have: amoxicillin 500 mg\n\n1. Pharmacy ven_2 · 9,500 RWF · +250788100002\n2. Pharmacy ven_1 · 12,000 RWF · +250788100001\n\nWrite the number of your choice, or CALL if we may call you.`,
    )
    await world.receive(message(CLIENT, '2'))
    expect(await stateOf(world)).toBe('handed_off')
    expect(textsTo(world, CLIENT).at(-1)).toContain('Pharmacy ven_1 at +250788100001')
    await world.close()
  })

  test('whose first message is driven again after a crash is not given to a person', async () => {
    const world = await open()
    const first = message(CLIENT, 'I need amoxicillin 500 mg near Kimironko')
    await world.receive(first)
    await world.receive(first)
    expect(await attention(world)).toEqual([])
    await world.receive(message(CLIENT, 'Is it far?'))
    expect(await attention(world)).toEqual(['operator_wanted'])
    expect(textsTo(world, PHONES.ven_1)).toHaveLength(1)
    await world.close()
  })

  test('is asked back for what is missing, and a location pin is read', async () => {
    const world = await open()
    await world.receive(message(CLIENT, 'Muraho'))
    expect(textsTo(world, CLIENT)).toEqual([expect.stringContaining('Murashaka iki')])
    await world.receive(message(CLIENT, 'Nkeneye paracetamol'))
    expect(textsTo(world, CLIENT).at(-1)).toContain('Mubikeneye he')
    await world.receive(
      message(CLIENT, undefined, { type: 'location', location: { lat: -1.9496, lng: 30.1263 } }),
    )
    expect(await stateOf(world)).toBe('awaiting_vendor_replies')
    await world.close()
  })

  test('whose category is not clear is chosen from a list', async () => {
    const world = await open()
    await ask(world, 'I need a xylophone near Remera')
    const asked = world.messenger.sent.at(-1)?.content
    expect(asked).toMatchObject({ kind: 'buttons', buttons: [{ title: 'Pharmacy' }] })
    await world.receive(message(CLIENT, 'Pharmacy', { type: 'interactive' }))
    expect(await stateOf(world)).toBe('awaiting_vendor_replies')
    await world.close()
  })

  test('that no vendor answers ends in an error, the client is told, and a person looks', async () => {
    const world = await open()
    await ask(world)
    await world.clock.advance(31 * 60_000)
    await world.runDueWork()
    expect(await stateOf(world)).toBe('error')
    await world.runDueWork()
    await world.runDueWork()
    expect(textsTo(world, CLIENT).filter((text) => text.includes('do not have'))).toHaveLength(1)
    expect(await attention(world)).toEqual(['no_vendors'])
    const outreach = await world.query(
      'select state from mk_outreach where tenant = ?',
      world.tenant,
    )
    expect(new Set(outreach.map(({ state }) => state))).toEqual(new Set(['no_response']))
    await world.close()
  })

  test('that vendors can only meet later is answered with when, behind those who have it now', async () => {
    const world = await open()
    await ask(world)
    await world.receive(message(PHONES.ven_1, 'dispo demain 15h, 3000'))
    await world.receive(message(PHONES.ven_2, 'yes available, 5000'))
    await world.receive(message(PHONES.ven_3, 'no'))
    expect(await stateOf(world)).toBe('shortlist_ready')
    const list = textsTo(world, CLIENT).find((text) => text.includes('These vendors have')) ?? ''
    expect(list.indexOf('5,000')).toBeLessThan(list.indexOf('3,000'))
    expect(list).toContain('tomorrow 15:00')
    await world.close()
  })

  test('that every vendor can only meet later is answered, too', async () => {
    const world = await open()
    await ask(world)
    await world.receive(message(PHONES.ven_1, 'dispo demain 15h, 3000'))
    await world.receive(message(PHONES.ven_2, 'no'))
    await world.receive(message(PHONES.ven_3, 'no'))
    expect(await stateOf(world)).toBe('shortlist_ready')
    await world.close()
  })

  test('without vendors nearby ends in an error at once', async () => {
    const world = await database.open()
    await ask(world)
    await world.runDueWork()
    expect(await stateOf(world)).toBe('error')
    expect(textsTo(world, CLIENT)).toEqual([expect.stringContaining('We know no vendor nearby')])
    await world.close()
  })

  test('that the client cancels ends the outreach; late replies are stored and nothing follows', async () => {
    const world = await open()
    await ask(world)
    await world.receive(message(CLIENT, 'cancel'))
    expect(await stateOf(world)).toBe('closed')
    const outreach = await world.query(
      'select state from mk_outreach where tenant = ?',
      world.tenant,
    )
    expect(outreach.map(({ state }) => state)).toEqual(['excluded', 'excluded', 'excluded'])
    const [asked] = await world.query(
      "select provider_message_id from mk_messages where tenant = ? and party_id = 'ven_1' and direction = 'outbound'",
      world.tenant,
    )
    await world.receive(
      message(PHONES.ven_1, 'Yes, 5000', { reply_to: String(asked?.provider_message_id) }),
    )
    expect(await stateOf(world)).toBe('closed')
    expect(textsTo(world, CLIENT).at(-1)).toContain('cancelled')
    await world.close()
  })
})

describe('replies of vendors', () => {
  test('a vendor with two open requests is matched by the quoted message, otherwise by a person', async () => {
    const world = await open({ settings: { MARKETPLACE_VENDORS_PER_REQUEST: '1' } })
    await world.receive(message('250788555011', 'I need insulin near Kimironko'))
    await world.clock.advance(6 * 60_000)
    await world.receive(message('250788555012', 'I need ibuprofen near Kimironko'))
    const asked = await world.query(
      "select request_id, party_id, provider_message_id from mk_messages where tenant = ? and party = 'vendor' order by at",
      world.tenant,
    )
    expect(new Set(asked.map(({ party_id: id }) => id)).size).toBe(1)
    const phone = PHONES[String(asked[0]?.party_id) as 'ven_1']
    await world.receive(message(phone, 'Yes 3000'))
    expect(await attention(world)).toEqual(['unmatched_reply'])
    await world.receive(
      message(phone, 'Yes 3000', { reply_to: String(asked[1]?.provider_message_id) }),
    )
    const replied = await world.query(
      "select request_id from mk_outreach where tenant = ? and state = 'replied'",
      world.tenant,
    )
    expect(replied).toEqual([{ request_id: asked[1]?.request_id }])
    await world.close()
  })

  test('a reply counts although WhatsApp has not said whether the question was sent', async () => {
    const world = await open({ settings: { MARKETPLACE_VENDORS_PER_REQUEST: '1' } })
    world.messenger.faults.push('lost')
    await world.receive(message('250788555011', 'I need insulin near Kimironko'))
    const [asked] = world.messenger.sent
    const phone = asked?.to ?? ''
    const states = () =>
      world.query('select state, due_at from mk_outreach where tenant = ?', world.tenant)
    expect(await states()).toEqual([{ state: 'queued', due_at: null }])
    // It quotes a message whose id is not stored yet.
    await world.receive(message(phone, 'Yes 3000', { reply_to: 'wamid.real' }))
    expect(await states()).toEqual([{ state: 'replied', due_at: null }])
    expect(textsTo(world, '250788555011').at(-1)).toContain('3,000')
    await world.receive({
      ...{ kind: 'status', id: 'wamid.real', status: 'read', at: world.clock.now() },
      callback: asked?.callback ?? '',
    })
    expect(await states()).toEqual([{ state: 'replied', due_at: expect.any(Number) }])
    await world.close()
  })

  test('a reply to a message that counts as not sent is given to a person', async () => {
    const world = await open({ settings: { MARKETPLACE_VENDORS_PER_REQUEST: '1' } })
    world.messenger.faults.push('lost')
    await world.receive(message('250788555011', 'I need insulin near Kimironko'))
    const [asked] = world.messenger.sent
    await world.clock.advance(31 * 60_000)
    await world.runDueWork()
    const callback = asked?.callback ?? ''
    const at = world.clock.now()
    await world.receive({ kind: 'status', id: 'wamid.real', status: 'read', at, callback })
    await world.receive(message(asked?.to ?? '', 'Yes 3000', { reply_to: 'wamid.real' }))
    expect(await attention(world)).toContain('unsure_reply')
    await world.close()
  })

  test('a reply that is unsure waits for a person, and the shortlist waits with it', async () => {
    const world = await open({ settings: { MARKETPLACE_VENDORS_PER_REQUEST: '1' } })
    await ask(world)
    const [asked] = await world.query(
      "select party_id, request_id from mk_messages where tenant = ? and party = 'vendor'",
      world.tenant,
    )
    const vendorId = String(asked?.party_id)
    await world.receive(message(PHONES[vendorId as 'ven_1'], 'I think so, 5000 or 50000'))
    const { entries } = await world.data('marketplace.list_attention', {})
    expect(entries).toMatchObject([
      { kind: 'unsure_reply', message: 'I think so, 5000 or 50000', vendor_id: vendorId },
    ])
    expect(await stateOf(world)).toBe('awaiting_vendor_replies')
    // A person reads it and records what it says.
    await world.data('marketplace.record_vendor_reply', {
      request_id: asked?.request_id,
      vendor_id: vendorId,
      message: 'I think so, 5000 or 50000',
      provider_message_id: 'read-by-olive',
      parsed_data: { has_stock: true, price: 17_000 },
    })
    await world.runDueWork()
    expect(await stateOf(world)).toBe('shortlist_ready')
    await world.close()
  })

  test('a voice note goes to a person', async () => {
    const world = await open()
    await world.receive(
      message(CLIENT, undefined, { type: 'audio', media: { id: 'm1', type: 'audio/ogg' } }),
    )
    expect(await attention(world)).toEqual(['voice_note'])
    expect(textsTo(world, CLIENT)).toEqual([expect.stringContaining('voice note')])
    await world.close()
  })

  test('a vendor who writes STOP gets nothing more, for ever', async () => {
    const world = await open()
    await ask(world)
    await world.receive(message(PHONES.ven_1, 'STOP'))
    await world.receive(message(PHONES.ven_1, 'Hello again'))
    world.clock.set(MARKET_NOW + 24 * 3_600_000)
    await world.receive(message('250788555013', 'I need insulin near Kimironko'))
    expect(textsTo(world, PHONES.ven_1)).toHaveLength(1)
    const [row] = await world.query(
      "select state, excluded_reason from mk_outreach where tenant = ? and vendor_id = 'ven_1'",
      world.tenant,
    )
    expect(row).toEqual({ state: 'excluded', excluded_reason: 'the vendor opted out' })
    await world.close()
  })
})

test('where an agent drives the requests, the need is stored and nothing is sent', async () => {
  const world = await open({ settings: { MARKETPLACE_ORCHESTRATOR: 'off' } })
  await ask(world)
  await world.runDueWork()
  expect(world.messenger.sent).toEqual([])
  const [request] = await world.query('select id from mk_requests where tenant = ?', world.tenant)
  expect(
    await world.data('marketplace.get_request_snapshot', { request_id: request?.id }),
  ).toMatchObject({
    state: 'collecting_requirements',
    requirements: { need: 'amoxicillin 500 mg', category: 'pharmacy', location_text: 'Kimironko' },
    last_messages: [
      { direction: 'inbound', body: 'Hello, I need amoxicillin 500 mg near Kimironko' },
    ],
  })
  await world.close()
})

describe('operators', () => {
  test('take over a conversation, and hand it back', async () => {
    const world = await open()
    await world.receive(message(CLIENT, 'hello'))
    const [conversation] = await world.query(
      'select id from mk_conversations where tenant = ?',
      world.tenant,
    )
    const id = String(conversation?.id)
    await world.data('marketplace.set_conversation_mode', { conversation_id: id, mode: 'operator' })
    const before = world.messenger.sent.length
    await ask(world)
    await world.runDueWork()
    expect(world.messenger.sent).toHaveLength(before)
    const [request] = await world.query('select id from mk_requests where tenant = ?', world.tenant)
    const refused = await world.call(
      'marketplace.send_client_message',
      {
        request_id: request?.id,
        message: 'From an agent',
      },
      { caller: { ...world.caller, actor: 'ai_agent', principal: 'ann' } },
    )
    expect(refused.error?.details).toMatchObject({ source_code: 'CONVERSATION_TAKEN_OVER' })
    expect(refused.data).toMatchObject({ success: false })
    await world.data('marketplace.send_client_message', {
      request_id: request?.id,
      message: 'This is Olive. How can I help?',
    })
    expect(textsTo(world, CLIENT).at(-1)).toContain('Olive')
    await world.data('marketplace.set_conversation_mode', { conversation_id: id, mode: 'auto' })
    await ask(world)
    expect(await stateOf(world)).toBe('awaiting_vendor_replies')
    await world.close()
  })
})

describe('calls', () => {
  test('a client who writes CALL and then YES is called, once in ten minutes', async () => {
    const world = await open({
      settings: { CALLING_ENABLED: 'true', WHATSAPP_CALL_OFFER: 'v=0' },
    })
    await ask(world)
    for (const id of ['ven_1', 'ven_2', 'ven_3'] as const)
      await world.receive(message(PHONES[id], 'Yes, 5000'))
    await world.receive(message(CLIENT, 'call me'))
    expect(world.messenger.sent.at(-1)?.content).toMatchObject({
      kind: 'buttons',
      buttons: [{ title: 'Yes' }, { title: 'No' }],
    })
    await world.receive(message(CLIENT, 'YES!'))
    const [consent] = await world.query(
      'select id, state from mk_consents where tenant = ?',
      world.tenant,
    )
    expect(consent?.state).toBe('granted')
    const called = await world.call(
      'marketplace.start_call',
      { consent_id: consent?.id },
      { key: 'k1' },
    )
    expect(called.data).toEqual({
      success: true,
      call_attempt_id: expect.any(String),
      provider_call_id: 'wacid.1',
    })
    const again = await world.call(
      'marketplace.start_call',
      { consent_id: consent?.id },
      { key: 'k2' },
    )
    expect(again.error?.details).toMatchObject({ source_code: 'COOLDOWN_ACTIVE' })
    const ended = { kind: 'call', id: 'wacid.1', at: MARKET_NOW } as const
    await world.receive({ ...ended, state: 'completed' })
    await world.receive({ ...ended, state: 'ringing' })
    const [attempt] = await world.query(
      'select state from mk_call_attempts where tenant = ?',
      world.tenant,
    )
    expect(attempt?.state).toBe('completed')
    await world.close()
  })
})

test.each([
  ['system', 1],
  ['ai_agent', 0],
] as const)(
  'a shortlist that %s stored and that was never sent is sent by the due work: %d times',
  async (actor, times) => {
    const at = MARKET_NOW - 3 * 60_000
    const item = {
      ...{ vendor_id: 'ven_1', vendor_name: 'Pharmacy ven_1', vendor_phone: PHONES.ven_1 },
      response_summary: 'in stock',
    }
    const world = await open({
      rows: [
        ...VENDORS,
        conversation('cnv_1'),
        request('req_1', {
          ...{ state: 'shortlist_ready', state_at: at },
          shortlist: JSON.stringify([item]),
        }),
        {
          table: 'mk_request_states',
          row: { request_id: 'req_1', position: 1, to_state: 'shortlist_ready', actor, at },
        },
      ],
    })
    await world.runDueWork()
    await world.runDueWork()
    expect(textsTo(world, CLIENT)).toHaveLength(times)
    await world.close()
  },
)
