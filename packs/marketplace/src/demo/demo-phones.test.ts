import { expect, test } from 'vitest'
import { DEMO_CLIENTS, DEMO_PHONES } from './demo-phones.ts'
import { DEMO_VENDORS } from './market-vendors.ts'

test('the market has 60 vendors with places, hours and ratings, and clients in three languages', () => {
  expect(DEMO_VENDORS).toHaveLength(60)
  expect(new Set(DEMO_VENDORS.map(({ name }) => name)).size).toBe(60)
  expect(
    new Set(DEMO_VENDORS.map(({ latitude, longitude }) => `${latitude}/${longitude}`)).size,
  ).toBe(60)
  for (const { rating, opening_hours: hours, tags } of DEMO_VENDORS) {
    expect(rating).toBeLessThanOrEqual(5)
    expect(Object.keys(hours).length).toBeGreaterThanOrEqual(6)
    expect(tags.length).toBeGreaterThan(0)
  }
  expect(new Set(DEMO_CLIENTS.map(({ language }) => language))).toEqual(new Set(['en', 'fr', 'rw']))
  expect(new Set(DEMO_PHONES.map(({ number }) => number)).size).toBe(DEMO_PHONES.length)
})
