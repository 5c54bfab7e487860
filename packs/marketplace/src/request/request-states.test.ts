import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { conversation, outreach, request, vendor } from '../../testing/market-rows.ts'
import { type MarketDatabase, openMarketDatabase } from '../../testing/market-world.ts'
import { OUTREACH_STATES, type OutreachState, RequestState } from './request.ts'

let database: MarketDatabase
beforeAll(async () => {
  database = await openMarketDatabase()
})
afterAll(() => database.close())

// Written out, not taken from the code: this is the document.
const LEGAL: Readonly<Record<RequestState, readonly RequestState[]>> = {
  collecting_requirements: ['ocr_processing', 'vendor_outreach', 'error', 'closed'],
  ocr_processing: ['collecting_requirements', 'vendor_outreach', 'error'],
  vendor_outreach: ['awaiting_vendor_replies', 'error'],
  awaiting_vendor_replies: ['shortlist_ready', 'vendor_outreach', 'error'],
  shortlist_ready: ['handed_off', 'closed', 'error'],
  handed_off: ['closed'],
  closed: [],
  error: ['collecting_requirements', 'closed'],
}
const STATES = RequestState.options

describe('the 64 transitions of a request', () => {
  const pairs = STATES.flatMap((from) => STATES.map((to) => [from, to] as const))
  test('are legal or refused as the document says, and a refusal changes nothing', async () => {
    const world = await database.open({
      rows: [
        conversation('cnv_1'),
        ...pairs.map(([from, to]) => request(`req_${from}-${to}`, { state: from })),
      ],
    })
    for (const [from, to] of pairs) {
      const id = `req_${from}-${to}`
      const answer = await world.call('marketplace.update_request_state', {
        request_id: id,
        new_state: to,
      })
      const [row] = await world.query(
        'select state from mk_requests where tenant = ? and id = ?',
        world.tenant,
        id,
      )
      if (LEGAL[from].includes(to)) {
        expect([answer.status, answer.data, row?.state], id).toEqual([
          'success',
          { success: true, previous_state: from, current_state: to },
          to,
        ])
        continue
      }
      expect([answer.status, answer.error?.code, row?.state], id).toEqual([
        'failed',
        'TOOL_GATE_CLOSED',
        from,
      ])
      expect(answer.error?.details).toEqual({
        source_code: 'INVALID_TRANSITION',
        from,
        to,
        allowed: LEGAL[from],
      })
      expect(answer.data).toEqual({
        success: false,
        previous_state: from,
        current_state: from,
        error: `A request that is ${from} cannot become ${to}.`,
      })
    }
    await world.close()
  })

  test('a retry of a transition that succeeded replays; another key is another transition', async () => {
    const world = await database.open({ rows: [conversation('cnv_1'), request('req_1')] })
    const move = (new_state: RequestState, key: string) =>
      world.call('marketplace.update_request_state', { request_id: 'req_1', new_state }, { key })
    const first = await move('vendor_outreach', 'k1')
    const again = await move('vendor_outreach', 'k1')
    expect([again.data, again.metadata.source]).toEqual([first.data, 'replayed'])
    expect((await move('vendor_outreach', 'k2')).error?.details).toMatchObject({
      source_code: 'INVALID_TRANSITION',
    })
    // The two states of waiting alternate: the same input under another key is meant again.
    await move('awaiting_vendor_replies', 'k3')
    expect((await move('vendor_outreach', 'k4')).status).toBe('success')
    const history = await world.query(
      'select to_state from mk_request_states where tenant = ? order by position',
      world.tenant,
    )
    expect(history.map(({ to_state: to }) => to)).toEqual([
      'vendor_outreach',
      'awaiting_vendor_replies',
      'vendor_outreach',
    ])
    await world.close()
  })

  test('over the writer thread a refusal keeps its data', async () => {
    const threaded = await openMarketDatabase({ writer: 'thread' })
    const world = await threaded.open({ rows: [conversation('cnv_1'), request('req_1')] })
    const answer = await world.call('marketplace.update_request_state', {
      request_id: 'req_1',
      new_state: 'handed_off',
    })
    expect(answer.data).toMatchObject({ success: false, current_state: 'collecting_requirements' })
    await world.close()
    await threaded.close()
  })

  test('an unknown request is not found', async () => {
    const world = await database.open()
    const answer = await world.call('marketplace.update_request_state', {
      request_id: 'req_none',
      new_state: 'closed',
    })
    expect(answer.error?.code).toBe('TOOL_RESOURCE_NOT_FOUND')
    await world.close()
  })
})

const OUTREACH_LEGAL: Readonly<Record<OutreachState, readonly OutreachState[]>> = {
  queued: ['sent', 'failed', 'excluded'],
  sent: ['replied', 'no_response', 'excluded'],
  replied: [],
  no_response: ['replied'],
  failed: [],
  excluded: [],
}

describe('outreach', () => {
  test('ends in no_response, failed and excluded only from the states that allow it', async () => {
    const ends = ['no_response', 'failed', 'excluded'] as const
    const pairs = OUTREACH_STATES.flatMap((from) => ends.map((to) => [from, to] as const))
    const world = await database.open({
      rows: [
        conversation('cnv_1'),
        ...pairs.flatMap(([from, to], index) => [
          request(`req_${index}`),
          ...vendor(`ven_${index}`),
          outreach(`out_${from}-${to}`, `req_${index}`, `ven_${index}`, from),
        ]),
      ],
    })
    for (const [from, to] of pairs) {
      const { state } = await world.data('marketplace.end_outreach', {
        outreach_id: `out_${from}-${to}`,
        to,
      })
      expect(state, `${from} to ${to}`).toBe(OUTREACH_LEGAL[from].includes(to) ? to : from)
    }
    await world.close()
  })

  test.each(OUTREACH_STATES)('a reply to an outreach that is %s', async (from) => {
    const world = await database.open({
      rows: [
        conversation('cnv_1'),
        request('req_1', { state: 'awaiting_vendor_replies' }),
        ...vendor('ven_1'),
        outreach('out_1', 'req_1', 'ven_1', from),
      ],
    })
    const answer = await world.data('marketplace.record_vendor_reply', {
      request_id: 'req_1',
      vendor_id: 'ven_1',
      message: 'Yes, 12k',
      provider_message_id: 'wamid.1',
    })
    const isOpen = OUTREACH_LEGAL[from].includes('replied') || from === 'replied'
    expect(answer).toEqual({
      success: true,
      outreach_id: 'out_1',
      state: isOpen ? 'replied' : from,
    })
    const [row] = await world.query(
      'select reply_text, reply_data from mk_outreach where tenant = ?',
      world.tenant,
    )
    expect(row?.reply_text).toBe('Yes, 12k')
    expect(row?.reply_data === null).toBe(!isOpen)
    await world.close()
  })

  test('a reply is recorded once by its id, also under another key', async () => {
    const world = await database.open({
      rows: [
        conversation('cnv_1'),
        request('req_1', { state: 'awaiting_vendor_replies' }),
        ...vendor('ven_1'),
        outreach('out_1', 'req_1', 'ven_1', 'sent'),
      ],
    })
    const reply = {
      request_id: 'req_1',
      vendor_id: 'ven_1',
      message: 'Yes, 12k',
      provider_message_id: 'w1',
    }
    await world.data('marketplace.record_vendor_reply', reply, { key: 'k1' })
    await world.data('marketplace.record_vendor_reply', { ...reply, message: 'no' }, { key: 'k2' })
    const rows = await world.query('select text from mk_replies where tenant = ?', world.tenant)
    expect(rows).toEqual([{ text: 'Yes, 12k' }])
    await world.close()
  })

  test('a later message completes what an earlier one said', async () => {
    const world = await database.open({
      rows: [
        conversation('cnv_1'),
        request('req_1', { state: 'awaiting_vendor_replies' }),
        ...vendor('ven_1'),
        outreach('out_1', 'req_1', 'ven_1', 'sent'),
      ],
    })
    for (const [id, message] of [
      ['w1', 'Yes we have it'],
      ['w2', '12k'],
    ] as const)
      await world.data('marketplace.record_vendor_reply', {
        request_id: 'req_1',
        vendor_id: 'ven_1',
        message,
        provider_message_id: id,
      })
    const [row] = await world.query(
      'select reply_data from mk_outreach where tenant = ?',
      world.tenant,
    )
    expect(JSON.parse(String(row?.reply_data))).toMatchObject({ has_stock: true, price: 12_000 })
    await world.close()
  })
})
