import type { SeededRandom } from '@surehand/testing'
import type { Facts } from '../facts.ts'
import type { Answer, Language, Place } from '../made-case.ts'
import { NAMES, type Occasion } from '../names/names.ts'
import { german } from './de.ts'
import { english } from './en.ts'
import { spanish } from './es.ts'
import { french } from './fr.ts'
import type { Frame, Moment, Said, SayWhen, Speech } from './sentence.ts'

/** The language whose sentences nobody who builds the extractor is shown. */
export const HELD_OUT_LANGUAGE: Language = 'es'

const SPEECHES: Readonly<Record<Language, Speech>> = {
  en: english,
  de: german,
  fr: french,
  es: spanish,
}

export type Sentence = {
  readonly layout: Frame['layout']
  readonly text: string
  readonly answer: Answer
}

/** Something somebody writes to somebody; `index` walks through the ways of saying when. */
export function makeSentence(chance: SeededRandom, facts: Facts, index: number): Sentence {
  const speech = SPEECHES[facts.language]
  const frame = chance.pick(speech.frames)
  const occasion =
    frame.about === 'personal' ? chance.pick(NAMES[facts.language].personal) : facts.occasion
  const when = sayWhen({ ways: speech.whens, frame, occasion }, index, {
    chance,
    today: facts.today,
    hours: occasion.hours,
    region: facts.home.region,
  })
  const price = frame.showsPrice && facts.price ? facts.price : undefined
  const text = frame
    .say({
      title: occasion.title,
      to: occasion.to,
      when: when.words,
      at: facts.venue.at,
      venue: facts.venue.name,
      address: facts.address,
      price: price ? speech.price(price) : '',
    })
    .trim()
  const place = placeOf(frame, facts)
  return {
    layout: frame.layout,
    text,
    answer: {
      title: occasion.title,
      ...(occasion.also && { otherTitles: occasion.also }),
      ...when.meaning,
      ...(place && { place }),
      ...(price && { price }),
      timeZone: facts.home.timeZone,
    },
  }
}

type Manner = {
  readonly ways: readonly SayWhen[]
  readonly frame: Frame
  readonly occasion: Occasion
}

/**
 * The way at this index, or the next one that fits the moment; nobody has dinner with Ana for three
 * days, or a birthday every Tuesday.
 */
function sayWhen({ ways, frame, occasion }: Manner, index: number, moment: Moment): Said {
  for (let step = 0; step < ways.length; step++) {
    const found = ways[(index + step) % ways.length]?.(moment)
    if (!found || (found.meaning.isAllDay && frame.about === 'personal')) continue
    if (!(found.meaning.recurrence && occasion.happensOnce)) return found
  }
  throw new Error('No way of saying when fits.')
}

function placeOf({ shows }: Frame, { venue, address }: Facts): Place | undefined {
  if (shows === 'no place') return undefined
  return shows === 'address' ? { name: venue.name, address } : { name: venue.name }
}
