// table

/** One rule of document 000 or of its page, with inputs that show whether it holds. */
export type InputRule = {
  readonly tool: string
  readonly rule: string
  /** An input that is accepted as it is. */
  readonly base: Readonly<Record<string, unknown>>
  /** Changes of it that must be accepted, too. */
  readonly accepts?: readonly Readonly<Record<string, unknown>>[]
  readonly refuses?: readonly Readonly<Record<string, unknown>>[]
  /** Fields that are filled in. */
  readonly defaults?: Readonly<Record<string, unknown>>
}

const text = (length: number): string => 'x'.repeat(length)
const QUERY = { query: 'tiles' }
const URL = { url: 'https://example.com/' }
const FLIGHT = { origin: 'BER', destination: 'LIS', departureDate: '2027-05-10' }
const STAY = { location: 'Lisbon', checkin: '2027-05-10', checkout: '2027-05-12' }
const BOOKING = {
  listingId: 'stay_1',
  checkin: '2027-05-10',
  checkout: '2027-05-12',
  sessionId: 'session-1',
}
const PLAN = {
  title: 'Lisbon',
  destinations: ['Lisbon'],
  startDate: '2027-05-10',
  endDate: '2027-05-17',
}
const ONE = { planId: 'plan_1' }
const MEMORY = { content: 'Likes tiles.', sessionId: 'session-1' }

export const INPUT_RULES: readonly InputRule[] = [
  {
    tool: 'travel.webSearch',
    rule: 'query: 2 to 256 characters',
    base: QUERY,
    accepts: [{ query: 'ab' }, { query: text(256) }],
    refuses: [{ query: 'a' }, { query: text(257) }, { query: undefined }, { query: 7 }],
  },
  {
    tool: 'travel.webSearch',
    rule: 'limit: 1 to 10, default 5',
    base: QUERY,
    accepts: [{ limit: 1 }, { limit: 10 }],
    refuses: [{ limit: 0 }, { limit: 11 }, { limit: 2.5 }, { limit: '5' }],
    defaults: { limit: 5 },
  },
  {
    tool: 'travel.webSearch',
    rule: 'fresh: boolean, optional',
    base: QUERY,
    accepts: [{ fresh: true }],
    refuses: [{ fresh: 'yes' }],
    defaults: { fresh: false },
  },
  {
    tool: 'travel.crawlUrl',
    rule: 'url: an http or https address',
    base: URL,
    accepts: [{ url: 'http://example.com/a?b=c' }],
    refuses: [
      { url: 'ftp://example.com' },
      { url: 'file:///etc/passwd' },
      { url: 'example' },
      { url: undefined },
    ],
    defaults: { fresh: false },
  },
  {
    tool: 'travel.crawlSite',
    rule: 'maxPages: 1 to 50',
    base: URL,
    accepts: [{ maxPages: 1 }, { maxPages: 50 }],
    refuses: [{ maxPages: 0 }, { maxPages: 51 }],
    defaults: { maxPages: 10, fresh: false },
  },
  {
    tool: 'travel.weather',
    rule: 'city is required; units: metric or imperial, default metric',
    base: { city: 'Lisbon' },
    accepts: [{ units: 'imperial' }],
    refuses: [{ city: '' }, { city: undefined }, { units: 'kelvin' }],
    defaults: { units: 'metric' },
  },
  {
    tool: 'travel.searchFlights',
    rule: 'origin and destination: IATA codes, and different',
    base: FLIGHT,
    accepts: [{ origin: 'JFK' }],
    refuses: [{ origin: 'Berlin' }, { origin: 'ber' }, { destination: 'BER' }],
  },
  {
    tool: 'travel.searchFlights',
    rule: 'passengers: 1 to 9, default 1',
    base: FLIGHT,
    accepts: [{ passengers: 1 }, { passengers: 9 }],
    refuses: [{ passengers: 0 }, { passengers: 10 }],
    defaults: { passengers: 1 },
  },
  {
    tool: 'travel.searchFlights',
    rule: 'cabin: economy, premium_economy, business or first, default economy',
    base: FLIGHT,
    accepts: [{ cabin: 'premium_economy' }, { cabin: 'business' }, { cabin: 'first' }],
    refuses: [{ cabin: 'coach' }],
    defaults: { cabin: 'economy' },
  },
  {
    tool: 'travel.searchFlights',
    rule: 'currency: ISO 4217, default USD',
    base: FLIGHT,
    accepts: [{ currency: 'EUR' }],
    refuses: [{ currency: 'eur' }, { currency: 'ZZZ' }],
    defaults: { currency: 'USD' },
  },
  {
    tool: 'travel.searchFlights',
    rule: 'returnDate: optional, not before departureDate; days of the calendar',
    base: FLIGHT,
    accepts: [{ returnDate: '2027-05-10' }, { returnDate: '2027-06-01' }],
    refuses: [{ returnDate: '2027-05-09' }, { departureDate: '2027-02-30' }],
  },
  {
    tool: 'travel.geocode',
    rule: 'address is required',
    base: { address: 'Lisbon' },
    refuses: [{ address: '' }, { address: undefined }],
  },
  {
    tool: 'travel.distanceMatrix',
    rule: 'origins and destinations: at least one; units: metric or imperial',
    base: { origins: ['a'], destinations: ['b'] },
    accepts: [{ units: 'imperial' }],
    refuses: [{ origins: [] }, { destinations: [] }, { origins: 'a' }, { units: 'miles' }],
    defaults: { units: 'metric' },
  },
  {
    tool: 'travel.searchAccommodations',
    rule: 'guests: 1 to 16',
    base: STAY,
    accepts: [{ guests: 1 }, { guests: 16 }],
    refuses: [{ guests: 0 }, { guests: 17 }],
    defaults: { guests: 1 },
  },
  {
    tool: 'travel.searchAccommodations',
    rule: 'checkout after checkin',
    base: STAY,
    refuses: [{ checkout: '2027-05-10' }, { checkout: '2027-05-09' }],
  },
  {
    tool: 'travel.searchAccommodations',
    rule: 'priceMax not less than priceMin',
    base: STAY,
    accepts: [{ priceMin: 50, priceMax: 50 }, { priceMin: 50 }, { priceMax: 50 }],
    refuses: [{ priceMin: 51, priceMax: 50 }, { priceMin: -1 }],
  },
  {
    tool: 'travel.bookAccommodation',
    rule: 'listingId, dates and guests as in the search; sessionId: at least 6 characters',
    base: BOOKING,
    accepts: [{ sessionId: '123456' }],
    refuses: [
      { sessionId: '12345' },
      { listingId: '' },
      { checkout: '2027-05-10' },
      { guests: 17 },
    ],
    defaults: { guests: 1 },
  },
  {
    tool: 'travel.addConversationMemory',
    rule: 'content is required; category: one of five, default other',
    base: MEMORY,
    accepts: [
      { category: 'user_preference' },
      { category: 'trip_history' },
      { category: 'search_pattern' },
      { category: 'conversation_context' },
    ],
    refuses: [{ content: '' }, { category: 'secret' }],
    defaults: { category: 'other' },
  },
  {
    tool: 'travel.searchUserMemories',
    rule: 'query is required; limit: 1 to 20',
    base: QUERY,
    accepts: [{ limit: 1 }, { limit: 20 }],
    refuses: [{ limit: 0 }, { limit: 21 }, { query: '' }],
    defaults: { limit: 5 },
  },
  {
    tool: 'travel.lookupPoiContext',
    rule: 'needs destination, query, or lat and lon',
    base: { destination: 'Lisbon' },
    accepts: [
      { destination: undefined, query: 'museums' },
      { destination: undefined, lat: 38.7, lon: -9.1 },
    ],
    refuses: [
      { destination: undefined },
      { destination: undefined, lat: 38.7 },
      { lat: 91, lon: 0 },
    ],
  },
  {
    tool: 'travel.lookupPoiContext',
    rule: 'radiusMeters: default 1000',
    base: { destination: 'Lisbon' },
    accepts: [{ radiusMeters: 50_000 }],
    refuses: [{ radiusMeters: 0 }, { radiusMeters: 50_001 }],
    defaults: { radiusMeters: 1_000 },
  },
  {
    tool: 'travel.createTravelPlan',
    rule: 'destinations: at least one; travelers: 1 to 50; budget may be null',
    base: PLAN,
    accepts: [
      { travelers: 50 },
      { budget: null },
      { budget: 100 },
      { budget: { amount: 1, currency: 'EUR' } },
    ],
    refuses: [{ destinations: [] }, { travelers: 0 }, { travelers: 51 }, { title: '' }],
    defaults: { travelers: 1, budget: null, preferences: {} },
  },
  {
    tool: 'travel.updateTravelPlan',
    rule: 'planId is required; unknown fields are refused',
    base: ONE,
    accepts: [{ travelers: 3 }, { components: { notes: ['a'] } }],
    refuses: [{ userId: 'bob' }, { status: 'finalized' }, { planId: undefined }],
  },
  {
    tool: 'travel.combineSearchResults',
    rule: 'planId is required; flights, accommodations and activities are optional',
    base: ONE,
    accepts: [{ flights: [{ id: 'a' }] }, { accommodations: [] }],
    refuses: [{ planId: undefined }, { flights: 'all' }],
  },
  {
    tool: 'travel.saveTravelPlan',
    rule: 'planId is required',
    base: ONE,
    refuses: [{ planId: undefined }, { planId: '' }],
  },
  {
    tool: 'travel.deleteTravelPlan',
    rule: 'planId is required',
    base: ONE,
    refuses: [{ planId: undefined }, { planId: '' }],
  },
]
