import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestShop, type TestShop } from '../fixtures/test-shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openTestShop()
})
afterAll(async () => {
  expect(shop.bugs).toEqual([])
  await shop.stop()
})

const MINUTE = 60_000
const key = (name: string) => ({ 'idempotency-key': name.padEnd(8, '-') })
const THURSDAY = 'slot_fitting_20261119T1400'
const price = { amount: 2500, currency: 'EUR' }
const hold = (slotId: string, session: string, name: string) =>
  shop.api('POST', '/api/holds', { slotId, session, customer: { name: 'Ann' } }, key(name))
const book = (slotId: string, session: string, name: string) =>
  shop.api('POST', '/api/bookings', { slotId, session, expectedPrice: price }, key(name))

describe('slots', () => {
  test('a fitting is possible on Thursday afternoon, in the time of Vienna', async () => {
    const query =
      'resourceId=fitting&from=2026-11-19T12:00:00%2B01:00&to=2026-11-19T18:00:00%2B01:00'
    const { body } = await shop.api('GET', `/api/slots?${query}`)
    expect(body.items.map(({ start }) => start)).toEqual(
      ['13', '14', '15', '16', '17'].map((hour) => `2026-11-19T${hour}:00:00+01:00`),
    )
    expect(body.items[1]).toMatchObject({
      slotId: THURSDAY,
      title: 'Fitting with Iris',
      price,
      state: 'free',
    })
  })

  test('follow the clock change, the party and the page', async () => {
    const summer = await openTestShop()
    summer.advance(Date.parse('2027-03-25T08:00:00Z') - summer.now())
    const { body } = await summer.api('GET', '/api/slots?resourceId=fitting&limit=100')
    const starts = body.items.map(({ start }) => start)
    expect(starts).toContain('2027-03-26T13:00:00+01:00')
    expect(starts).toContain('2027-03-30T13:00:00+02:00')
    await summer.stop()
    const many = await shop.api('GET', '/api/slots?partySize=5&limit=3')
    expect(new Set(many.body.items.map(({ resourceId }) => resourceId))).toEqual(
      new Set(['bouquet-workshop']),
    )
    const next = await shop.api(
      'GET',
      `/api/slots?partySize=5&limit=3&cursor=${many.body.nextCursor}`,
    )
    expect(next.body.items[0]?.slotId).not.toBe(many.body.items[0]?.slotId)
  })

  test.each([
    ['/api/slots?from=yesterday', 400],
    ['/api/slots?cursor=nonsense', 400],
    ['/api/slots/slot_fitting_20261119T1401/quote', 404],
    ['/api/slots/slot_fitting_20261399T1400/quote', 404],
    ['/api/slots/slot_nothing_20261119T1400/quote', 404],
  ])('%s is answered %i', async (path, status) => {
    expect((await shop.api('GET', path)).status).toBe(status)
  })
})

describe('holds', () => {
  test('of twenty holders at once one wins, and only this one may book', async () => {
    const slotId = 'slot_fitting_20261124T1300'
    const sessions = Array.from({ length: 20 }, (_, index) => `holder-${index}`)
    const answers = await Promise.all(
      sessions.map((session) => hold(slotId, session, `race-${session}`)),
    )
    const winners = sessions.filter((_, index) => answers[index]?.status === 201)
    expect(winners).toHaveLength(1)
    expect(answers.filter(({ body }) => body.code === 'slot_taken')).toHaveLength(19)
    const bookings = await Promise.all(
      sessions.map((session) => book(slotId, session, `book-${session}`)),
    )
    expect(sessions.filter((_, index) => bookings[index]?.status === 201)).toEqual(winners)
  })

  test('expire after 15 minutes', async () => {
    const slotId = 'slot_fitting_20261119T1500'
    const held = await hold(slotId, 'session-first', 'hold-first')
    expect(Date.parse(held.body.expiresAt) - shop.now()).toBe(15 * MINUTE)
    shop.advance(15 * MINUTE - 1)
    expect((await hold(slotId, 'session-other', 'hold-other')).body.code).toBe('slot_taken')
    expect(
      (await shop.api('GET', `/api/slots/${slotId}/quote?session=session-other`)).body.code,
    ).toBe('slot_taken')
    expect(
      (await shop.api('GET', `/api/slots/${slotId}/quote?session=session-first`)).body.state,
    ).toBe('held')
    shop.advance(1)
    expect((await shop.api('GET', `/api/holds/${held.body.holdId}`)).body.state).toBe('expired')
    expect((await hold(slotId, 'session-other', 'hold-other')).status).toBe(201)
    expect((await book(slotId, 'session-first', 'book-first')).body.code).toBe('slot_taken')
  })

  test('are not extended by holding again, and can be released', async () => {
    const slotId = 'slot_fitting_20261119T1600'
    const first = await hold(slotId, 'session-again', 'again-one')
    shop.advance(5 * MINUTE)
    const second = await hold(slotId, 'session-again', 'again-two')
    expect(second.body).toEqual(first.body)
    const released = await shop.api(
      'DELETE',
      `/api/holds/${first.body.holdId}`,
      undefined,
      key('release-it'),
    )
    expect(released.body.state).toBe('released')
    expect((await hold(slotId, 'session-next', 'again-next')).status).toBe(201)
  })
})

describe('bookings', () => {
  test('are made once for a key', async () => {
    const answers = await Promise.all(
      [1, 2, 3].map(() => book(THURSDAY, 'session-book', 'book-once')),
    )
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
    expect(new Set(answers.map(({ body }) => body.bookingId)).size).toBe(1)
    const [first] = answers
    expect(first?.body).toMatchObject({
      state: 'booked',
      start: '2026-11-19T14:00:00+01:00',
      policy: { fee: { amount: 0 } },
    })
  })

  test('at another price, of the past, or of nothing are refused', async () => {
    const slotId = 'slot_fitting_20261126T1000'
    const dearer = {
      slotId,
      session: 'session-price',
      expectedPrice: { amount: 1, currency: 'EUR' },
    }
    expect((await shop.api('POST', '/api/bookings', dearer, key('dearer'))).body.code).toBe(
      'price_changed',
    )
    expect((await book('slot_fitting_20261112T1000', 'session-past', 'past')).body.code).toBe(
      'slot_past',
    )
    expect((await book('slot_x', 'session-none', 'none')).status).toBe(404)
  })

  test('are cancelled free of charge until a day before, then for half the price', async () => {
    const free = await book('slot_fitting_20261126T1100', 'session-cancel', 'cancel-a')
    const dear = await book('slot_fitting_20261126T1300', 'session-cancel', 'cancel-b')
    const cancel = (id: string, expected: number, name: string) =>
      shop.api(
        'POST',
        `/api/bookings/${id}/cancellation`,
        { expectedFee: { amount: expected, currency: 'EUR' } },
        key(name),
      )
    expect((await cancel(free.body.bookingId, 0, 'cancel-free')).body).toMatchObject({
      state: 'cancelled',
      fee: { amount: 0 },
    })
    expect((await book('slot_fitting_20261126T1100', 'session-new', 'cancel-c')).status).toBe(201)
    shop.advance(Date.parse('2026-11-25T12:00:01Z') - shop.now())
    expect((await cancel(dear.body.bookingId, 0, 'cancel-low')).body.code).toBe('fee_changed')
    expect((await cancel(dear.body.bookingId, 1250, 'cancel-dear')).body).toMatchObject({
      state: 'cancelled',
      fee: { amount: 1250 },
    })
    const again = await cancel(dear.body.bookingId, 1250, 'cancel-again')
    expect(again.body.fee.amount).toBe(1250)
  })
})
