import { fold } from '@surehand/dates'
import { ADDRESS } from './event-words.ts'
import { findLineRoles, type LineRole } from './line-roles.ts'
import { placesByLine, placesByPosition, splitPlace } from './place-lines.ts'
import {
  type Address,
  type FoundPlace,
  placesByPreposition,
  trimPunctuation,
} from './place-words.ts'
import { isFree, type SourceText, type Span } from './source-text.ts'
import { chatPlaces, homes, journeyPlaces, onlinePlaces } from './special-places.ts'
import type { Roles } from './title-sentences.ts'

const LABEL =
  /^[^\p{L}\p{N}\n]{0,4}(?:where|venue|location|place|address|meeting point|ort|wo|veranstaltungsort|treffpunkt|adresse|anschrift|lieu|ou|endroit|salle|lugar|donde|sede|direccion|ubicacion|punto de encuentro|centro|centre|standort|praxis|clinic|room|raum|saal)\s*(?:[:=|]|\s-\s|-\s)\s*/u
const LABEL_ALONE =
  /^[^\p{L}\p{N}\n]{0,4}(?:where|venue|location|place|ort|wo|veranstaltungsort|treffpunkt|lieu|ou|lugar|donde|sede)\s*[:?]?\s*$/u
// As on a ticket: "VENUE Kellerbühne PRICE 14 €".
const LABEL_BEFORE_NAME = /^(?:venue|location|where|ort|lieu|lugar)[^\S\n]+(?=\p{L})/u
/** The places in a text, the likeliest first. `taken` are spans of dates, prices and links. */
export function findPlaces(source: SourceText, taken: readonly Span[]): readonly FoundPlace[] {
  const addresses = findAddresses(source, taken)
  const roles = findLineRoles(source)
  const found = [
    ...placesByLabel(source),
    ...placesByLine(source, { addresses, taken, roles }),
    ...placesByPosition(source, taken, roles),
    ...placesByPreposition(source, addresses, taken),
    ...homes(source),
    ...onlinePlaces(source),
    ...chatPlaces(source, taken),
    ...journeyPlaces(source),
  ].map((place) => ({ ...place, confidence: weighRole(place, source, roles) }))
  const sorted = found.toSorted(
    (one, other) => other.confidence - one.confidence || one.start - other.start,
  )
  const distinct = sorted.filter(
    (place, index) =>
      sorted.findIndex(({ name }) => name.toLowerCase() === place.name.toLowerCase()) === index,
  )
  return joinBest(distinct, addresses, source)
}

const ROOM =
  /^(?:(?:meeting|conference|class|lecture)\s+)?(?:room|raum|zimmer|salle|sala|aula|saal|horsaal|aula\s+magna|auditorium|studio|gate|floor|suite)(?!\p{L})/u

/** A room is in the house of the letterhead; a street without a name belongs to the venue. */
function joinBest(
  places: readonly FoundPlace[],
  addresses: readonly Address[],
  source: SourceText,
): readonly FoundPlace[] {
  const [best, ...rest] = places
  if (best === undefined || best.address !== undefined) return places
  const other = rest.find((one) => one.manner === 'line' && one.confidence >= 0.4)
  if (ROOM.test(fold(best.name)) && other !== undefined && !ROOM.test(fold(other.name)))
    return [{ ...best, address: other.name }, ...rest]
  const isStreet = addresses.some(({ text }) => text === best.name)
  const venue = rest.find(
    (one) => one.address === undefined && one.manner === 'line' && one.confidence >= 0.55,
  )
  if (isStreet && venue !== undefined && source.lines.length > 2)
    return [
      { ...venue, address: best.name, confidence: Math.max(venue.confidence, 0.8) },
      ...places.filter((one) => one !== venue),
    ]
  return places
}

const ROLE_FACTOR: Readonly<Partial<Record<LineRole, number>>> = {
  letterhead: 0.65,
  organiser: 0.75,
  presenter: 0.5,
  signature: 0.3,
  greeting: 0.2,
  seat: 0.25,
  person: 0.3,
  header: 0.6,
  detail: 0.5,
}

function weighRole(place: FoundPlace, source: SourceText, roles: Roles): number {
  if (isTicketSale(place, source) || isAfterwards(place, source)) return place.confidence / 2
  if (place.manner !== 'line') return place.confidence
  const line = source.lines.find((one) => place.start >= one.start && place.start < one.end)
  const role = line === undefined ? 'plain' : (roles.get(line) ?? 'plain')
  const isOurs =
    role === 'letterhead' &&
    /(?<!\p{L})(?:in\s+unsere[rnm]|at\s+our|in\s+our|dans\s+nos|dans\s+notre|en\s+nuestr[oa]s?)(?!\p{L})/u.test(
      source.folded,
    )
  return Math.round(place.confidence * (isOurs ? 0.95 : (ROLE_FACTOR[role] ?? 1)) * 100) / 100
}

const TICKET_SALE =
  /(?<!\p{L})(?:tickets?|vvk|vorverkauf|karten|billets?|billetterie|prevente|preventa|venta|taquilla|box office|sponsor\p{L}*|supported|unterstutz\p{L}*)(?!\p{L})/u

const AFTERWARDS =
  /(?<!\p{L})(?:afterwards|followed\s+by|after\s+that|reception\s+to\s+follow|anschlie(?:ss|ß)end|danach|im\s+anschluss|ensuite|suivie?\s+d|puis|despues|a\s+continuacion|luego|bei\s+(?:regen|schlechtem\s+wetter)|(?:in\s+case\s+of|if)\s+(?:it\s+)?(?:rains?|wet)|en\s+cas\s+de\s+pluie|en\s+caso\s+de\s+lluvia|si\s+llueve)(?!\p{L})[^.\n]*$/u

/** Where the guests go afterwards is not where it begins. */
function isAfterwards({ start }: Span, { folded }: SourceText): boolean {
  return AFTERWARDS.test(folded.slice(Math.max(0, start - 80), start))
}

/** A place where tickets are sold is not the place of the event. */
function isTicketSale({ start }: Span, { lines, folded }: SourceText): boolean {
  if (lines.length < 3) return false
  const line = lines.find((one) => start >= one.start && start < one.end)
  return line !== undefined && TICKET_SALE.test(folded.slice(line.start, line.end))
}

function findAddresses(
  { text, folded, lines }: SourceText,
  taken: readonly Span[],
): readonly Address[] {
  const found = [...folded.matchAll(ADDRESS)].flatMap((match): Address[] => {
    const line = lines.find(({ start, end }) => match.index >= start && match.index < end)
    if (line === undefined) return []
    const end = extendAddress(text, match.index + match[0].length, line.end)
    const span = { start: match.index, end: Math.min(end, line.end) }
    return isFree({ start: span.start, end: match.index + match[0].length }, taken)
      ? [{ ...span, text: trimPunctuation(text.slice(span.start, span.end)) }]
      : []
  })
  // A town after a street is part of its address, not a second one.
  return found.filter((one, index) => isFree(one, found.slice(0, index)))
}

// ", 80331 München" and ", London" belong to the street before them.
function extendAddress(text: string, from: number, lineEnd: number): number {
  const rest = text.slice(from, lineEnd)
  const more =
    /^(?:\s*[,·|-]\s*(?:[A-Z]{1,2}-)?(?:\d{4,5}\s+)?\p{Lu}[\p{L}'-]*(?:\s+(?:\p{Lu}|am|an|der|de|la|le|sur)[\p{L}'-]*){0,3}(?:\s+[A-Z]{1,2}\d[\dA-Z]*\s?\d?[A-Z]{0,2})?){0,2}/u.exec(
      rest,
    )
  return from + (more?.[0].length ?? 0)
}

function placesByLabel(source: SourceText): readonly FoundPlace[] {
  return source.lines.flatMap((line, index): readonly FoundPlace[] => {
    const folded = source.folded.slice(line.start, line.end)
    const label = LABEL.exec(folded) ?? (source.isPicture ? LABEL_BEFORE_NAME.exec(folded) : null)
    if (label !== null)
      return splitPlace({ ...line, start: line.start + label[0].length }, source, {
        // "Clinic: Dermatology" stands beside "Location: …".
        confidence: /^\W*(?:clinic|centre|centro|praxis)/u.test(label[0]) ? 0.84 : 0.95,
        manner: 'label',
      })
    const next = source.lines[index + 1]
    return LABEL_ALONE.test(folded) && next !== undefined
      ? splitPlace(next, source, { confidence: 0.92, manner: 'label' })
      : []
  })
}
