import type { IndexedText } from '@surehand/core/ports'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { miniSearchIndex, splitWords } from './text-index.ts'

const boosts = { id: 4, title: 3, description: 1 }

function tool(id: string, title: string, description = ''): IndexedText {
  return { id, fields: { id, title, description } }
}

function catalogue(...texts: readonly IndexedText[]): (query: string) => readonly string[] {
  const index = miniSearchIndex()
  for (const text of texts) index.put(text)
  return (query) => index.search(query, boosts).map(({ id }) => id)
}

describe('words', () => {
  test.each([
    ['booking.bookSlot', ['booking.bookslot', 'booking', 'bookslot', 'book', 'slot']],
    ['habit_create', ['habit_create', 'habit', 'create']],
    ['site__addToCart', ['site__addtocart', 'site', 'addtocart', 'add', 'to', 'cart']],
    ['parseHTTPResponse2', ['parsehttpresponse2', 'parse', 'http', 'response', '2']],
    ['repos/{owner}/issues', ['repos', 'owner', 'issues']],
    ['Book a slot. Charges the customer!', ['book', 'a', 'slot', 'charges', 'the', 'customer']],
    ['Café in München', ['cafe', 'in', 'munchen']],
    ['ＦＵＬＬ ﬁne', ['full', 'fine']],
    ['会議室を予約', ['会議', '議室', '室を', 'を予', '予約']],
    ['', []],
    ['--- …', []],
  ])('of %s', (text, words) => expect(splitWords(text)).toEqual(words))
})

describe('search', () => {
  const find = catalogue(
    tool(
      'booking.bookSlot',
      'Book a slot',
      'Book a held slot for good. Charges the customer when the slot has a price.',
    ),
    tool('booking.cancel', 'Cancel a booking', 'Give a booked slot back.'),
    tool('shop.addToCart', 'Add to cart', 'Put a product into the cart.'),
    tool('habit.create', 'Create habit', 'Create a new habit with specified parameters'),
    tool('travel.findFlights', 'Find flights', 'Search for flights between two cities.'),
  )

  test('finds an id as a whole, by parts and by words', () => {
    for (const query of [
      'booking.bookSlot',
      'bookSlot',
      'book slot',
      'BOOK_SLOT',
      'slot book',
      'I want to book the slot',
    ])
      expect(find(query)[0], query).toBe('booking.bookSlot')
    expect(find('add_to_cart')[0]).toBe('shop.addToCart')
  })

  test('finds prefixes, misspellings and plurals', () => {
    expect(find('fli')).toEqual(['travel.findFlights'])
    expect(find('flihgt')).toContain('travel.findFlights')
    expect(find('habits')).toEqual(['habit.create'])
    expect(find('cancle booking')[0]).toBe('booking.cancel')
  })

  test('an exact word also finds longer ones where it finds little', () => {
    expect(find('book')).toEqual(expect.arrayContaining(['booking.bookSlot', 'booking.cancel']))
  })

  test('boosts decide between fields', () => {
    const index = miniSearchIndex()
    index.put({ id: 'one', fields: { title: 'invoice', description: 'other' } })
    index.put({ id: 'two', fields: { title: 'other', description: 'invoice' } })
    const best = (given: Record<string, number>) => index.search('invoice', given)[0]?.id
    expect([best({ title: 5 }), best({ description: 5 })]).toEqual(['one', 'two'])
  })

  test('a query of stop words alone is searched, and an empty one finds nothing', () => {
    expect(find('to')).toContain('shop.addToCart')
    expect([find(''), find('   '), find('…')]).toEqual([[], [], []])
  })

  test('a long query is cut', () => {
    find('slot booking cancel flights '.repeat(100_000))
    expect(find('x'.repeat(1_000_000))).toEqual([])
  })

  test('names of Object.prototype are words and fields like others', () => {
    const index = miniSearchIndex()
    index.put({ id: '__proto__', fields: { constructor: 'toString', id: 'hasOwnProperty' } })
    expect(index.search('toString', {}).map(({ id }) => id)).toEqual(['__proto__'])
    expect(index.search('hasOwnProperty', { constructor: 2 }).map(({ id }) => id)).toEqual([
      '__proto__',
    ])
    expect(index.search('valueOf', {})).toEqual([])
  })
})

describe('changes', () => {
  test('a text with the same id replaces the old one', () => {
    const index = miniSearchIndex()
    index.put(tool('a', 'apple'))
    expect(index.search('apple', boosts)).toHaveLength(1)
    index.put(tool('a', 'banana'))
    expect([index.search('apple', boosts), index.search('banana', boosts)]).toEqual([
      [],
      [expect.objectContaining({ id: 'a' })],
    ])
  })

  test('a removed text is not found, and can be added again', () => {
    const index = miniSearchIndex()
    index.put(tool('a', 'apple'))
    index.search('apple', boosts)
    index.remove('a')
    index.remove('never there')
    expect(index.search('apple', boosts)).toEqual([])
    index.put(tool('a', 'apple'))
    expect(index.search('apple', boosts)).toHaveLength(1)
  })

  test('a field that is added later is searched too', () => {
    const index = miniSearchIndex()
    index.put(tool('a', 'apple'))
    index.search('apple', boosts)
    index.put({ id: 'b', fields: { keywords: 'pear' } })
    expect(
      [index.search('pear', {}), index.search('apple', {})].flat().map(({ id }) => id),
    ).toEqual(['b', 'a'])
  })

  test('after any changes it finds what a new index would find', () => {
    const names = ['red apple', 'green apple', 'red pear', 'ripe plum', 'apple tree']
    const change = fc.record({
      id: fc.constantFrom('a', 'b', 'c'),
      title: fc.option(fc.constantFrom(...names)),
      search: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(change, { maxLength: 20 }), (changes) => {
        const index = miniSearchIndex()
        const left = new Map<string, string>()
        for (const { id, title, search } of changes) {
          if (title === null) index.remove(id)
          else index.put(tool(id, title))
          if (title === null) left.delete(id)
          else left.set(id, title)
          if (search) index.search('apple', boosts)
        }
        for (const query of ['apple', 'red', 'plum', 'tre']) {
          const fresh = catalogue(...[...left].map(([id, title]) => tool(id, title)))(query)
          expect(
            index
              .search(query, boosts)
              .map(({ id }) => id)
              .toSorted(),
          ).toEqual(fresh.toSorted())
        }
      }),
      { numRuns: 100 },
    )
  })
})

test('finds the right ones of ten thousand tools without blocking', () => {
  const verbs =
    'create get list update delete search archive send approve assign cancel schedule export import share refund verify upload move lock'.split(
      ' ',
    )
  const nouns =
    'Issue Invoice Customer Message Channel Order Product Ticket Page Contact Deal Event Meeting File Folder Project Task Board Payment Report Slot Room Guest Flight Hotel'.split(
      ' ',
    )
  const vendors =
    'github stripe slack shopify jira notion hubspot zendesk twilio linear asana trello dropbox zoom calendar billing travel events booking fleet'.split(
      ' ',
    )
  const index = miniSearchIndex()
  for (let number = 0; number < 10_000; number++) {
    const vendor = vendors[number % 20]
    const verb = verbs[Math.floor(number / 20) % 20]
    const noun = nouns[Math.floor(number / 400) % 25]
    const others = [3, 7, 11, 13, 17]
      .map((step) => nouns[(number * step) % 25]?.toLowerCase())
      .join(' with the ')
    index.put(
      tool(
        `${vendor}.${verb}${noun}`,
        `${verb} ${noun}`,
        `${verb} one ${noun} in ${vendor}, number ${number}. Needs ${others} of the workspace.`,
      ),
    )
  }
  index.search('warm up', boosts)
  const queries = vendors.flatMap((vendor, at) => [
    `${verbs[at]} ${nouns[at]}`,
    `${vendor} ${verbs[at]} ${nouns[at]}`,
    `${vendor}.${verbs[at]}${nouns[at]}`,
    `${nouns[at]}`.slice(0, 4),
    `${vendor}x`,
  ])
  const times = queries.map((query) => {
    const before = process.threadCpuUsage()
    index.search(query, boosts)
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1_000
  })
  expect(index.search('stripe refund Payment', boosts)[0]?.id).toBe('stripe.refundPayment')
  expect(index.search('stripe.refundPayment', boosts)[0]?.id).toBe('stripe.refundPayment')
  // Time of this thread: 2 ms on a fast machine; the rest is for slow ones.
  expect(times.toSorted((left, right) => left - right)[Math.floor(times.length / 2)]).toBeLessThan(
    60,
  )
})
