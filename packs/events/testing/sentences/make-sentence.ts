import type { SeededRandom } from '@surehand/testing'
import type { Facts } from '../facts.ts'
import type { Answer, Language, Place } from '../generated-case.ts'
import { NAMES, type Occasion } from '../names/names.ts'
import { german } from './de.ts'
import { english } from './en.ts'
import { spanish } from './es.ts'
import { french } from './fr.ts'
import type { Frame, Moment, Phrase, PhraseWhen, SentenceTemplates } from './sentence.ts'

/** The language whose sentences are not shown to the developers of the extractor. */
export const HELD_OUT_LANGUAGE: Language = 'es'

const TEMPLATES: Readonly<Record<Language, SentenceTemplates>> = {
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

/** A message about the facts; `index` selects the phrase for the time. */
export function makeSentence(random: SeededRandom, facts: Facts, index: number): Sentence {
  const speech = TEMPLATES[facts.language]
  const frame = random.pick(speech.frames)
  const occasion =
    frame.about === 'personal' ? random.pick(NAMES[facts.language].personal) : facts.occasion
  const when = choosePhrase({ phrases: speech.whens, frame, occasion }, index, {
    random,
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
  const place = shownPlace(frame, facts)
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

type PhraseOptions = {
  readonly phrases: readonly PhraseWhen[]
  readonly frame: Frame
  readonly occasion: Occasion
}

/**
 * The phrase at this index, or the next one that fits: a dinner does not take three days, and a
 * birthday does not repeat every Tuesday.
 */
function choosePhrase(
  { phrases, frame, occasion }: PhraseOptions,
  index: number,
  moment: Moment,
): Phrase {
  for (let step = 0; step < phrases.length; step++) {
    const found = phrases[(index + step) % phrases.length]?.(moment)
    if (!found || (found.meaning.isAllDay && frame.about === 'personal')) continue
    if (!(found.meaning.recurrence && occasion.happensOnce)) return found
  }
  throw new Error('No phrase fits.')
}

function shownPlace({ shows }: Frame, { venue, address }: Facts): Place | undefined {
  if (shows === 'no place') return undefined
  return shows === 'address' ? { name: venue.name, address } : { name: venue.name }
}
