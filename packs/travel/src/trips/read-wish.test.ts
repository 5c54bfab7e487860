import { describe, expect, test } from 'vitest'
import { openTravelWorld } from '../../testing/travel-world.ts'
import { readWishByRules } from './read-wish-by-rules.ts'
import type { TripWish } from './trip-wish.ts'

const reading = { nowMs: Date.parse('2026-11-16T10:00:00Z'), timeZone: 'Europe/Berlin' }

describe('a wish', () => {
  test.each<[string, Partial<TripWish>]>([
    [
      'A week in Lisbon in May for two, under 2000 EUR, from Berlin',
      {
        destinations: ['Lisbon'],
        origin: 'Berlin',
        startDate: '2027-05-10',
        endDate: '2027-05-17',
        nights: 7,
        travelers: 2,
        budget: { amount: 2000, currency: 'EUR' },
      },
    ],
    ['Lisbon from 10 to 17 May 2027', { startDate: '2027-05-10', endDate: '2027-05-17' }],
    ['Rome, 3 days starting June 5', { destinations: ['Rome'], endDate: '2027-06-07' }],
    [
      'Paris 2027-03-01 to 2027-03-08 for 3 people, $1,500',
      { travelers: 3, budget: { amount: 1500, currency: 'USD' }, endDate: '2027-03-08' },
    ],
    [
      'two weeks in Kyoto and Osaka in April 2027 with my wife',
      { destinations: ['Kyoto', 'Osaka'], travelers: 2, endDate: '2027-04-24' },
    ],
    [
      'a long weekend in Vienna from 5 March, museums and jazz',
      { origin: null, endDate: '2027-03-08', interests: ['museums', 'music'] },
    ],
    ['I would like to see Rio de Janeiro', { destinations: ['Rio de Janeiro'], startDate: null }],
    ['We want 10 nights at the sea', { destinations: [], nights: 10, interests: ['beaches'] }],
    [
      'family of four to New York for a week from Frankfurt in July',
      { destinations: ['New York'], origin: 'Frankfurt', travelers: 4 },
    ],
    ['a trip to Kraków for €800', { budget: { amount: 800, currency: 'EUR' } }],
    ['to Oslo for 999 ABC', { budget: null }],
    ['somewhere warm', { destinations: [], startDate: null, travelers: null }],
  ])('"%s" is read by rules', (text, expected) => {
    expect(readWishByRules(text, reading)).toMatchObject(expected)
  })

  test('in a month that has begun means the next year, and the guess is named', () => {
    const { startDate, assumptions } = readWishByRules('Porto in November', reading)
    expect(startDate).toBe('2027-11-10')
    expect(assumptions).toHaveLength(1)
  })

  test('is read by the model where one is configured, and by rules where it fails', async () => {
    const wish = { ...readWishByRules('Porto', reading), destinations: ['Porto'] }
    const withModel = openTravelWorld({
      providers: { travelModel: { read: async () => ({ ...wish, travelers: 5 }) } },
    })
    expect(await withModel.data('readWish', { text: 'to Porto' })).toMatchObject({
      travelers: 5,
      reader: 'model',
    })
    const hanging = { read: () => new Promise(() => undefined) }
    // Not one of the providers for whose answers the clock waits.
    const broken = openTravelWorld({
      wrap: (provider, name) => (name === 'travelModel' ? hanging : provider),
    })
    const answer = broken.call('readWish', { text: 'to Porto' })
    await broken.clock.advance(60_000)
    expect(await answer).toMatchObject({
      data: { destinations: ['Porto'], reader: 'rules' },
      metadata: { degraded: true },
    })
  })
})
