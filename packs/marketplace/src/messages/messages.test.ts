import { type Envelope, ToolError } from '@surehand/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { conversation, request, vendor } from '../../testing/market-rows.ts'
import {
  AGENT,
  MARKET_NOW,
  type MarketDatabase,
  type MarketWorld,
  openMarketDatabase,
  type WorldOptions,
} from '../../testing/market-world.ts'
import { deliverPrepared } from '../engine/dispatch-message.ts'
import type { MarketWork } from '../engine/market-context.ts'
import { contentHash, messageKey } from './content-hash.ts'
import type { Prepared } from './prepare-message.ts'
import { endOfQuietHours } from './quiet-hours.ts'

let database: MarketDatabase
beforeAll(async () => {
  database = await openMarketDatabase()
})
afterAll(() => database.close())

const MINUTE = 60_000
const ROWS = [
  conversation('cnv_1'),
  request('req_1', { state: 'vendor_outreach' }),
  request('req_2', { state: 'vendor_outreach' }),
  ...vendor('ven_1'),
  ...vendor('ven_2'),
]
// An agent sends the messages here, not the orchestrator.
const open = ({ settings, ...options }: WorldOptions = {}) =>
  database.open({
    rows: ROWS,
    settings: { MARKETPLACE_ORCHESTRATOR: 'off', ...settings },
    ...options,
  })

const toClient = (world: MarketWorld, message: string, more: object = {}): Promise<Envelope> =>
  world.call('marketplace.send_client_message', { request_id: 'req_1', message, ...more })
const toVendor = (world: MarketWorld, message: string, more: object = {}): Promise<Envelope> =>
  world.call('marketplace.send_vendor_message', {
    request_id: 'req_1',
    vendor_id: 'ven_1',
    message,
    ...more,
  })
const sourceCode = ({ error }: Envelope): unknown =>
  (error?.details as Record<string, unknown> | undefined)?.source_code

describe('the content hash', () => {
  const base = { recipient: 'ven_1', type: 'text', text: 'Do you have it?' } as const
  test('covers recipient, type, text and options, and is not truncated', () => {
    const hashes = [
      base,
      { ...base, recipient: 'ven_2' },
      { ...base, type: 'interactive' as const },
      { ...base, text: 'Do you have it' },
      { ...base, options: ['Yes'] },
      { ...base, options: ['Yes', 'No'] },
      { ...base, options: ['No', 'Yes'] },
    ].map(contentHash)
    expect(new Set(hashes).size).toBe(hashes.length)
    for (const hash of hashes) expect(hash).toMatch(/^[0-9a-f]{64}$/)
    expect(messageKey('req_1', base)).toBe(`request:req_1:hash:${hashes[0]}`)
  })
})

describe('a message', () => {
  test('is sent once, whatever the key and the caller', async () => {
    const world = await open()
    const first = await toClient(world, 'Which dose?')
    const replay = await toClient(world, 'Which dose?')
    const otherKey = await world.call(
      'marketplace.send_client_message',
      { request_id: 'req_1', message: 'Which dose?' },
      { key: 'random-1', caller: AGENT },
    )
    expect(first.data).toEqual({ success: true, provider_message_id: 'wamid.1' })
    expect(replay.data).toEqual(first.data)
    expect(otherKey.data).toEqual(first.data)
    expect(world.messenger.sent).toHaveLength(1)
    await world.close()
  })

  test('to a second vendor is another message', async () => {
    const world = await open()
    await toVendor(world, 'Do you have it?')
    await toVendor(world, 'Do you have it?', { vendor_id: 'ven_2' })
    await toVendor(world, 'Do you have it?', { vendor_id: 'ven_2' })
    expect(world.messenger.sent.map(({ to }) => to)).toEqual(['250788100001', '250788100002'])
    await world.close()
  })

  test('that the provider refused may be sent again under its key', async () => {
    const world = await open()
    world.messenger.faults.push('refused')
    const refused = await toVendor(world, 'Do you have it?')
    expect([refused.status, refused.error?.code]).toEqual(['failed', 'TOOL_INVALID_INPUT'])
    expect(refused.data).toEqual({
      success: false,
      outreach_id: expect.any(String),
      error: 'WhatsApp answered with the status 400.',
    })
    // Nothing is sent behind an answer that said "failed".
    world.clock.set(MARKET_NOW + 10 * MINUTE)
    await world.runDueWork()
    expect(world.messenger.sent).toHaveLength(0)
    expect((await toVendor(world, 'Do you have it?')).data).toMatchObject({
      success: true,
      provider_message_id: 'wamid.1',
    })
    expect(world.messenger.sent).toHaveLength(1)
    await world.close()
  })

  // Found by the chaos run on PostgreSQL: the message had been sent, a repeat met a busy database, and
  // the message counted as refused and was sent once more.
  test('is undecided, not refused, where our own store failed', async () => {
    const results: unknown[] = []
    const work = {
      call: async ({ tool, input }: { tool: string; input: { result?: string } }) => {
        if (tool === 'marketplace.deliver_message')
          return { status: 'failed', error: new ToolError('TOOL_STORAGE_ERROR', 'Busy.') }
        results.push(input.result)
        return { status: 'done', data: {} }
      },
    } as unknown as MarketWork
    const prepared = { message_id: 'msg_1', status: 'ready' } as unknown as Prepared
    await expect(deliverPrepared(work, prepared, undefined)).rejects.toMatchObject({
      code: 'TOOL_RESOURCE_UNAVAILABLE',
      effect: 'possible',
    })
    expect(results).toEqual(['unknown'])
  })

  test('that was sent is not sent again where its failure was taken for a refusal', async () => {
    const world = await open()
    // The process dies between WhatsApp's answer and its record.
    world.dieAfter(3)
    await toVendor(world, 'Do you have it?')
    const [message] = await world.query(
      "select id, state from mk_messages where tenant = ? and direction = 'outbound'",
      world.tenant,
    )
    expect(message?.state).toBe('sending')
    await world.data('marketplace.settle_message', {
      ...{ message_id: message?.id, result: 'refused', reply_wait_ms: 0 },
    })
    expect((await toVendor(world, 'Do you have it?')).data).toMatchObject({
      success: true,
      provider_message_id: 'wamid.1',
    })
    expect(world.messenger.sent).toHaveLength(1)
    await world.close()
  })

  test('that was sent is not refused where that cannot be recorded', async () => {
    const error = new ToolError('TOOL_ALREADY_RUNNING', 'Locked.', { effect: 'none' })
    const work = {
      settings: () => ({}),
      call: async ({ tool }: { tool: string }) =>
        tool === 'marketplace.deliver_message'
          ? { status: 'done', data: { provider_message_id: 'wamid.1' } }
          : { status: 'failed', error },
    } as unknown as MarketWork
    const prepared = { message_id: 'msg_1', status: 'ready' } as unknown as Prepared
    await expect(deliverPrepared(work, prepared, undefined)).rejects.toMatchObject({
      effect: 'possible',
    })
  })

  test('whose answer was lost is never sent again; its state settles it', async () => {
    const world = await open()
    world.messenger.faults.push('lost')
    const lost = await toVendor(world, 'Do you have it?')
    for (const answer of [lost, await toVendor(world, 'Do you have it?')])
      expect([answer.status, answer.error?.code, answer.data, answer.error?.details]).toEqual([
        'error',
        'TOOL_RESOURCE_UNAVAILABLE',
        null,
        { source_code: 'OUTCOME_UNKNOWN', call_id: expect.any(String), settled: false },
      ])
    const callback = world.messenger.sent[0]?.callback ?? ''
    const state = { kind: 'status', id: 'wamid.real', callback, at: MARKET_NOW } as const
    await world.receive({ ...state, status: 'delivered' })
    await world.receive({ ...state, status: 'sent' })
    expect((await toVendor(world, 'Do you have it?')).data).toMatchObject({
      success: true,
      provider_message_id: 'wamid.real',
    })
    expect(world.messenger.sent).toHaveLength(1)
    const [row] = await world.query(
      'select m.state, o.state as outreach from mk_messages m join mk_outreach o on o.tenant = m.tenant where m.tenant = ?',
      world.tenant,
    )
    expect(row).toEqual({ state: 'delivered', outreach: 'sent' })
    await world.close()
  })

  test.each([
    [['sent', 'delivered', 'read'], 'read'],
    [['read', 'delivered', 'sent'], 'read'],
    [['delivered', 'delivered', 'sent'], 'delivered'],
    [['sent', 'failed'], 'failed'],
  ] as const)('with the states %j is %s', async (states, expected) => {
    const world = await open()
    await toClient(world, 'Which dose?')
    for (const status of states)
      await world.receive({ kind: 'status', id: 'wamid.1', status, at: MARKET_NOW })
    const [row] = await world.query('select state from mk_messages where tenant = ?', world.tenant)
    expect(row?.state).toBe(expected)
    await world.close()
  })

  test('that is not delivered takes the vendor out of the request', async () => {
    const world = await open()
    await toVendor(world, 'Do you have it?')
    await world.receive({
      kind: 'status',
      id: 'wamid.1',
      status: 'failed',
      at: MARKET_NOW,
      error: '131026 Undeliverable',
    })
    const [row] = await world.query(
      'select state, excluded_reason from mk_outreach where tenant = ?',
      world.tenant,
    )
    expect(row).toEqual({
      state: 'excluded',
      excluded_reason: 'the message was not delivered: 131026 Undeliverable',
    })
    await world.close()
  })

  test('outside the 24 hours is a template in the language of the recipient', async () => {
    const world = await database.open({
      rows: [
        conversation('cnv_1', { last_inbound_at: MARKET_NOW - 25 * 3_600_000, language: 'fr' }),
        request('req_1', { state: 'vendor_outreach' }),
        ...vendor('ven_1', { last_inbound_at: null, language: 'rw' }),
      ],
    })
    await toClient(world, 'Bonjour\n\nencore là ?')
    await toVendor(world, 'Murabifite?')
    expect(world.messenger.sent.map(({ content }) => content)).toEqual([
      {
        kind: 'template',
        name: 'client_update',
        language: 'fr',
        parameters: ['Bonjour encore là ?'],
      },
      { kind: 'template', name: 'vendor_request', language: 'rw', parameters: ['Murabifite?'] },
    ])
    await world.close()
  })

  test.each([
    [['Yes', 'No'], 'buttons'],
    [['1', '2', '3', '4'], 'list'],
  ])('with the options %j has %s', async (options, kind) => {
    const world = await open()
    await toClient(world, 'Choose', { message_type: 'interactive', interactive_options: options })
    expect(world.messenger.sent[0]?.content.kind).toBe(kind)
    await world.close()
  })

  test.each([
    [{ message_type: 'interactive' }],
    [{ interactive_options: ['Yes'] }],
    [{ message_type: 'interactive', interactive_options: ['a title with more than 20'] }],
    [{ message_type: 'interactive', interactive_options: ['Yes', 'Yes'] }],
  ])('with the options %j is refused', async (more) => {
    const world = await open()
    expect((await toClient(world, 'Choose', more)).error?.code).toMatch(/^TOOL_INVALID/)
    expect(world.messenger.sent).toEqual([])
    await world.close()
  })

  test('carries no phone of the client to a vendor, and says so nowhere else', async () => {
    const world = await open()
    await toVendor(world, 'Call the client: +250 788 555 001, or 0788555001, or 0722 123 456')
    expect(world.messenger.sent[0]?.content).toEqual({
      kind: 'text',
      text: 'Call the client: +***001, or ***001, or ***456',
    })
    await world.close()
  })
})

describe('limits', () => {
  test('a vendor gets one message in 5 minutes; the next is queued and sent by itself', async () => {
    const world = await open()
    await toVendor(world, 'First')
    const second = await toVendor(world, 'Second', { request_id: 'req_2' })
    expect(second.data).toEqual({ success: true, outreach_id: expect.any(String) })
    const outreachOf = async () =>
      (
        await world.query(
          "select state from mk_outreach where tenant = ? and request_id = 'req_2'",
          world.tenant,
        )
      )[0]?.state
    expect(await outreachOf()).toBe('queued')
    world.clock.set(MARKET_NOW + 4 * MINUTE)
    await world.runDueWork()
    expect(world.messenger.sent).toHaveLength(1)
    world.clock.set(MARKET_NOW + 5 * MINUTE)
    await world.runDueWork()
    await world.runDueWork()
    expect(world.messenger.sent).toHaveLength(2)
    expect(await outreachOf()).toBe('sent')
    await world.close()
  })

  test('a vendor gets 20 messages in a day', async () => {
    const world = await open()
    for (let count = 0; count < 21; count++) {
      world.clock.set(MARKET_NOW + count * 6 * MINUTE)
      await toVendor(world, `Message ${count}`)
    }
    expect(world.messenger.sent).toHaveLength(20)
    world.clock.set(MARKET_NOW + 24 * 60 * MINUTE - 1)
    await world.runDueWork()
    expect(world.messenger.sent).toHaveLength(20)
    world.clock.set(MARKET_NOW + 24 * 60 * MINUTE)
    await world.runDueWork()
    expect(world.messenger.sent).toHaveLength(21)
    await world.close()
  })

  test('a client gets 20 messages in a minute', async () => {
    const world = await open()
    for (let count = 0; count < 20; count++) await toClient(world, `Message ${count}`)
    const refused = await toClient(world, 'One more')
    expect([refused.error?.code, refused.error?.details]).toEqual([
      'TOOL_RATE_LIMIT_EXCEEDED',
      { limit: 20, window_ms: 60_000, retry_after_ms: 60_000 },
    ])
    expect(refused.data).toMatchObject({ success: false })
    world.clock.set(MARKET_NOW + MINUTE)
    expect((await toClient(world, 'One more')).status).toBe('success')
    await world.close()
  })

  test('a vendor who opted out gets nothing, also what was queued before', async () => {
    const world = await open()
    await toVendor(world, 'First')
    await toVendor(world, 'Second', { request_id: 'req_2' })
    await world.receive({
      kind: 'message',
      id: 'stop',
      from: '250788100001',
      at: MARKET_NOW,
      type: 'text',
      text: 'Stop',
    })
    world.clock.set(MARKET_NOW + 60 * MINUTE)
    await world.runDueWork()
    const refused = await toVendor(world, 'Third')
    expect(sourceCode(refused)).toBe('VENDOR_OPTED_OUT')
    expect(world.messenger.sent).toHaveLength(1)
    await world.close()
  })

  test('in quiet hours vendors are left alone; clients are answered', async () => {
    const night = Date.UTC(2026, 0, 15, 20, 30)
    const world = await open({ now: night, settings: { MARKETPLACE_QUIET_HOURS: '21:00-07:00' } })
    await toVendor(world, 'First')
    await toClient(world, 'Good evening')
    expect(world.messenger.sent.map(({ to }) => to)).toEqual(['250788555001'])
    world.clock.set(Date.UTC(2026, 0, 16, 4, 59))
    await world.runDueWork()
    expect(world.messenger.sent).toHaveLength(1)
    world.clock.set(Date.UTC(2026, 0, 16, 5, 0))
    await world.runDueWork()
    expect(world.messenger.sent).toHaveLength(2)
    await world.close()
  })

  test.each([
    ['2026-01-15T18:59:00Z', '21:00', '07:00', '2026-01-15T18:59:00Z'],
    ['2026-01-15T19:00:00Z', '21:00', '07:00', '2026-01-16T05:00:00Z'],
    ['2026-01-15T23:30:30Z', '21:00', '07:00', '2026-01-16T05:00:00Z'],
    ['2026-01-16T05:00:00Z', '21:00', '07:00', '2026-01-16T05:00:00Z'],
    ['2026-01-15T10:15:00Z', '12:00', '13:00', '2026-01-15T11:00:00Z'],
  ])(
    'at %s with quiet hours from %s to %s the next message goes at %s',
    (now, from, to, expected) => {
      const at = endOfQuietHours(Date.parse(now), { from, to }, 'Africa/Kigali')
      expect(new Date(at).toISOString()).toBe(new Date(expected).toISOString())
    },
  )
})

describe('a vendor whom WhatsApp refuses', () => {
  test('is tried three times by the orchestrator, then given up', async () => {
    const world = await open()
    world.messenger.faults.push('refused', 'refused', 'refused', 'refused')
    await world.call(
      'marketplace.send_vendor_message',
      { request_id: 'req_1', vendor_id: 'ven_1', message: 'Do you have it?' },
      { caller: world.given.systemCaller(world.tenant) },
    )
    for (let count = 1; count < 6; count++) {
      world.clock.set(MARKET_NOW + count * 10 * MINUTE)
      await world.runDueWork()
    }
    const [row] = await world.query('select state from mk_outreach where tenant = ?', world.tenant)
    expect(row?.state).toBe('failed')
    expect(world.messenger.faults).toHaveLength(1)
    expect(sourceCode(await toVendor(world, 'Do you have it?'))).toBe('OUTREACH_FAILED')
    await world.close()
  })
})

describe('while WhatsApp is out of reach', () => {
  test('messages stay queued, none counts as an attempt, and all are sent afterwards', async () => {
    const world = await open()
    world.messenger.isAway = true
    const asked = await toVendor(world, 'Do you have it?')
    const client = await toClient(world, 'We are asking.')
    expect([asked.data, client.data]).toEqual([
      { success: true, outreach_id: expect.any(String) },
      { success: true },
    ])
    // More than enough failures to open the circuit breaker, and longer than a vendor is tried.
    for (let count = 1; count < 8; count++) {
      world.clock.set(MARKET_NOW + count * 10 * MINUTE)
      await world.runDueWork()
    }
    const queued = await world.query(
      'select state, attempt from mk_messages where tenant = ?',
      world.tenant,
    )
    expect(queued).toEqual(Array(2).fill({ state: 'queued', attempt: 0 }))
    world.messenger.isAway = false
    world.clock.set(MARKET_NOW + 400 * MINUTE)
    await world.runDueWork()
    world.clock.set(MARKET_NOW + 401 * MINUTE)
    await world.runDueWork()
    expect(world.messenger.sent.map(({ to }) => to).toSorted()).toEqual([
      '250788100001',
      '250788555001',
    ])
    await world.close()
  })

  test('what an operator wrote is sent although the operator answers this client', async () => {
    const world = await open()
    const mode = { conversation_id: 'cnv_1', mode: 'operator' }
    await world.data('marketplace.set_conversation_mode', mode)
    world.messenger.isAway = true
    await toClient(world, 'This is Olive.')
    world.messenger.isAway = false
    world.clock.set(MARKET_NOW + MINUTE)
    await world.runDueWork()
    expect(world.messenger.sent).toHaveLength(1)
    await world.close()
  })
})
