import { defineTool, type Execution } from '@surehand/core'
import { z } from 'zod'
import { travelRead } from '../read-contract.ts'
import { Currency } from '../shapes.ts'
import { searchContextOf, type TravelContext } from '../travel-context.ts'
import { type SearchNotesPort, searchNotesPort } from './search-notes-port.ts'
import { hasNights, NO_NIGHTS, StayFields } from './stay-dates.ts'
import { StayListing, staysPort } from './stays-port.ts'

const MAX_LISTINGS = 50
const MAX_PRICE = 1_000_000

const Input = StayFields.extend({
  location: z.string().trim().min(1).max(200).describe('A town, a quarter or an address.'),
  priceMin: z.number().min(0).max(MAX_PRICE).optional().describe('For one night.'),
  priceMax: z.number().min(0).max(MAX_PRICE).optional().describe('For one night.'),
  currency: Currency.optional().describe(
    'The currency of the prices. A provider that cannot choose answers in its own; priceMin and priceMax are not applied to stays in another currency.',
  ),
})
type Input = z.output<typeof Input>

export const searchAccommodations = defineTool({
  id: 'travel.searchAccommodations',
  title: 'Search for a stay',
  category: 'travel',
  description:
    'Searches stays for dates and guests, with the price of a night and of the whole stay. Nothing is reserved. Book one with travel.bookAccommodation. `estimated: true` means that these stays do not exist and are examples: say so to the person.',
  aliases: ['searchAccommodations'],
  input: Input.refine(hasNights, NO_NIGHTS).refine(
    ({ priceMin, priceMax }) =>
      priceMin === undefined || priceMax === undefined || priceMax >= priceMin,
    { path: ['priceMax'], error: 'must not be less than priceMin' },
  ),
  output: z.object({
    listings: z.array(StayListing).max(MAX_LISTINGS),
    provider: z.string(),
    estimated: z.boolean(),
  }),
  contract: {
    ...travelRead,
    timeout: '20s',
    limits: [{ calls: 10, per: '1m' }],
    // Not shared: what a person has seen is noted, for the approval of a booking.
    cache: '300s',
  },
  ports: { stays: staysPort, notes: searchNotesPort },
  examples: [
    {
      name: 'a week for two',
      input: { location: 'Lisbon', checkin: '2027-05-10', checkout: '2027-05-17', guests: 2 },
    },
    {
      name: 'within a price',
      input: {
        location: 'Porto',
        checkin: '2027-06-01',
        checkout: '2027-06-03',
        priceMin: 60,
        priceMax: 140,
        currency: 'EUR',
      },
    },
  ],
  execute: async (execution) => {
    const { input, caller, ports, signal } = execution
    const context = searchContextOf(caller)
    const found = await ports.stays.search({ ...context, ...input }, signal)
    const listings = found.listings.filter(isWithin(input)).slice(0, MAX_LISTINGS)
    await noteTotals(execution, context, listings)
    return { listings, provider: found.provider, estimated: found.estimated }
  },
})

// A vendor's own filter may be coarse, or count fees in another way.
function isWithin({ priceMin = 0, priceMax = MAX_PRICE, currency: wanted }: Input) {
  return ({ price, currency }: StayListing): boolean =>
    price === undefined ||
    (wanted !== undefined && currency !== wanted) ||
    (price >= priceMin && price <= priceMax)
}

async function noteTotals(
  { input, ports, now, signal }: Execution<Input, { readonly notes: SearchNotesPort }>,
  context: TravelContext,
  listings: readonly StayListing[],
): Promise<void> {
  const day = new Date(now()).toISOString().slice(0, 10)
  const { checkin, checkout, guests } = input
  await Promise.all(
    listings.map(async ({ listingId, totalPrice, currency }) => {
      if (totalPrice === undefined || currency === undefined) return
      const total = { amount: totalPrice.toFixed(2), currency }
      const choice = { ...context, listingId, checkin, checkout, guests }
      await ports.notes.note({ choice, note: { total, day } }, signal)
    }),
  )
}
