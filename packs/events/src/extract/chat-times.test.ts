import { describe, expect, test } from 'vitest'
import { extractEvent } from './extract-event.ts'

const options = { now: Date.parse('2026-11-18T09:00:00Z'), timeZone: 'Europe/Berlin' }

const startOf = (text: string) => extractEvent({ text }, options).event.startTime.slice(0, 16)

describe('the time of a chat', () => {
  test.each([
    [
      'that was agreed on last',
      'Leo: partido el domingo?\nSantos: sí, a las 11 en el poli\nLeo: mejor 11:30\nSantos: vale',
      '2026-11-22T11:30',
    ],
    [
      'that stands in another message than the date',
      'Ollie: anyone up for climbing on Saturday?\nFreya: what time\nOllie: 11:15 at the Depot\nFreya: count me in',
      '2026-11-21T11:15',
    ],
    [
      'that is not the arrival of one of them',
      'Ana: cena el viernes a las 21:00 en Casa Pepe\nBeto: yo llego 21:30\nAna: vale',
      '2026-11-20T21:00',
    ],
    [
      'that is not far from what was said, as something else is',
      'Tom: dinner on Friday at 7pm at the Crown\nJo: yes!\nTom: shop shuts 12:00 so buy wine before',
      '2026-11-20T19:00',
    ],
  ])('is the one %s', (_, text, expected) => {
    expect(startOf(text)).toBe(expected)
  })
})
