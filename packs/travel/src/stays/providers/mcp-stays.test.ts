import type { CallRequest, Outcome } from '@surehand/core'
import { expect, test } from 'vitest'
import answer from '../fixtures/airbnb-search.json' with { type: 'json' }
import { StayListing } from '../stays-port.ts'
import { mcpStays } from './mcp-stays.ts'

// The answer is in the shape of @openbnb/mcp-server-airbnb 0.3.0; its texts are written by us.

const { signal } = new AbortController()
const ANN = { tenant: 'home', userId: 'ann' }
const dates = { checkin: '2027-05-10', checkout: '2027-05-17', guests: 2 }
const search = { ...ANN, ...dates, location: 'Lisbon', priceMax: 200 }

function open(outcome: object) {
  const requests: CallRequest[] = []
  const call = async (request: CallRequest): Promise<Outcome> => {
    requests.push(request)
    // Only the part of an outcome that the provider reads.
    return outcome as Outcome
  }
  return { stays: mcpStays({ call, searchTool: 'airbnb.airbnb_search' }), requests }
}

const texts = { content: [{ type: 'text', text: JSON.stringify(answer) }] }

test('stays of a mounted server are mapped, with prices for a night and the whole stay', async () => {
  const { stays, requests } = open({ status: 'done', data: texts })
  const { listings, provider, estimated } = await stays.search(search, signal)
  expect([provider, estimated]).toEqual(['mcp:airbnb', false])
  expect(listings.map((one) => StayListing.parse(one))).toEqual([
    {
      listingId: '43405093',
      name: 'Loft under the roofs of Alfama',
      price: 146.57,
      totalPrice: 1026,
      currency: 'USD',
      rating: 4.87,
      reviewCount: 299,
      lat: 38.7121,
      lon: -9.1301,
      url: 'https://www.airbnb.com/rooms/43405093',
      bookable: false,
    },
    {
      listingId: '1234567890',
      name: 'Room near the river',
      price: 2150,
      totalPrice: 15_050,
      currency: 'THB',
      lat: 38.7055,
      lon: -9.1602,
      url: 'https://www.airbnb.com/rooms/1234567890',
      bookable: false,
    },
  ])
  expect(requests).toMatchObject([
    {
      tool: 'airbnb.airbnb_search',
      caller: { tenant: 'home', principal: 'ann' },
      input: { location: 'Lisbon', checkin: '2027-05-10', adults: 2, maxPrice: 200 },
    },
  ])
})

test.each([
  ['needs approval', { status: 'pending' }, /mounted as a write/],
  ['failed', { status: 'failed', error: new Error('secret') }, /did not answer/],
  ['sent no JSON', { status: 'done', data: { content: [{ type: 'text', text: '{' }] } }, /be read/],
])('a server that %s is an error that says what to do', async (_, outcome, message) => {
  const { stays } = open(outcome)
  await expect(stays.search(search, signal)).rejects.toMatchObject({
    code: 'TOOL_EXTERNAL_SERVICE_ERROR',
    message: expect.stringMatching(message),
  })
})

test('nothing is booked there, and the person is told where', async () => {
  const { stays } = open({ status: 'done', data: texts })
  const quote = stays.quote({ ...ANN, ...dates, listingId: '43405093' }, signal)
  await expect(quote).rejects.toMatchObject({
    details: { source_code: 'not_bookable', url: 'https://www.airbnb.com/rooms/43405093' },
  })
  expect(await stays.list(ANN, signal)).toEqual([])
})
