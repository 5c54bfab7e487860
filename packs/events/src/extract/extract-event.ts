import { dayOf, type Language, readWhen, type When } from '@surehand/dates'
import type { OcrLine } from '@surehand/reading'
import type { CanonicalEvent } from './canonical-event.ts'
import { type Confidence, type EventDraft, overallOf, type Price } from './draft.ts'
import { type EventTimes, eventTimes, type Moment, momentIn, momentOf } from './event-times.ts'
import { type FoundPlace, findPlaces } from './find-place.ts'
import { findPrices } from './find-price.ts'
import { type FoundTitle, findTitles } from './find-title.ts'
import { findNoise } from './noise.ts'
import { type ExtractPage, type PageFacts, pageFacts } from './page-facts.ts'
import { type PickedWhen, pickWhen } from './pick-when.ts'
import { overlaps, type SourceText, type Span, sourceText } from './source-text.ts'

export type ExtractSource = {
  readonly text?: string
  /** What was read from a picture, with the place and size of each line. */
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
// most events are somewhere
const NO_PLACE = 0.45
// people leave the place out of a message more often than a flyer does; a flyer without a time was
// more likely read badly
const NO_PLACE_SAID = 0.7
const NO_TIME_READ = 0.45

/**
 * Reads an event out of a text, a picture's lines or a page, by rules alone; how sure each field is
 * stands beside it.
 */
export function extractEvent(given: ExtractSource, options: ExtractOptions): EventDraft {
  const today = dayOf(options.now, options.timeZone)
  const page = given.page === undefined ? undefined : pageFacts(given.page, today)
  const source = sourceText(given.text || page?.text || '', given.lines)
  const found = readSource(source, options, today)
  const title = titleOf(found, page)
  const when = timesOf(found, page, options)
  const place = placeOf(found, page)
  const price =
    page?.structured?.price === undefined
      ? found.price
      : { price: page.structured.price, confidence: 0.95 }
  const event = toEvent({ title, when, place, given, page, source })
  const confidence = confidenceOf({ title, when, place, price, found, source })
  const notes = notesOf(confidence, event, found)
  return {
    event,
    confidence,
    ...(price === undefined ? {} : { price: price.price }),
    ...alternativesOf(found, event),
    ...(when.zone === undefined ? {} : { zone: when.zone }),
    provider: 'rules',
    ...(notes.length === 0 ? {} : { notes }),
  }
}

type Found = {
  readonly picked: PickedWhen | undefined
  readonly titles: readonly FoundTitle[]
  readonly places: readonly FoundPlace[]
  readonly price: { readonly price: Price; readonly confidence: number } | undefined
}

function readSource(source: SourceText, options: ExtractOptions, today: string): Found {
  const whens = readWhen(source.text, options)
  const prices = findPrices(source)
  const taken = [...whens.flatMap(({ spans }) => spans), ...prices, ...findNoise(source)]
  const named = findTitles(source, taken).filter(({ confidence }) => confidence >= 0.88)
  const candidates = findPlaces(source, [...taken, ...named])
  const strong = strongOf(candidates, source, taken)
  const titles = findTitles(source, [...taken, ...strong])
  const best = titles[0]
  const places = candidates.filter(
    (place) => strong.includes(place) || best === undefined || !overlaps(place, best),
  )
  return { picked: pickWhen(whens, source, today), titles, places, price: prices[0] }
}

/** Places that are sure enough to keep a title out of their words. */
function strongOf(
  places: readonly FoundPlace[],
  source: SourceText,
  taken: readonly Span[],
): readonly FoundPlace[] {
  const strong = places.filter(
    ({ confidence, manner }, index) =>
      confidence >= 0.8 || (index === 0 && manner === 'words' && confidence >= 0.5),
  )
  if (source.lines.length < 3) return strong
  // "Jazz im Park" in large letters is what it is called, whatever else it says
  const [headline] = findTitles(source, [
    ...taken,
    ...strong.filter(({ manner }) => manner !== 'words'),
  ])
  return strong.filter(
    (place) => place.manner !== 'words' || headline === undefined || !overlaps(place, headline),
  )
}

type Sure<T> = { readonly value: T; readonly confidence: number }

function titleOf({ titles }: Found, page: PageFacts | undefined): Sure<string> {
  const [best] = titles
  const told = page?.structured?.title
  if (told !== undefined) return { value: told.slice(0, 500), confidence: 0.96 }
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
    : { value: best.title.slice(0, 500), confidence: best.confidence }
}

type SureTimes = {
  readonly value: EventTimes
  readonly zone?: 'named'
  readonly date: number
  readonly time: number
  readonly recurrence?: readonly string[]
}

function timesOf(
  { picked }: Found,
  page: PageFacts | undefined,
  options: ExtractOptions,
): SureTimes {
  const told =
    page?.structured?.start === undefined
      ? undefined
      : momentOf(page.structured.start, options.timeZone)
  if (told !== undefined) return fromPage(told, page?.structured?.end)
  const marked = page?.moments
    .map((text) => momentOf(text, options.timeZone))
    .find((moment) => moment !== undefined)
  if (
    marked !== undefined &&
    (picked === undefined || picked.when.day === marked.day || picked.date < 0.6)
  ) {
    const time = marked.time ?? (picked?.when.day === marked.day ? picked.when.time : undefined)
    const same = picked?.when.day === marked.day ? picked.when : undefined
    const when = { ...marked, ...(time === undefined ? {} : { time }), ...endOf(same) }
    const zone = marked.time === undefined ? same : marked
    return {
      value: eventTimes({ ...when, timeZone: (zone ?? marked).timeZone }),
      ...zoneOf(zone),
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
  const { recurrence } = picked.when
  return {
    value: eventTimes(picked.when),
    ...zoneOf(picked.when),
    date: picked.date,
    time: picked.time,
    ...(recurrence === undefined ? {} : { recurrence }),
  }
}

function zoneOf(when: Pick<When, 'zone'> | undefined): Pick<SureTimes, 'zone'> {
  return when?.zone === undefined ? {} : { zone: when.zone }
}

function endOf(when: When | undefined): Pick<When, 'endDay' | 'endTime'> {
  return {
    ...(when?.endDay === undefined ? {} : { endDay: when.endDay }),
    ...(when?.endTime === undefined ? {} : { endTime: when.endTime }),
  }
}

function fromPage(start: Moment, endText: string | undefined): SureTimes {
  const end = endText === undefined ? undefined : momentIn(start.timeZone, endText)
  const isAfter =
    end !== undefined && `${end.day}${end.time ?? ''}` > `${start.day}${start.time ?? ''}`
  const ending = isAfter
    ? { endDay: end.day, ...(end.time === undefined ? {} : { endTime: end.time }) }
    : {}
  return {
    value: eventTimes({ ...start, ...ending }),
    ...zoneOf(start),
    date: 0.97,
    time: start.time === undefined ? 0.8 : 0.96,
  }
}

type Place = NonNullable<CanonicalEvent['location']>

function placeOf({ places }: Found, page: PageFacts | undefined): Sure<Place> | undefined {
  const told = page?.structured?.place
  if (told !== undefined) {
    const { name, address, coordinates } = told
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

type Parts = {
  readonly title: Sure<string>
  readonly when: SureTimes
  readonly place: Sure<Place> | undefined
  readonly given: ExtractSource
  readonly page: PageFacts | undefined
  readonly source: SourceText
}

function toEvent({ title, when, place, given, page, source }: Parts): CanonicalEvent {
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

type Sureness = Pick<Parts, 'title' | 'when' | 'place' | 'source'> & {
  readonly price: Found['price']
  readonly found: Found
}

function confidenceOf({ title, when, place, price, source: { isPicture } }: Sureness): Confidence {
  const isDayAlone = when.value.startTime.length === 10
  const fields = {
    title: title.confidence,
    date: when.date,
    time: isPicture && isDayAlone ? Math.min(when.time, NO_TIME_READ) : when.time,
    place: place?.confidence ?? (isPicture ? NO_PLACE : NO_PLACE_SAID),
  }
  return {
    ...fields,
    ...(price === undefined ? {} : { price: Math.round(price.confidence * 100) / 100 }),
    ...(when.recurrence === undefined ? {} : { recurrence: when.date }),
    overall: overallOf(fields),
  }
}

const UNSURE = 0.6

function notesOf(
  { title, date, time }: Confidence,
  { startTime, location }: CanonicalEvent,
  { picked }: Found,
): string[] {
  return [
    ...(date === 0
      ? ['No date was found: it stands at today until you say another.']
      : date < UNSURE
        ? ['The date is a guess: please look at it.']
        : []),
    ...(date > 0 && time < UNSURE && startTime.includes('T')
      ? ['The time is a guess: morning or evening was not said.']
      : []),
    ...(title === 0 ? ['No title was found.'] : title < 0.45 ? ['The title is a guess.'] : []),
    ...(location === undefined ? ['No place was found.'] : []),
    ...(picked?.when.doors === undefined ? [] : [`Doors open at ${picked.when.doors}.`]),
  ]
}

function alternativesOf(
  { titles, places, picked }: Found,
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
  const kept = {
    ...(others.titles.length === 0 ? {} : { titles: others.titles }),
    ...(others.starts.length === 0 ? {} : { starts: others.starts }),
    ...(others.places.length === 0 ? {} : { places: others.places }),
  }
  return Object.keys(kept).length === 0 ? {} : { alternatives: kept }
}

function distinct(values: readonly string[], own: string | undefined): string[] {
  return [...new Set(values)].filter((value) => value !== own).slice(0, 3)
}
