import type { CanonicalEvent } from './canonical-event.ts'
import { DOORS_NOTE, type EventDraft, overallConfidence } from './draft.ts'
import type { ModelReading, ModelRequest } from './event-model-port.ts'
import { mergeTimes, STATED } from './merge-model-times.ts'
import { containsWords, toWords } from './model-evidence.ts'

/** A title or place after both readings; `other` is what the rules read, where it is another. */
type Merged<T> = { readonly value: T; readonly confidence: number; readonly other?: string }
type Place = CanonicalEvent['location']

const SAME_TITLE = 0.9
const SIMILAR_TITLE = 0.75
const OTHER_TITLE = 0.7
const SAME_PLACE = 0.92
const OTHER_PLACE = 0.7
const NO_PLACE_AGREED = 0.8
const NO_PLACE = 0.6
/** The text does not contain the words. */
const UNSEEN = 0.5
const DOUBTED = 0.6
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
  const confidence = {
    ...rules.confidence,
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

function isWithoutEvent({ title, startDay, placeName, placeAddress }: ModelReading): boolean {
  return [title, startDay, placeName, placeAddress].every((value) => value === null)
}

function mergeTitle(
  read: ModelReading,
  { event, confidence }: EventDraft,
  { text }: ModelRequest,
): Merged<string> {
  const title = cleanText(read.title, 500)
  const isFound = confidence.title > 0
  if (title === undefined)
    return { value: event.title, confidence: Math.min(confidence.title, DOUBTED) }
  const relation = compare(title, event.title)
  if (relation === 'same' && isFound)
    return { value: title, confidence: Math.max(SAME_TITLE, confidence.title) }
  const other = isFound ? { other: event.title } : {}
  if (event.source === 'url' && confidence.title >= STATED && relation === 'similar')
    return { value: event.title, confidence: SAME_TITLE, other: title }
  if (!containsWords(text, title)) return { value: title, confidence: UNSEEN, ...other }
  if (read.unsure.includes('title')) return { value: title, confidence: DOUBTED, ...other }
  return {
    value: title,
    confidence: relation === 'similar' ? SIMILAR_TITLE : OTHER_TITLE,
    ...other,
  }
}

function mergePlace(
  read: ModelReading,
  { event: { location, source }, confidence }: EventDraft,
  { text }: ModelRequest,
): Merged<Place> {
  const place = readPlace(read)
  const other = location === undefined ? {} : { other: location.name }
  if (location !== undefined && source === 'url' && confidence.place >= STATED)
    return { value: location, confidence: confidence.place }
  if (place === undefined)
    return { value: undefined, confidence: location ? NO_PLACE : NO_PLACE_AGREED, ...other }
  if (location !== undefined && compare(fullName(place), fullName(location)) !== 'other')
    return {
      // What the rules know besides, such as coordinates, is of the same place.
      value: { ...location, ...place },
      confidence: read.unsure.includes('place') ? OTHER_PLACE : SAME_PLACE,
    }
  if (!containsWords(text, place.name)) return { value: place, confidence: UNSEEN, ...other }
  return {
    value: place,
    confidence: read.unsure.includes('place') ? DOUBTED : OTHER_PLACE,
    ...other,
  }
}

function readPlace({ placeName, placeAddress }: ModelReading): NonNullable<Place> | undefined {
  const [name, address] = [cleanText(placeName, 490), cleanText(placeAddress, 490)]
  if (name === undefined) return address === undefined ? undefined : { name: address }
  return { name, ...(address === undefined ? {} : { address }) }
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
