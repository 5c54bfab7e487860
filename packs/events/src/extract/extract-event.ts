import { dayOf, type Language, readWhen, type When } from '@surehand/dates'
import type { OcrLine } from '@surehand/reading'
import type { CanonicalEvent } from './canonical-event.ts'
import { type Confidence, type EventDraft, overallConfidence, type Price } from './draft.ts'
import {
  type EventTimes,
  eventTimes,
  type Moment,
  parseMoment,
  parseMomentIn,
} from './event-times.ts'
import { findPlaces } from './find-place.ts'
import { findPrices } from './find-price.ts'
import { findTitles } from './find-title.ts'
import { findNoise } from './noise.ts'
import { type ExtractPage, type PageFacts, readPageFacts } from './page-facts.ts'
import { type PickedWhen, pickWhen } from './pick-when.ts'
import type { FoundPlace } from './place-words.ts'
import { overlaps, type SourceText, type Span, sourceText } from './source-text.ts'
import type { FoundTitle } from './title-sentences.ts'

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
  const found = readSource(source, options, today)
  const title = chooseTitle(found, page, source)
  const when = chooseTimes(found, page, options)
  const place = choosePlace(found, page)
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

type Findings = {
  readonly picked: PickedWhen | undefined
  readonly titles: readonly FoundTitle[]
  readonly places: readonly FoundPlace[]
  readonly price: { readonly price: Price; readonly confidence: number } | undefined
}

function readSource(source: SourceText, options: ExtractOptions, today: string): Findings {
  const whens = readWhen(source.text, options)
  const prices = findPrices(source)
  const taken = [...whens.flatMap(({ spans }) => spans), ...prices, ...findNoise(source)]
  const picked = pickWhen(whens, source, today)
  const when = picked?.when.spans ?? []
  const named = findTitles(source, { taken }).filter(({ isWhole }) => isWhole)
  const candidates = findPlaces(source, [...taken, ...named])
  const strong = confidentPlaces(candidates, source, taken)
  const titles = findTitles(source, { taken, places: strong, when })
  const best = titles[0]
  const places = candidates.filter(
    (place) => strong.includes(place) || best === undefined || !overlaps(place, best),
  )
  return { picked, titles, places, price: prices[0] }
}

/** The places whose words cannot be part of a title. */
function confidentPlaces(
  places: readonly FoundPlace[],
  source: SourceText,
  taken: readonly Span[],
): readonly FoundPlace[] {
  const strong = places.filter(
    ({ confidence, manner }, index) =>
      confidence >= 0.8 || (index === 0 && manner === 'words' && confidence >= 0.5),
  )
  if (source.lines.length < 3) return strong
  // "Jazz im Park" in large letters is a title although it names a place.
  const [headline] = findTitles(source, {
    taken,
    places: strong.filter(({ manner }) => manner !== 'words'),
  })
  return strong.filter(
    (place) => place.manner !== 'words' || headline === undefined || !overlaps(place, headline),
  )
}

type WithConfidence<T> = { readonly value: T; readonly confidence: number }

function chooseTitle(
  { titles }: Findings,
  page: PageFacts | undefined,
  { isPicture }: SourceText,
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
    : { value: best.title.slice(0, 500), confidence: calibrateTitle(best, isPicture) }
}

// Of the development cases, at least 95 % of the titles that were found in this manner with this
// weight were right; below it 60 to 90 %, and for the others there is no such weight.
const SURE_FROM: Readonly<Partial<Record<FoundTitle['manner'], number>>> = {
  label: 0.9,
  teams: 0.9,
  line: 0.85,
  sentence: 0.86,
}
const MOST_UNSURE = 0.78

/** OCR loses a line or a letter of a headline without a trace: its title is never sure. */
function calibrateTitle({ confidence, manner }: FoundTitle, isPicture: boolean): number {
  const isSure = !isPicture && confidence >= (SURE_FROM[manner] ?? 1)
  return isSure ? confidence : Math.min(confidence, MOST_UNSURE)
}

type FoundTimes = {
  readonly value: EventTimes
  readonly zone?: 'named'
  readonly date: number
  readonly time: number
  readonly recurrence?: readonly string[]
}

function chooseTimes(
  { picked }: Findings,
  page: PageFacts | undefined,
  options: ExtractOptions,
): FoundTimes {
  const structured =
    page?.structured?.start === undefined
      ? undefined
      : parseMoment(page.structured.start, options.timeZone)
  if (structured !== undefined) return pageTimes(structured, page?.structured?.end)
  const marked = page?.moments
    .map((text) => parseMoment(text, options.timeZone))
    .find((moment) => moment !== undefined)
  if (
    marked !== undefined &&
    (picked === undefined || picked.when.day === marked.day || picked.date < 0.6)
  ) {
    const time = marked.time ?? (picked?.when.day === marked.day ? picked.when.time : undefined)
    const same = picked?.when.day === marked.day ? picked.when : undefined
    const when = { ...marked, ...(time === undefined ? {} : { time }), ...withEnd(same) }
    const zone = marked.time === undefined ? same : marked
    return {
      value: eventTimes({ ...when, timeZone: (zone ?? marked).timeZone }),
      ...withZone(zone),
      date: 0.92,
      time: marked.time === undefined ? 0.7 : 0.92,
    }
  }
  if (picked === undefined)
    return {
      value: eventTimes({ day: dayOf(options.now, options.timeZone), timeZone: options.timeZone }),
      date: 0,
      time: 0,
    }
  const recurrence = recurrenceLines(picked.when)
  return {
    value: eventTimes(picked.when),
    ...withZone(picked.when),
    date: picked.date,
    time: picked.time,
    ...(recurrence === undefined ? {} : { recurrence }),
  }
}

/** The rules of a series, and the days on which it does not take place, as lines of iCalendar. */
function recurrenceLines({
  recurrence,
  exceptions = [],
  time,
  timeZone,
}: When): readonly string[] | undefined {
  if (recurrence === undefined || exceptions.length === 0) return recurrence
  const days = exceptions.map((day) => day.replaceAll('-', ''))
  return [
    ...recurrence,
    time === undefined
      ? `EXDATE;VALUE=DATE:${days.join(',')}`
      : `EXDATE;TZID=${timeZone}:${days.map((day) => `${day}T${time.replace(':', '')}00`).join(',')}`,
  ]
}

function withZone(when: Pick<When, 'zone'> | undefined): Pick<FoundTimes, 'zone'> {
  return when?.zone === undefined ? {} : { zone: when.zone }
}

function withEnd(when: When | undefined): Pick<When, 'endDay' | 'endTime'> {
  return {
    ...(when?.endDay === undefined ? {} : { endDay: when.endDay }),
    ...(when?.endTime === undefined ? {} : { endTime: when.endTime }),
  }
}

function pageTimes(start: Moment, endText: string | undefined): FoundTimes {
  const end = endText === undefined ? undefined : parseMomentIn(start.timeZone, endText)
  const isAfter =
    end !== undefined && `${end.day}${end.time ?? ''}` > `${start.day}${start.time ?? ''}`
  const ending = isAfter
    ? { endDay: end.day, ...(end.time === undefined ? {} : { endTime: end.time }) }
    : {}
  return {
    value: eventTimes({ ...start, ...ending }),
    ...withZone(start),
    date: 0.97,
    time: start.time === undefined ? 0.8 : 0.96,
  }
}

type Place = NonNullable<CanonicalEvent['location']>

function choosePlace(
  { places }: Findings,
  page: PageFacts | undefined,
): WithConfidence<Place> | undefined {
  const structured = page?.structured?.place
  if (structured !== undefined) {
    const { name, address, coordinates } = structured
    const more = {
      ...(address === undefined ? {} : { address: address.slice(0, 490) }),
      ...(coordinates === undefined ? {} : { coordinates }),
    }
    return { value: { name: name.slice(0, 490), ...more }, confidence: 0.95 }
  }
  const [best, next] = places
  if (best === undefined) return undefined
  const rivalry =
    next !== undefined && next.confidence > best.confidence - 0.1 && next.manner !== 'line'
      ? 0.85
      : 1
  const address = best.address === undefined ? {} : { address: best.address.slice(0, 490) }
  return {
    value: { name: best.name.slice(0, 490), ...address },
    confidence: Math.round(best.confidence * rivalry * 100) / 100,
  }
}

type EventParts = {
  readonly title: WithConfidence<string>
  readonly when: FoundTimes
  readonly place: WithConfidence<Place> | undefined
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
    ...(place === undefined ? {} : { location: place.value }),
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

function rateConfidence({
  title,
  when,
  place,
  price,
  source: { isPicture },
}: ConfidenceInput): Confidence {
  const isDayAlone = when.value.startTime.length === 10
  const fields = {
    title: title.confidence,
    date: when.date,
    time: isPicture && isDayAlone ? Math.min(when.time, NO_TIME_IN_PICTURE) : when.time,
    place: place?.confidence ?? (isPicture ? NO_PLACE_IN_PICTURE : NO_PLACE_IN_TEXT),
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
      ? ['No date was found. It is set to today; please correct it.']
      : date < UNSURE
        ? ['The date is a guess: please check it.']
        : []),
    ...(date > 0 && time < UNSURE && startTime.includes('T')
      ? ['The time is a guess: the source does not say morning or evening.']
      : []),
    ...(title === 0 ? ['No title was found.'] : title < 0.45 ? ['The title is a guess.'] : []),
    ...(location === undefined ? ['No place was found.'] : []),
    ...(picked?.when.doors === undefined ? [] : [`Doors open at ${picked.when.doors}.`]),
  ]
}

function listAlternatives(
  { titles, places, picked }: Findings,
  event: CanonicalEvent,
): { alternatives?: NonNullable<EventDraft['alternatives']> } {
  const others = {
    titles: distinct(
      titles.map(({ title }) => title.slice(0, 500)),
      event.title,
    ),
    starts: distinct(
      picked?.others
        .filter(({ aside }) => aside === undefined)
        .map((when) => eventTimes(when).startTime) ?? [],
      event.startTime,
    ),
    places: distinct(
      places.map(({ name }) => name.slice(0, 500)),
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
