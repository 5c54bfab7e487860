import { dayOf } from '@surehand/dates'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CanonicalEvent } from './canonical-event.ts'
import { EventDraft } from './draft.ts'
import { extractEvent } from './extract-event.ts'
import { flyer } from './fixtures/flyer.ts'
import { MESSAGES } from './fixtures/sentences.ts'

const options = { now: Date.parse('2026-11-18T09:00:00Z'), timeZone: 'Europe/Berlin' }
const read = (text: string) => extractEvent({ text }, options)

describe('a message', () => {
  test.each(MESSAGES)('%s', (text, title, start, place) => {
    const { event } = read(text)
    const where = [event.location?.name, event.location?.address].join(', ')
    expect([event.title, event.startTime.slice(0, start.length)]).toEqual([title, start])
    if (place === undefined) expect(event.location).toBeUndefined()
    else expect(where).toContain(place)
  })

  test('gives every field a confidence, and matches the schema', () => {
    const draft = read('Concert de jazz au Petit Théâtre vendredi 27 novembre à 20h30, 15 €')
    expect(EventDraft.parse(draft)).toEqual(draft)
    expect(draft).toMatchObject({
      price: { amount: 15, currency: 'EUR' },
      provider: 'rules',
      event: { source: 'text', timezone: 'Europe/Berlin' },
    })
    expect(
      Math.min(draft.confidence.date, draft.confidence.time, draft.confidence.place),
    ).toBeGreaterThan(0.85)
  })

  test('without an event says so, with confidence 0', () => {
    const draft = read('12345 67890')
    expect(draft).toMatchObject({
      event: { title: 'Untitled Event' },
      confidence: { title: 0, date: 0, time: 0, overall: 0 },
    })
    expect(draft.notes?.[0]).toContain('No date was found')
  })
})

describe('defaults', () => {
  test('without an end it takes an hour', () => {
    expect(read('Call with Bob on 3 December at 15:00').event).toMatchObject({
      startTime: '2026-12-03T15:00:00+01:00',
      endTime: '2026-12-03T16:00:00+01:00',
    })
  })

  test('without a time it takes the whole day', () => {
    expect(read('Street fair on 3 December').event).toMatchObject({
      startTime: '2026-12-03',
      endTime: '2026-12-04',
    })
  })

  test('an hour stays an hour across a clock change', () => {
    expect(read('Night run on 28 March 2027 at 01:30').event).toMatchObject({
      startTime: '2027-03-28T01:30:00+01:00',
      endTime: '2027-03-28T03:30:00+02:00',
    })
  })
})

describe('a flyer', () => {
  test('has the largest text as its title, over several lines, and not the presenter', () => {
    const lines = flyer(
      [14, 'Kulturverein Nord presents'],
      [60, 'MIDNIGHT'],
      [58, 'ORCHESTRA'],
      [26, 'Saturday 5 December 2026'],
      [26, 'Doors 7pm · Show 8pm'],
      [22, 'Old Mill Theatre'],
      [16, '12 King Street, London'],
      [14, 'Tickets £15 · on sale from 20 November'],
      [12, 'www.midnight-orchestra.example.com  Tel 020 7946 0018'],
    )
    const draft = extractEvent({ lines }, options)
    expect(draft).toMatchObject({
      event: {
        title: 'MIDNIGHT ORCHESTRA',
        startTime: '2026-12-05T20:00:00+01:00',
        location: { name: 'Old Mill Theatre', address: '12 King Street, London' },
        source: 'flyer',
      },
      price: { amount: 15, currency: 'GBP' },
    })
    expect(draft.confidence.title).toBeGreaterThan(0.7)
  })

  test('in German, with labels and noise', () => {
    const lines = flyer(
      [50, 'Herbstkonzert'],
      [20, 'des Musikvereins Lindau'],
      [24, 'Samstag, 12. Dezember'],
      [20, 'Einlass 18.30 Uhr – Beginn 19.30 Uhr'],
      [20, 'Stadthalle Lindau'],
      [16, 'Seestraße 4, 88131 Lindau'],
      [14, 'Eintritt: 12 € / ermäßigt 8 €'],
      [12, 'Vorverkauf ab 1. Dezember: Buchhandlung Kern, Mo–Fr 9–18 Uhr'],
    )
    expect(extractEvent({ lines }, options)).toMatchObject({
      event: {
        title: 'Herbstkonzert des Musikvereins Lindau',
        startTime: '2026-12-12T19:30:00+01:00',
        location: { name: 'Stadthalle Lindau', address: 'Seestraße 4, 88131 Lindau' },
      },
    })
  })

  test('without a headline has a lower confidence in its title', () => {
    const even = flyer(
      [20, 'Open studio'],
      [20, 'Saturday 5 December'],
      [20, 'Gallery North'],
      [20, 'Live music'],
    )
    const headed = flyer(
      [60, 'Open studio'],
      [20, 'Saturday 5 December'],
      [20, 'Gallery North'],
      [20, 'Live music'],
    )
    const [unsure, sure] = [even, headed].map(
      (lines) => extractEvent({ lines }, options).confidence.title,
    )
    expect(sure).toBeGreaterThan((unsure ?? 1) + 0.1)
  })

  test('has its venue as place, not where its tickets are sold', () => {
    const lines = flyer(
      [47, 'NACHT DER LIEDER'],
      [26, 'FREITAG 4. DEZEMBER'],
      [26, '20 UHR'],
      [26, 'KULTURZENTRUM LINSE'],
      [15, 'VVK AB 20.11. IM BUCHLADEN'],
    )
    expect(extractEvent({ lines }, options).event).toMatchObject({
      startTime: '2026-12-04T20:00:00+01:00',
      location: { name: 'KULTURZENTRUM LINSE' },
    })
  })

  test('with a place in its title keeps the title', () => {
    const lines = flyer(
      [60, 'JAZZ IM PARK'],
      [24, 'SAMSTAG, 5. DEZEMBER'],
      [24, '19 UHR'],
      [20, 'STADTHALLE LINDAU'],
    )
    expect(extractEvent({ lines }, options).event).toMatchObject({
      title: 'JAZZ IM PARK',
      location: { name: 'STADTHALLE LINDAU' },
    })
  })

  test('with its date as a block is read although other text runs through it', () => {
    const at = (x: number, y: number, height: number, text: string) => ({
      text,
      confidence: 0.9,
      letterHeight: height,
      box: { x, y, width: text.length * height * 0.7, height },
    })
    const lines = [
      at(62, 94, 30, 'SAT'),
      at(330, 119, 49, 'Winter Jazz'),
      at(69, 171, 50, '1 2 Session'),
      at(64, 310, 26, 'DEC Doors 7pm, start 8pm'),
      at(330, 359, 23, 'The Old Brewery'),
      at(330, 398, 20, '4 Mill Lane, York'),
    ]
    expect(extractEvent({ lines }, options).event).toMatchObject({
      title: 'Winter Jazz Session',
      startTime: '2026-12-12T20:00:00+01:00',
      location: { name: 'The Old Brewery' },
    })
  })

  test('with a number above a word that only starts like a month keeps both', () => {
    const lines = flyer(
      [30, '12 King Street Runners'],
      [50, 'Marathon Breakfast'],
      [24, 'Saturday 5 December'],
    )
    expect(extractEvent({ lines }, options).event).toMatchObject({
      title: 'Marathon Breakfast',
      startTime: '2026-12-05',
    })
  })

  test('with two columns has its place next to its date', () => {
    const lines = flyer(
      [52, 'Harvest Supper'],
      [19, 'WHEN WHERE'],
      [23, "Sunday 6 December St. Mary's Church Hall"],
      [23, '5:30 pm 3 Church Road, Bath'],
      [19, 'TICKETS'],
    )
    expect(extractEvent({ lines }, options).event).toMatchObject({
      title: 'Harvest Supper',
      startTime: '2026-12-06T17:30:00+01:00',
      location: { name: "St. Mary's Church Hall", address: '3 Church Road, Bath' },
    })
  })

  test('with zeros that were read as letters has zeros', () => {
    expect(
      extractEvent(
        { lines: flyer([50, 'Ball'], [20, '5. Dezember 2O26'], [20, '2O:3O Uhr']) },
        options,
      ).event.startTime,
    ).toBe('2026-12-05T20:30:00+01:00')
  })
})

const page = (html: string) =>
  extractEvent({ page: { url: 'https://events.example.com/1', html } }, options)

describe('a page', () => {
  test('with JSON-LD is read from there, whatever its text says', () => {
    const ld = {
      '@context': 'https://schema.org',
      '@graph': [
        { '@type': 'WebSite', name: 'Events' },
        {
          '@type': ['MusicEvent'],
          name: 'Jazz im Hof',
          startDate: '2026-12-05T20:00:00+01:00',
          endDate: '2026-12-05T23:00:00+01:00',
          location: {
            '@type': 'Place',
            name: 'Kulturhof',
            address: {
              streetAddress: 'Am Markt 3',
              postalCode: '04109',
              addressLocality: 'Leipzig',
            },
            geo: { latitude: 51.34, longitude: 12.37 },
          },
          offers: { price: '18.50', priceCurrency: 'EUR' },
          image: ['https://events.example.com/jazz.jpg'],
        },
      ],
    }
    const draft = page(
      `<html><head><title>Events | Home</title><script type="application/ld+json">${JSON.stringify(ld)}</script></head><body><p>Published 1 December</p></body></html>`,
    )
    expect(draft).toMatchObject({
      event: {
        title: 'Jazz im Hof',
        startTime: '2026-12-05T20:00:00+01:00',
        endTime: '2026-12-05T23:00:00+01:00',
        timezone: 'Europe/Berlin',
        location: {
          name: 'Kulturhof',
          address: 'Am Markt 3, 04109 Leipzig',
          coordinates: { lat: 51.34, lng: 12.37 },
        },
        source: 'url',
        sourceMetadata: {
          originalUrl: 'https://events.example.com/1',
          imageUrl: 'https://events.example.com/jazz.jpg',
        },
      },
      price: { amount: 18.5, currency: 'EUR' },
    })
    expect(draft.confidence.overall).toBeGreaterThan(0.9)
  })

  test('with microdata', () => {
    const html = `<div itemscope itemtype="https://schema.org/Event"><h1 itemprop="name">Fête de la <b>Musique</b></h1>
      <time itemprop="startDate" datetime="2027-06-21T18:00">21 juin</time>
      <span itemprop="location" itemscope itemtype="https://schema.org/Place"><span itemprop="name">Place Bellecour</span>, <span itemprop="address">Lyon</span></span></div>`
    expect(page(html)).toMatchObject({
      event: {
        title: 'Fête de la Musique',
        startTime: '2027-06-21T18:00:00+02:00',
        location: { name: 'Place Bellecour', address: 'Lyon' },
      },
    })
  })

  test('with only Open Graph has its title from there, without the site, and the rest from the text', () => {
    const html = `<head><meta property="og:title" content="Winter Book Fair | Townsite"><meta property="og:site_name" content="Townsite">
      <meta property="og:description" content="Join us on Saturday 5 December 2026 from 10am to 4pm."></head>
      <body><nav><a>Home</a> 1 January 2020</nav><h1>Winter Book Fair</h1><p>Saturday 5 December 2026, 10am &ndash; 4pm</p><p>Where: Riverside Library</p><footer>&copy; 2024</footer></body>`
    expect(page(html)).toMatchObject({
      event: {
        title: 'Winter Book Fair',
        startTime: '2026-12-05T10:00:00+01:00',
        endTime: '2026-12-05T16:00:00+01:00',
        location: { name: 'Riverside Library' },
      },
    })
  })

  test('a time with another offset stays in that offset; UTC is converted to the given zone', () => {
    const ld = (startDate: string) =>
      page(
        `<script type="application/ld+json">${JSON.stringify({ '@type': 'Event', name: 'X', startDate })}</script>`,
      ).event
    expect(ld('2026-12-05T20:00:00-08:00')).toMatchObject({
      startTime: '2026-12-05T20:00:00-08:00',
      timezone: 'Etc/GMT+8',
    })
    expect(ld('2026-12-05T19:00:00Z')).toMatchObject({
      startTime: '2026-12-05T20:00:00+01:00',
      timezone: 'Europe/Berlin',
    })
    expect(ld('2026-12-05')).toMatchObject({ startTime: '2026-12-05', endTime: '2026-12-06' })
  })

  test('broken or hostile markup is read as far as possible', () => {
    const broken = [
      '<script type="application/ld+json">{"@type": "Event", </script><h1>Fair</h1>5 December',
      '<h1>Fair<p>5 December<div',
      `${'<div itemscope itemprop=a>'.repeat(3_000)}<h1>Fair</h1> 5 December`,
      '<!-- <h1>No</h1>',
      `<h1 ${'a=b '.repeat(5_000)}>Fair</h1>5 December`,
    ]
    for (const html of broken) expect(CanonicalEvent.safeParse(page(html).event).success).toBe(true)
    expect(page(broken[0] ?? '').event).toMatchObject({ title: 'Fair', startTime: '2026-12-05' })
  })
})

test('an all-day event is on the same date in every time zone', () => {
  const zone = fc.constantFrom(...Intl.supportedValuesOf('timeZone'))
  const moment = fc
    .date({
      min: new Date('2025-01-01T00:00:00Z'),
      max: new Date('2029-12-31T00:00:00Z'),
      noInvalidDate: true,
    })
    .map((date) => date.getTime())
  fc.assert(
    fc.property(zone, moment, fc.integer({ min: 1, max: 28 }), (timeZone, now, day) => {
      const start = `2030-03-${String(day).padStart(2, '0')}`
      const ld = JSON.stringify({ '@type': 'Event', name: 'X', startDate: start })
      const sources = [
        { text: `Fair on ${day} March 2030` },
        {
          page: {
            url: 'https://a.example.com/',
            html: `<script type="application/ld+json">${ld}</script>`,
          },
        },
      ]
      for (const source of sources)
        expect(extractEvent(source, { now, timeZone }).event).toMatchObject({
          startTime: start,
          timezone: timeZone,
        })
      expect(
        extractEvent({ text: 'Fair tomorrow' }, { now, timeZone }).event.startTime >
          dayOf(now, timeZone),
      ).toBe(true)
    }),
  )
})
