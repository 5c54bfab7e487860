import { describe, expect, test } from 'vitest'
import { extractEvent } from './extract-event.ts'
import { findPrices } from './find-price.ts'
import { readHtml } from './html/read-html.ts'
import { sourceText } from './source-text.ts'
import { findStructuredEvent } from './structured.ts'

const options = { now: Date.parse('2026-11-18T09:00:00Z'), timeZone: 'Europe/Berlin' }

// None of them measures time: with quadratic work each would exceed the time limit of the runner.
describe('a hostile page is read in reasonable time', () => {
  test.each(['<', '<1 ', '</ '])('with many repetitions of %j', (piece) => {
    expect(readHtml(`<h1>Gig</h1>${piece.repeat(120_000)}`).headings).toEqual(['Gig'])
  })

  test('with a description of nothing but <', () => {
    const event = { '@type': 'Event', name: 'Gig', description: '<'.repeat(400_000) }
    expect(findStructuredEvent({ jsonLd: [event], items: [] }, '2026-11-18')).toMatchObject({
      title: 'Gig',
    })
  })

  test('with a title of nothing but blanks', () => {
    const html = `<meta property="og:title" content="Gig${' '.repeat(300_000)}x">`
    expect(
      extractEvent({ page: { url: 'https://events.example.com', html } }, options).event.title,
    ).toBe('Gig x')
  })
})

test.each([
  ['empty lines', '\n'],
  ['blanks', ' '],
  ['dashes', '-'],
  ['letters and dashes', 'a-'],
  ['prices', '€1 '],
  ['lines of prices', '€1\n'],
  ['letters and figures', 'a 1 '],
])('a message of %s is read all the same', (_what, piece) => {
  const text = `Gig on 27 November 2026 at 8pm\n${piece.repeat(20_000)}`
  expect(extractEvent({ text }, options).event.startTime).toBe('2026-11-27T20:00:00+01:00')
})

test('of thousands of prices, and of free entries, the first hundred are read', () => {
  expect(findPrices(sourceText(`Tickets: €12 ${'€1 '.repeat(6_000)}`))).toHaveLength(100)
  expect(findPrices(sourceText('free entry '.repeat(1_800)))).toHaveLength(100)
  expect(findPrices(sourceText(`Tickets: €12 ${'€1 '.repeat(6_000)}`))[0]?.price.amount).toBe(12)
})

test('a page with an empty text is read from its own text', () => {
  const page = { url: 'https://events.example.com', html: '<p>Gig on 27 November 2026 at 8pm</p>' }
  expect(extractEvent({ text: '', page }, options).event.startTime).toBe(
    '2026-11-27T20:00:00+01:00',
  )
})

test.each(['Gig 20 Nov 2026 7pm EST', 'Gig, 20 Nov 2026, 7pm ET', 'Gig 20 Nov 2026 19:00 EST'])(
  '%s has a time',
  (text) => {
    expect(extractEvent({ text }, options)).toMatchObject({
      event: { startTime: '2026-11-20T19:00:00-05:00', timezone: 'America/New_York' },
      zone: 'named',
    })
  },
)
