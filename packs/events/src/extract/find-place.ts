import { KIND } from './find-title.ts'
import { findNameAt, findPlainPlaceAt, findVenueAt } from './phrase.ts'
import { isFree, type SourceText, type Span } from './source-text.ts'
import { ADDRESS, VENUE } from './venue-words.ts'

export type FoundPlace = Span & {
  readonly name: string
  readonly address?: string
  readonly confidence: number
  /** Where it was found: after a label, on a line of its own, or within a sentence. */
  readonly manner: 'label' | 'line' | 'words'
}

const LABEL =
  /^[^\p{L}\p{N}\n]{0,4}(?:where|venue|location|place|address|meeting point|ort|wo|veranstaltungsort|treffpunkt|adresse|anschrift|lieu|ou|endroit|salle|lugar|donde|sede|direccion|ubicacion|punto de encuentro)\s*(?:[:=|]|\s-\s|-\s)\s*/u
const LABEL_ALONE =
  /^[^\p{L}\p{N}\n]{0,4}(?:where|venue|location|place|ort|wo|veranstaltungsort|treffpunkt|lieu|ou|lugar|donde|sede)\s*[:?]?\s*$/u
// As on a ticket: "VENUE Kellerbühne PRICE 14 €".
const LABEL_BEFORE_NAME = /^(?:venue|location|where|ort|lieu|lugar)[^\S\n]+(?=\p{L})/u
const NEXT_LABEL =
  /\s+(?:price|time|date|tickets?|entry|admission|preis|zeit|datum|uhrzeit|eintritt|prix|heure|tarif|precio|hora|fecha|entrada)(?!\p{L}).*$/iu
// Words before a place, with the confidence that a place follows.
const PREPOSITIONS: readonly (readonly [RegExp, number])[] = [
  [/(?:📍|🏠|🏟️?|(?<![\p{L}\p{N}.])@)\s*/gu, 0.92],
  [
    /(?<![\p{L}\p{N}])(?:at\s+the|at|im|in\s+der|in\s+den|in\s+dem|beim|bei|auf\s+dem|auf\s+der|an\s+der|au|a\s+l'\s?|a\s+la|chez|dans\s+l[ea]s?|dans\s+l'\s?|en\s+el|en\s+la|en\s+los|en\s+las|inside|inside\s+the)\s+(?:the\s+)?/gu,
    0.82,
  ],
  [/(?<![\p{L}\p{N}])a\s+l'/gu, 0.8],
  [/(?<![\p{L}\p{N}])(?:in\s+the|in|a|en|am|near|outside)\s+/gu, 0.6],
  [/(?<![\p{L}\p{N}])(?:zum|zur|ins|al)\s+/gu, 0.42],
  // ", place Bellecour"
  [/(?<=[,;|·-]\s)(?=\p{L})/gu, 0.5],
]

/** The places in a text, the likeliest first. `taken` are spans of dates, prices and links. */
export function findPlaces(source: SourceText, taken: readonly Span[]): readonly FoundPlace[] {
  const addresses = findAddresses(source, taken)
  const found = [
    ...placesByLabel(source),
    ...placesByLine(source, addresses, taken),
    ...placesByPreposition(source, addresses, taken),
  ].map((place) =>
    isTicketSale(place, source) ? { ...place, confidence: place.confidence / 2 } : place,
  )
  const sorted = found.toSorted(
    (one, other) => other.confidence - one.confidence || one.start - other.start,
  )
  return sorted.filter(
    (place, index) =>
      sorted.findIndex(({ name }) => name.toLowerCase() === place.name.toLowerCase()) === index,
  )
}

const TICKET_SALE =
  /(?<!\p{L})(?:tickets?|vvk|vorverkauf|karten|billets?|billetterie|prevente|preventa|venta|taquilla|box office|sponsor\p{L}*|supported|unterstutz\p{L}*)(?!\p{L})/u

/** A place where tickets are sold is not the place of the event. */
function isTicketSale({ start }: Span, { lines, folded }: SourceText): boolean {
  if (lines.length < 3) return false
  const line = lines.find((one) => start >= one.start && start < one.end)
  return line !== undefined && TICKET_SALE.test(folded.slice(line.start, line.end))
}

type Address = Span & { readonly text: string }

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
        confidence: 0.95,
        manner: 'label',
      })
    const next = source.lines[index + 1]
    return LABEL_ALONE.test(folded) && next !== undefined
      ? splitPlace(next, source, { confidence: 0.92, manner: 'label' })
      : []
  })
}

type Rank = Pick<FoundPlace, 'confidence' | 'manner'>

/** Splits a line into name and address. */
function splitPlace({ start, end }: Span, { text }: SourceText, rank: Rank): readonly FoundPlace[] {
  const whole = trimPunctuation(text.slice(start, end).replace(NEXT_LABEL, ''))
  if (whole === '') return []
  const [name = whole, ...rest] = whole.split(/\s*(?:,|\s[|·•–-]\s)\s*/u)
  // "12, rue de la Paix" is an address without a name.
  const isSplit = rest.length > 0 && !/^\d+$/.test(name)
  return [
    {
      start,
      end,
      name: isSplit ? name : whole,
      ...(isSplit ? { address: rest.join(', ') } : {}),
      ...rank,
    },
  ]
}

/** Lines with a street, named before it or on the line above, and lines with a word for a venue. */
function placesByLine(
  source: SourceText,
  addresses: readonly Address[],
  taken: readonly Span[],
): readonly FoundPlace[] {
  if (source.lines.length < 2) return []
  const withStreet = addresses.flatMap((address): FoundPlace[] => {
    const index = source.lines.findIndex(
      ({ start, end }) => address.start >= start && address.start < end,
    )
    const line = source.lines[index]
    if (line === undefined) return []
    const before = textAfter({ start: line.start, end: address.start }, source, taken)
    const above = index > 0 ? source.lines[index - 1] : undefined
    const over = above === undefined ? undefined : textAfter(above, source, taken)
    const [name, start] =
      before !== undefined
        ? [lastPart(before.text), before.start]
        : [asName(over), over?.start ?? address.start]
    const place = name === undefined ? { name: address.text } : { name, address: address.text }
    return [
      {
        start: name === undefined ? address.start : start,
        end: address.end,
        ...place,
        confidence: name === undefined ? 0.7 : 0.88,
        manner: 'line',
      },
    ]
  })
  const named = source.lines.flatMap((line): readonly FoundPlace[] => {
    const rest = textAfter(line, source, taken)
    if (
      rest === undefined ||
      !VENUE.test(source.folded.slice(rest.start, rest.end)) ||
      rest.text.split(/\s+/).length > 8
    )
      return []
    return splitPlace(rest, source, { confidence: 0.62, manner: 'line' })
  })
  return [...withStreet, ...named]
}

type Rest = Span & { readonly text: string }

/** The text of a line after its dates and prices: OCR may join columns into one line. */
function textAfter(
  { start, end }: Span,
  { text }: SourceText,
  taken: readonly Span[],
): Rest | undefined {
  const from = Math.max(
    start,
    ...taken.filter((span) => span.start < end && span.end > start).map((span) => span.end),
  )
  const rest = trimPunctuation(text.slice(from, end))
  return rest === '' || from >= end ? undefined : { start: from, end, text: rest }
}

function lastPart(text: string): string {
  return text.split(/\s*[|·•]\s*|\s[–-]\s/u).at(-1) ?? text
}

function asName(rest: Rest | undefined): string | undefined {
  if (rest === undefined) return undefined
  return rest.text.split(/\s+/).length <= 6 &&
    /\p{Lu}/u.test(rest.text) &&
    !/[!?:]$/.test(rest.text)
    ? rest.text
    : undefined
}

// Each match is compared with every date and price of the text.
const MAX_MATCHES = 500

/** Names and venue words after "at", "im", "au", "en el". */
function placesByPreposition(
  source: SourceText,
  addresses: readonly Address[],
  taken: readonly Span[],
): readonly FoundPlace[] {
  const found = PREPOSITIONS.flatMap(([pattern, base]) =>
    [...source.folded.matchAll(pattern).take(MAX_MATCHES)].flatMap((match): FoundPlace[] => {
      const from = match.index + match[0].length
      if (taken.some((span) => match.index >= span.start && match.index < span.end)) return []
      const address = addresses.find((one) => one.start === from)
      const span =
        address ??
        findVenueAt(source, from, taken) ??
        findNameAt(source, from, taken) ??
        (match[0] === '' ? undefined : findPlainPlaceAt(source, from, taken))
      if (span === undefined || span.end - span.start < 3) return []
      const name = trimPunctuation(source.text.slice(span.start, span.end))
      const isVenue = VENUE.test(source.folded.slice(span.start, span.end))
      // "au Festival des Lumières" names the event, not a place.
      const isEvent =
        address === undefined && KIND.test(source.folded.slice(span.start, span.end)) && !isVenue
      // In a list of facts, the place follows the time.
      const isNext =
        match[0] === '' &&
        source.lines.length < 3 &&
        taken.some((one) => /^\s*[,;|·-]\s$/u.test(source.folded.slice(one.end, from)))
      if (isEvent || (match[0] === '' && !isVenue && !isNext)) return []
      const following =
        address === undefined ? addressAfter(source, span.end, { addresses, taken }) : undefined
      const confidence = Math.min(
        0.93,
        base + (isVenue ? 0.1 : -0.05) + (following === undefined ? 0 : 0.04),
      )
      return [
        {
          start: match.index,
          end: following?.end ?? span.end,
          name,
          ...(following === undefined ? {} : { address: following.text }),
          confidence,
          manner: 'words',
        },
      ]
    }),
  )
  return found.filter(
    (place) =>
      !found.some(
        (other) =>
          other !== place &&
          other.start < place.start &&
          other.end >= place.end &&
          other.confidence >= place.confidence,
      ),
  )
}

type Context = { readonly addresses: readonly Address[]; readonly taken: readonly Span[] }

// "Blue Note, 12 King Street" and "Blue Note in Berlin".
function addressAfter(
  source: SourceText,
  from: number,
  { addresses, taken }: Context,
): Address | undefined {
  const gap =
    /^\s*[,(]?\s*(?:(?:in|a|en|zu)\s+)?/u.exec(source.folded.slice(from, from + 12))?.[0] ?? ''
  if (gap.trim() === '') return undefined
  const at = from + gap.length
  const street = addresses.find(({ start }) => start === at)
  if (street !== undefined) return street
  const town = findNameAt(source, at, taken)
  if (town === undefined || /\d/.test(source.text.slice(town.start, town.end))) return undefined
  return { ...town, text: trimPunctuation(source.text.slice(town.start, town.end)) }
}

function trimPunctuation(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/^[\s,;:|·•–—-]+|[\s,;:|·•–—-]+$/gu, '')
    .trim()
}
