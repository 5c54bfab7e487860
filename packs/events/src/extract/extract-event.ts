import { dayOf, type Language } from '@surehand/dates'
import type { OcrLine } from '@surehand/reading'
import type { CanonicalEvent } from './canonical-event.ts'
import { chooseTimes, type FoundTimes } from './choose-times.ts'
import {
  type Confidence,
  DOORS_NOTE,
  type EventDraft,
  NO_DATE_NOTE,
  overallConfidence,
} from './draft.ts'
import { eventTimes } from './event-times.ts'
import { type ExtractPage, type PageFacts, readPageFacts } from './page-facts.ts'
import type { PlaceCandidate } from './place-candidates.ts'
import { type Findings, readFindings } from './read-findings.ts'
import { type SourceText, sourceText } from './source-text.ts'

export type ExtractSource = {
  readonly text?: string
  /** The lines of a picture, with their position and size. */
  readonly lines?: readonly OcrLine[]
  readonly page?: ExtractPage
}

export type ExtractOptions = {
  readonly now: number
  readonly timeZone: string
  readonly languages?: readonly Language[]
  /** `US` reads 3/4 as 4 March. */
  readonly region?: string
}

const UNTITLED = 'Untitled Event'
// The confidence that there really is no place or time when none was found. A flyer nearly always
// states both, so that they were probably not read; a message often omits the place.
const NO_PLACE_IN_PICTURE = 0.45
const NO_PLACE_IN_TEXT = 0.7
const NO_TIME_IN_PICTURE = 0.45

/** Reads an event from a text, the lines of a picture or a page, by rules, with confidences. */
export function extractEvent(given: ExtractSource, options: ExtractOptions): EventDraft {
  const today = dayOf(options.now, options.timeZone)
  const page = given.page === undefined ? undefined : readPageFacts(given.page, today)
  const source = sourceText(given.text || page?.text || '', given.lines)
  const found = readFindings(source, options, today)
  const title = chooseTitle(found, page, source)
  const when = chooseTimes(found.picked, page, options)
  const place = choosePlace(found, page, source)
  const price =
    page?.structured?.price === undefined
      ? found.price
      : { price: page.structured.price, confidence: 0.95 }
  const event = toEvent({ title, when, place, given, page, source })
  const confidence = rateConfidence({ title, when, place, price, found, source })
  const notes = writeNotes(confidence, event, found)
  return {
    event,
    confidence,
    ...(price === undefined ? {} : { price: price.price }),
    ...listAlternatives(found, event),
    ...(when.zone === undefined ? {} : { zone: when.zone }),
    provider: 'rules',
    ...(notes.length === 0 ? {} : { notes }),
  }
}

type WithConfidence<T> = { readonly value: T; readonly confidence: number }

function chooseTitle(
  { titles }: Findings,
  page: PageFacts | undefined,
  source: SourceText,
): WithConfidence<string> {
  const [best] = titles
  const structured = page?.structured?.title
  if (structured !== undefined) return { value: structured.slice(0, 500), confidence: 0.96 }
  const [own, other] = page?.titles ?? []
  if (own !== undefined)
    return {
      value: own.slice(0, 500),
      confidence:
        other === undefined || other === own
          ? 0.8
          : other.includes(own) || own.includes(other)
            ? 0.88
            : 0.7,
    }
  return best === undefined
    ? { value: UNTITLED, confidence: 0 }
    : {
        value: best.value.title.slice(0, 500),
        confidence: source.isPicture
          ? pictureConfidence(best, source)
          : toConfidence(best.probability, SURE_TITLE),
      }
}

// Of the titles and places with this probability or more, at least 95 % were right in cases that the
// weights were not fitted on; fit-ranker.ts prints the table.
const SURE_TITLE = 0.95
const SURE_PLACE = 0.94
const MOST_UNSURE = 0.78
/** A title in letters of the usual size. */
const NO_HEADLINE = 0.6

/** OCR loses a line or a letter of a headline without a trace: its title is never sure. */
function pictureConfidence(
  { value: { start }, probability }: Findings['titles'][number],
  { lines }: SourceText,
): number {
  const heights = lines.map(({ height = 0 }) => height).toSorted((one, other) => one - other)
  const usual = heights[Math.floor(heights.length / 2)] ?? 0
  const height = lines.find((line) => start >= line.start && start <= line.end)?.height ?? 0
  const most = height > 1.2 * usual ? MOST_UNSURE : NO_HEADLINE
  return Math.min(most, toConfidence(probability, 1.01))
}

/** A probability of the ranking as a confidence: 0.8 where 95 % are right. */
function toConfidence(probability: number, sure: number): number {
  const confidence =
    probability >= sure
      ? 0.8 + (0.15 * (probability - sure)) / (1 - sure)
      : 0.2 + ((MOST_UNSURE - 0.2) * probability) / sure
  return Math.round(confidence * 100) / 100
}

type Place = NonNullable<CanonicalEvent['location']>

/** A place, or with which confidence there is none. */
function choosePlace(
  { places }: Findings,
  page: PageFacts | undefined,
  source: SourceText,
): WithConfidence<Place | undefined> | undefined {
  const structured = page?.structured?.place
  if (structured !== undefined) {
    const { name, address, coordinates } = structured
    const more = {
      ...(address === undefined ? {} : { address: address.slice(0, 490) }),
      ...(coordinates === undefined ? {} : { coordinates }),
    }
    return { value: { name: name.slice(0, 490), ...more }, confidence: 0.95 }
  }
  const [best] = places
  if (best === undefined) return undefined
  const { name, address } = best.value.name === '' ? best.value : completePlace(best.value, places)
  const confidence = toConfidence(best.probability, SURE_PLACE)
  if (name === '') return { value: undefined, confidence: Math.min(confidence, noPlace(source)) }
  return {
    value: {
      name: name.slice(0, 490),
      ...(address === undefined ? {} : { address: address.slice(0, 490) }),
    },
    confidence,
  }
}

/** The place with all that was found of it: the address of its name, the name of its street. */
function completePlace(best: PlaceCandidate, places: Findings['places']): PlaceCandidate {
  const known = places
    .map(({ value }) => value)
    .filter((one) => one.address !== undefined && !one.manners.has('piece'))
  const named = known.find(({ name, address }) => name !== '' && address?.startsWith(best.name))
  const longer = known.find(
    ({ name, address = '' }) => name === best.name && address.length > (best.address?.length ?? 0),
  )
  return named ?? longer ?? best
}

function noPlace({ isPicture }: SourceText): number {
  return isPicture ? NO_PLACE_IN_PICTURE : NO_PLACE_IN_TEXT
}

type EventParts = {
  readonly title: WithConfidence<string>
  readonly when: FoundTimes
  readonly place: WithConfidence<Place | undefined> | undefined
  readonly given: ExtractSource
  readonly page: PageFacts | undefined
  readonly source: SourceText
}

function toEvent({ title, when, place, given, page, source }: EventParts): CanonicalEvent {
  const imageUrl = page?.structured?.imageUrl ?? page?.imageUrl
  const description = page?.structured?.description
  return {
    title: title.value,
    ...(description === undefined ? {} : { description: description.slice(0, 8_000) }),
    ...when.value,
    ...(place?.value === undefined ? {} : { location: place.value }),
    source:
      given.page !== undefined
        ? 'url'
        : source.isPicture
          ? 'flyer'
          : /^(?:from|von|de|subject|betreff|objet|asunto):/im.test(source.text)
            ? 'email'
            : 'text',
    sourceMetadata: {
      ...(imageUrl === undefined ? {} : { imageUrl: imageUrl.slice(0, 2_000) }),
      ...(given.page === undefined ? {} : { originalUrl: given.page.url.slice(0, 2_000) }),
      ...(given.page === undefined ? { extractedText: source.text.slice(0, 20_000) } : {}),
    },
    ...(when.recurrence === undefined ? {} : { recurrence: [...when.recurrence] }),
  }
}

type ConfidenceInput = Pick<EventParts, 'title' | 'when' | 'place' | 'source'> & {
  readonly price: Findings['price']
  readonly found: Findings
}

function rateConfidence({ title, when, place, price, source }: ConfidenceInput): Confidence {
  const isDayAlone = when.value.startTime.length === 10
  const fields = {
    title: title.confidence,
    date: when.date,
    time: source.isPicture && isDayAlone ? Math.min(when.time, NO_TIME_IN_PICTURE) : when.time,
    place: place?.confidence ?? noPlace(source),
  }
  return {
    ...fields,
    ...(price === undefined ? {} : { price: Math.round(price.confidence * 100) / 100 }),
    ...(when.recurrence === undefined ? {} : { recurrence: when.date }),
    overall: overallConfidence(fields),
  }
}

const UNSURE = 0.6

function writeNotes(
  { title, date, time }: Confidence,
  { startTime, location }: CanonicalEvent,
  { picked }: Findings,
): string[] {
  return [
    ...(date === 0
      ? [NO_DATE_NOTE]
      : date < UNSURE
        ? ['The date is a guess: please check it.']
        : []),
    ...(date > 0 && time < UNSURE && startTime.includes('T')
      ? ['The time is a guess: the source does not say morning or evening.']
      : []),
    ...(title === 0 ? ['No title was found.'] : title < 0.45 ? ['The title is a guess.'] : []),
    ...(location === undefined ? ['No place was found.'] : []),
    ...(picked?.when.doors === undefined ? [] : [`${DOORS_NOTE} ${picked.when.doors}.`]),
  ]
}

function listAlternatives(
  { titles, places, picked }: Findings,
  event: CanonicalEvent,
): { alternatives?: NonNullable<EventDraft['alternatives']> } {
  const others = {
    titles: distinct(
      titles.map(({ value }) => value.title.slice(0, 500)),
      event.title,
    ),
    starts: distinct(
      picked?.others
        .filter(({ aside }) => aside === undefined)
        .map((when) => eventTimes(when).startTime) ?? [],
      event.startTime,
    ),
    places: distinct(
      places.flatMap(({ value }) => (value.name === '' ? [] : [value.name.slice(0, 500)])),
      event.location?.name,
    ),
  }
  const alternatives = {
    ...(others.titles.length === 0 ? {} : { titles: others.titles }),
    ...(others.starts.length === 0 ? {} : { starts: others.starts }),
    ...(others.places.length === 0 ? {} : { places: others.places }),
  }
  return Object.keys(alternatives).length === 0 ? {} : { alternatives }
}

function distinct(values: readonly string[], own: string | undefined): string[] {
  return [...new Set(values)].filter((value) => value !== own).slice(0, 3)
}
