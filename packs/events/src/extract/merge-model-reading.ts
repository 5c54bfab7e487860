import type { CanonicalEvent } from './canonical-event.ts'
import { DOORS_NOTE, type EventDraft, overallConfidence } from './draft.ts'
import type { ModelReading, ModelRequest } from './event-model-port.ts'
import { mergeTimes, STATED } from './merge-model-times.ts'
import { containsWords, toWords } from './model-evidence.ts'

/** A title or place after both readings; `other` is the reading that was not taken. */
type Merged<T> = { readonly value: T; readonly confidence: number; readonly other?: string }
type Place = CanonicalEvent['location']

const SAME_TITLE = 0.9
const SIMILAR_TITLE = 0.75
const OTHER_TITLE = 0.7
const SAME_PLACE = 0.92
const OTHER_PLACE = 0.7
const NO_PLACE_AGREED = 0.8
const NO_PLACE = 0.6
/** The model doubts it, or read it from the picture where OCR did not. */
const DOUBTED = 0.6
/** The text does not contain the words, and there is no picture. */
const UNSEEN = 0.5
const ONE_SERIES = 0.7
/** Of whatever the rules read where the model found no event. */
const NO_EVENT = 0.3

/**
 * Merges a model's reading with that of the rules. The model decides; how far its values are trusted
 * depends on whether the rules read the same and whether the text contains them. What differs is
 * listed among the alternatives, and a different date or time is noted for a person to check.
 */
export function mergeModelReading(
  read: ModelReading,
  rules: EventDraft,
  request: ModelRequest,
): EventDraft {
  const times = mergeTimes(read, rules, request)
  const title = mergeTitle(read, rules, request)
  const place = mergePlace(read, rules, request)
  const most = isWithoutEvent(read) ? NO_EVENT : 1
  const { source, sourceMetadata, description = cleanText(read.description, 1_000) } = rules.event
  const event: CanonicalEvent = {
    title: title.value,
    ...(description === undefined ? {} : { description }),
    ...times.value,
    ...(place.value === undefined ? {} : { location: place.value }),
    source,
    ...(sourceMetadata === undefined ? {} : { sourceMetadata }),
  }
  const { recurrence: ofSeries, ...others } = rules.confidence
  const confidence = {
    ...others,
    ...rateSeries(ofSeries, event, rules.event),
    title: Math.min(most, title.confidence),
    date: Math.min(most, times.date),
    time: Math.min(most, times.time),
    place: Math.min(most, place.confidence),
  }
  const notes = [
    ...(isWithoutEvent(read) ? ['The model found no event in it.'] : []),
    ...times.notes,
    ...(event.location === undefined ? ['No place was found.'] : []),
    ...(rules.notes?.filter((note) => note.startsWith(DOORS_NOTE)) ?? []),
  ]
  return {
    event,
    confidence: { ...confidence, overall: overallConfidence(confidence) },
    ...(rules.price === undefined ? {} : { price: rules.price }),
    ...listAlternatives(rules, {
      titles: [event.title, title.other],
      starts: [event.startTime, times.other],
      places: [event.location?.name, place.other],
    }),
    ...(times.zone === undefined ? {} : { zone: times.zone }),
    provider: 'model',
    ...(notes.length === 0 ? {} : { notes }),
  }
}

/** A series that only one of the two read is as unsure as any other such value. */
function rateSeries(
  ofRules: number | undefined,
  { recurrence }: CanonicalEvent,
  { recurrence: other }: CanonicalEvent,
): { readonly recurrence?: number } {
  if (recurrence === undefined) return {}
  const isOfRules = recurrence.join() === other?.join()
  return { recurrence: Math.min(ONE_SERIES, isOfRules ? (ofRules ?? 1) : 1) }
}

function isWithoutEvent({ title, startDay, placeName, placeAddress }: ModelReading): boolean {
  return [title, startDay, placeName, placeAddress].every((value) => value === null)
}

function mergeTitle(
  read: ModelReading,
  { event, confidence }: EventDraft,
  request: ModelRequest,
): Merged<string> {
  const title = cleanText(read.title, 500)
  const isFound = confidence.title > 0
  if (title === undefined)
    return { value: event.title, confidence: Math.min(confidence.title, DOUBTED) }
  const relation = compare(title, event.title)
  if (relation === 'same' && isFound)
    return { value: title, confidence: Math.max(SAME_TITLE, confidence.title) }
  const other = isFound ? { other: event.title } : {}
  if (event.source === 'url' && confidence.title >= STATED)
    return {
      value: event.title,
      confidence: relation === 'similar' ? SAME_TITLE : OTHER_TITLE,
      other: title,
    }
  const most = relation === 'similar' ? SIMILAR_TITLE : OTHER_TITLE
  return {
    value: title,
    confidence: Math.min(most, rateWords('title', title, read, request)),
    ...other,
  }
}

function mergePlace(
  read: ModelReading,
  { event: { location, source }, confidence }: EventDraft,
  request: ModelRequest,
): Merged<Place> {
  const place = readPlace(read)
  const other = location === undefined ? {} : { other: location.name }
  if (location !== undefined && source === 'url' && confidence.place >= STATED)
    return { value: location, confidence: confidence.place }
  if (place === undefined)
    return { value: undefined, confidence: location ? NO_PLACE : NO_PLACE_AGREED, ...other }
  if (location !== undefined && compare(fullName(place), fullName(location)) !== 'other')
    return {
      value: withKnown(place, location),
      confidence: read.unsure.includes('place') ? OTHER_PLACE : SAME_PLACE,
    }
  return {
    value: place,
    confidence: Math.min(OTHER_PLACE, rateWords('place', place.name, read, request)),
    ...other,
  }
}

/** At most how sure a title or place is that only the model read. */
function rateWords(
  field: 'title' | 'place',
  value: string,
  { unsure }: ModelReading,
  { text, image }: ModelRequest,
): number {
  if (!containsWords(text, value)) return image === undefined ? UNSEEN : DOUBTED
  return unsure.includes(field) ? DOUBTED : 1
}

function readPlace({ placeName, placeAddress }: ModelReading): NonNullable<Place> | undefined {
  const [name, address] = [cleanText(placeName, 490), cleanText(placeAddress, 490)]
  if (name === undefined) return address === undefined ? undefined : { name: address }
  return { name, ...(address === undefined ? {} : { address }) }
}

/** What the rules know besides, such as coordinates or the address, is of the same place. */
function withKnown(
  place: NonNullable<Place>,
  { address, placeId, coordinates }: NonNullable<Place>,
): NonNullable<Place> {
  const isInName = address === undefined || containsWords(place.name, address)
  return {
    ...(isInName ? {} : { address }),
    ...(placeId === undefined ? {} : { placeId }),
    ...(coordinates === undefined ? {} : { coordinates }),
    ...place,
  }
}

function fullName({ name, address = '' }: NonNullable<Place>): string {
  return `${name} ${address}`
}

/** One line without control characters; undefined if nothing is left. */
function cleanText(text: string | null, most: number): string | undefined {
  const line = text
    ?.replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, most)
    .trim()
  return line === '' ? undefined : line
}

/** `similar` if the words of one are all words of the other. */
function compare(one: string, other: string): 'same' | 'similar' | 'other' {
  const [first, second] = [toWords(one), toWords(other)]
  if (first.length === 0 || second.length === 0) return 'other'
  if (first.join(' ') === second.join(' ')) return 'same'
  const [fewer, more] = first.length <= second.length ? [first, second] : [second, first]
  return fewer.every((word) => more.includes(word)) ? 'similar' : 'other'
}

type Alternatives = NonNullable<EventDraft['alternatives']>

type OwnAndOther = readonly [own: string | undefined, other: string | undefined]

/** What the rules read instead comes before what they already were unsure of. */
function listAlternatives(
  { alternatives = {} }: EventDraft,
  values: Readonly<Record<keyof Alternatives, OwnAndOther>>,
): Pick<EventDraft, 'alternatives'> {
  const lists = (['titles', 'starts', 'places'] as const).flatMap((field) => {
    const [own, other] = values[field]
    const all = new Set([other ?? [], alternatives[field] ?? []].flat())
    const list = [...all].filter((value) => value !== own).slice(0, 5)
    return list.length === 0 ? [] : [[field, list] as const]
  })
  return lists.length === 0 ? {} : { alternatives: Object.fromEntries(lists) }
}
