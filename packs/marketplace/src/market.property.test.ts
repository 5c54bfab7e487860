import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { consent, conversation, request, vendor } from '../testing/market-rows.ts'
import {
  AGENT,
  MARKET_NOW,
  type MarketDatabase,
  type MarketWorld,
  openMarketDatabase,
} from '../testing/market-world.ts'
import { readCallback } from './messages/deliver-message.ts'
import type { MarketEvent } from './messages/market-event.ts'
import { maskPhones, withoutNumbers } from './phones.ts'
import { REQUEST_TRANSITIONS, type RequestState } from './request/request.ts'

let database: MarketDatabase
beforeAll(async () => {
  database = await openMarketDatabase()
})
afterAll(() => database.close())

const CLIENTS = ['250788555001', '250722444002']
const VENDOR_IDS = ['ven_1', 'ven_2', 'ven_3', 'ven_4']
const phoneOf = (id: string): string => `250788100${id.replaceAll(/\D/g, '').padStart(3, '0')}`

// The second client has a shortlist and was asked whether we may call.
const ASKED = [
  conversation('cnv_2', { phone: CLIENTS[1] ?? '' }),
  request('req_2', {
    conversation_id: 'cnv_2',
    state: 'shortlist_ready',
    shortlist: JSON.stringify([
      {
        vendor_id: 'ven_1',
        vendor_name: 'One',
        vendor_phone: phoneOf('ven_1'),
        response_summary: 'yes',
      },
    ]),
  }),
  consent('con_2', 'requested', { request_id: 'req_2' }),
]

/** One thing that happens in a market. */
type Happening =
  | { readonly kind: 'client'; readonly who: number; readonly text: string }
  | {
      readonly kind: 'vendor'
      readonly who: number
      readonly text: string
      readonly quotes: boolean
    }
  | { readonly kind: 'repeat'; readonly back: number }
  | {
      readonly kind: 'state'
      readonly back: number
      readonly status: 'sent' | 'delivered' | 'read' | 'failed'
    }
  | { readonly kind: 'wait'; readonly minutes: number }
  | { readonly kind: 'agent'; readonly who: number; readonly text: string }
  | { readonly kind: 'call'; readonly key: string }
  | { readonly kind: 'fault'; readonly fault: 'refused' | 'busy' | 'lost' }
  /** The process dies while it acts on the next event; another one goes on with it. */
  | { readonly kind: 'crash'; readonly after: number }

const clientText = fc.constantFrom(
  'Hello, I need amoxicillin 500 mg near Kimironko',
  'Nkeneye paracetamol hafi ya Remera, mumpamagare kuri 0788555001',
  'je cherche insuline près de Kimironko, mon numéro est +250 722 444 002',
  'cancel',
  '1',
  'call me',
  'yes',
  'oya',
  'STOP',
  'thanks',
)
const vendorText = fc.constantFrom(
  'Yes, 12k',
  'Ndayifite, 5000',
  'non desole',
  'let me check',
  'STOP',
  'which dose?',
)
const happening: fc.Arbitrary<Happening> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('client' as const),
      who: fc.nat(1),
      text: clientText,
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('vendor' as const),
      who: fc.nat(3),
      text: vendorText,
      quotes: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('repeat' as const), back: fc.nat(5) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('state' as const),
      back: fc.nat(5),
      status: fc.constantFrom('sent', 'delivered', 'read', 'failed'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      minutes: fc.constantFrom(1, 6, 40, 1_500),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('agent' as const),
      who: fc.nat(3),
      text: fc.constantFrom('Ask 0788 555 001', 'Do you have it?'),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('call' as const),
      key: fc.constantFrom('k1', 'k2', 'k3'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('crash' as const),
      after: fc.integer({ min: 1, max: 12 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('fault' as const),
      fault: fc.constantFrom('refused', 'busy', 'lost'),
    }),
  },
)

type Seen = { readonly events: MarketEvent[]; sent: number; calls: number }

async function happen(world: MarketWorld, one: Happening, seen: Seen, step: number): Promise<void> {
  const { tenant, messenger } = world
  const at = world.clock.now()
  const message = (from: string, text: string, more: object = {}): MarketEvent =>
    ({ kind: 'message', id: `in-${step}`, from, at, type: 'text', text, ...more }) as MarketEvent
  const receive = async (event: MarketEvent): Promise<void> => {
    seen.events.push(event)
    for (let drive = 0; drive < 3; drive++)
      if (
        await world.receive(event).then(
          () => true,
          () => false,
        )
      )
        return
    world.dieAfter(0)
  }
  switch (one.kind) {
    case 'client':
      return receive(message(CLIENTS[one.who] ?? '', one.text))
    case 'vendor': {
      const phone = phoneOf(VENDOR_IDS[one.who] ?? '')
      const last = messenger.sent.findLastIndex(({ to }) => to === phone)
      return receive(
        message(phone, one.text, one.quotes && last >= 0 ? { reply_to: `wamid.${last + 1}` } : {}),
      )
    }
    case 'repeat': {
      const event = seen.events.at(-1 - one.back)
      return event === undefined ? undefined : receive(event)
    }
    case 'state': {
      const index = messenger.sent.length - 1 - one.back
      const sent = messenger.sent[index]
      if (sent === undefined) return
      return receive({
        kind: 'status',
        id: `wamid.${index + 1}`,
        status: one.status,
        at,
        callback: sent.callback,
      })
    }
    case 'wait':
      world.clock.set(at + one.minutes * 60_000)
      await world.runDueWork().catch(() => undefined)
      return
    case 'agent': {
      const [request] = await world.query(
        'select id from mk_requests where tenant = ? order by created_at desc',
        tenant,
      )
      if (request === undefined) return
      await world.call(
        'marketplace.send_vendor_message',
        { request_id: request.id, vendor_id: VENDOR_IDS[one.who], message: one.text },
        { caller: AGENT },
      )
      return
    }
    case 'call': {
      const [consent] = await world.query(
        'select id from mk_consents where tenant = ? order by requested_at desc',
        tenant,
      )
      if (consent !== undefined)
        await world.call(
          'marketplace.start_call',
          { consent_id: consent.id },
          { key: one.key, caller: AGENT },
        )
      return
    }
    case 'fault':
      messenger.faults.push(one.fault)
      return
    case 'crash':
      world.dieAfter(one.after)
  }
}

async function checkMarket(world: MarketWorld, seen: Seen): Promise<void> {
  const { tenant, messenger } = world
  const optedOut = new Set(
    (await world.query('select phone, at from mk_opt_outs where tenant = ?', tenant)).map(
      ({ phone }) => String(phone),
    ),
  )
  for (const sent of messenger.sent.slice(seen.sent)) {
    const isVendor = sent.to.startsWith('250788100')
    if (!isVendor) continue
    expect(optedOut, 'a vendor who opted out was written to').not.toContain(sent.to)
    const digits = JSON.stringify(sent.content).replaceAll(/\D/g, '')
    for (const client of CLIENTS)
      expect(digits, "a vendor saw a client's phone").not.toContain(client.slice(-9))
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
    expect(Number(live?.n), 'a call without a live grant').toBeGreaterThan(0)
  }
  seen.sent = messenger.sent.length
  seen.calls = messenger.calls.length
  const ids = messenger.sent.map(({ callback }) => readCallback(callback)?.messageId)
  expect(new Set(ids).size, 'a message was sent twice').toBe(ids.length)
}

async function checkReplies(world: MarketWorld, events: readonly MarketEvent[]): Promise<void> {
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
    if (event.kind === 'message' && event.from.startsWith('250788100') && event.text !== 'STOP')
      expect(stored, `the reply "${event.text}" was lost`).toContain(event.id)
}

async function checkHistory(world: MarketWorld): Promise<void> {
  const states = await world.query(
    'select from_state, to_state from mk_request_states where tenant = ?',
    world.tenant,
  )
  for (const { from_state: from, to_state: to } of states)
    if (from !== null)
      expect(REQUEST_TRANSITIONS[from as RequestState], 'an illegal transition').toContain(to)
}

test('whatever happens: no message twice, no call without a grant, no vendor after STOP, no client phone to a vendor', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(happening, { minLength: 8, maxLength: 20 }), async (happenings) => {
      const world = await database.open({
        rows: [...VENDOR_IDS.flatMap((id) => vendor(id, { last_inbound_at: null })), ...ASKED],
        settings: {
          CALLING_ENABLED: 'true',
          WHATSAPP_CALL_OFFER: 'v=0',
          MARKETPLACE_VENDORS_PER_REQUEST: '3',
        },
        now: MARKET_NOW,
      })
      const seen: Seen = { events: [], sent: 0, calls: 0 }
      for (const [step, one] of happenings.entries()) {
        await happen(world, one, seen, step)
        await checkMarket(world, seen)
      }
      await checkReplies(world, seen.events)
      await checkHistory(world)
      await world.close()
    }),
    { numRuns: 60, interruptAfterTimeLimit: 60_000 },
  )
}, 120_000)

const separator = fc.constantFrom('', ' ', '-', '.', ' - ', '/', '\u00a0', ') ')
const prefix = fc.constantFrom('+250', '250', '0', '', '00250', '(+250) ')
const around = fc
  .string({ unit: 'grapheme', maxLength: 30 })
  .map((text) => text.replaceAll(/\p{Nd}/gu, 'x'))

test('in 10,000 texts however a number is written, none of it reaches a vendor', () => {
  fc.assert(
    fc.property(
      fc.stringMatching(/^7[0-9]{8}$/),
      prefix,
      fc.array(separator, { minLength: 9, maxLength: 9 }),
      around,
      around,
      (national, code, separators, before, after) => {
        const written = [...national]
          .map((digit, index) => `${digit}${separators[index] ?? ''}`)
          .join('')
        const text = `${before} ${code}${written.trimEnd()} ${after}`
        const cleaned = maskPhones(withoutNumbers(text, [`250${national}`]))
        expect(cleaned.replaceAll(/\D/g, '')).not.toContain(national)
      },
    ),
    { numRuns: 10_000 },
  )
})
