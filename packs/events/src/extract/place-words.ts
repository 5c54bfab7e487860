import { KIND, VENUE } from './event-words.ts'
import { findNameAt, findPhraseAt, findPlainPlaceAt, findVenueAt } from './phrase.ts'
import type { SourceText, Span } from './source-text.ts'

export type FoundPlace = Span & {
  readonly name: string
  readonly address?: string
  readonly confidence: number
  /** Where it was found: after a label, on a line of its own, or within a sentence. */
  readonly manner: 'label' | 'line' | 'words'
}

export type Address = Span & { readonly text: string }

// Words before a place, with the confidence that a place follows.
const PREPOSITIONS: readonly (readonly [RegExp, number])[] = [
  [/(?:📍|🏠|🏟️?|(?<![\p{L}\p{N}.])@)\s*/gu, 0.92],
  [
    /(?<![\p{L}\p{N}])(?:at\s+the|at|im|in\s+der|in\s+den|in\s+dem|beim|bei(?:\s+(?:den|dem|der|meine[nmr]?|unsere[nmr]?))?|auf\s+dem|auf\s+der|an\s+der|au|aux|a\s+l'\s?|a\s+la|chez|dans\s+l[ea]s?|dans\s+l'\s?|en\s+el|en\s+la|en\s+los|en\s+las|en\s+casa\s+de|inside|inside\s+the)\s+(?:the\s+)?/gu,
    0.82,
  ],
  [/(?<![\p{L}\p{N}])(?:a|dans)\s+l'/gu, 0.8],
  [/(?<![\p{L}\p{N}])(?:in\s+the|in|a|en|am|near|outside)\s+/gu, 0.6],
  [/(?<![\p{L}\p{N}])(?:zum|zur|ins|al)\s+/gu, 0.42],
  [/(?<![\p{L}\p{N}])(?:report\s+to|come\s+to|from)\s+(?:the\s+)?(?=\S+)/gu, 0.45],
  [/(?<![\p{L}\p{N}])(?:desde\s+(?:el|la)|desde|depart(?:ing)?\s+(?:from|de)|ab\s+dem)\s+/gu, 0.55],
  [
    /(?<![\p{L}\p{N}])(?:on|via|per|uber|sur|por|auf|en)\s+(?=(?:zoom|google\s+meet|(?:microsoft\s+|ms\s+)?teams|skype|webex|discord|jitsi)(?!\p{L}))/gu,
    0.85,
  ],
  [
    /(?<![\p{L}\p{N}])(?:vor\s+de[rm]|gegenuber\s+(?:de[rm]\s+)?|devant\s+l[ea]s?|devant\s+l'|delante\s+de(?:l|\s+la)|frente\s+a(?:l|\s+la)|in\s+front\s+of(?:\s+the)?|outside\s+the|presso\s+(?:l[ao]|il|l')|presso|in\s+(?:het|de))\s*/gu,
    0.74,
  ],
  [
    /(?<![\p{L}\p{N}])on\s+(?:the\s+)?(?=(?:\p{L}+\s){1,3}(?:street|st|road|rd|lane|avenue|ave|pitch|field|terrace|rooftop|beach|pier|square|green)(?!\p{L}))/gu,
    0.72,
  ],
  [
    /(?<![\p{L}\p{N}])(?:visit(?:ing)?|besuchen(?:\s+wir)?|visiter|visitamos|visitaremos)\s+(?:the|das|den|die|le|la|el)\s+/gu,
    0.6,
  ],
  [
    /(?<![\p{L}\p{N}])n[oa]\s+(?=(?:escritorio|sala|casa|parque|centro|teatro|auditorio|restaurante|bar|clube|hotel)(?!\p{L}))/gu,
    0.74,
  ],
  // ", place Bellecour"
  [/(?<=[,;|·-]\s)(?=\p{L})/gu, 0.5],
]
// Prepositions of places alone: a phrase in lower case after them is one too.
const OF_PLACES =
  /^(?:chez|au|a\s+l'\s?|a\s+la|dans\s+l[ea]s?|en\s+el|en\s+la|en\s+casa\s+de|at\s+the|in\s+der|beim|bei(?:\s+\p{L}+)?)\s+$/u
const NO_PLACE =
  /^(?:moment|same|least|end|time|all|once|last|first|noon|night|la|le|fin|final|mismo|tarde|noche|manana|matin|soir|fois|suite|partir|mir|dir|uns|euch|moi|toi|nous|vous|mi|my|mine|our|morgen|abend|anschluss|januar|februar|marz|april|mai|juni|juli|august|september|oktober|november|dezember|calendar|kalender|calendrier|calendario|diary|regen|schlechtem|schlechtwetter|pluie|lluvia|rain|wet\s+weather|bad\s+weather|zeitfenster|school\s+by|ihrem\s+haus|ihrer\s+wohnung|your\s+(?:home|property)|votre\s+domicile|su\s+domicilio)(?!\p{L})/u
// "Bei Regen", "im Zeitfenster"
const NO_NAMED_PLACE =
  /^(?:regen|schlechtem|schlechtwetter|zeitfenster|ihrem\s+haus|ihrer\s+wohnung|your\s+(?:home|property)|votre\s+domicile|su\s+domicilio)(?!\p{L})/u
const MONTH_OR_DAY =
  /^(?:january|february|march|april|may|june|july|august|september|october|november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday|advent)(?!\p{L})/u

// Each match is compared with every date and price of the text.
const MAX_MATCHES = 500

type Context = { readonly addresses: readonly Address[]; readonly taken: readonly Span[] }

/** Names and venue words after "at", "im", "au", "en el". */
export function placesByPreposition(
  source: SourceText,
  addresses: readonly Address[],
  taken: readonly Span[],
): readonly FoundPlace[] {
  const context = { addresses, taken }
  const led = PREPOSITIONS.flatMap(([pattern, base]) =>
    [...source.folded.matchAll(pattern).take(MAX_MATCHES)].flatMap(
      (match) => placeAfter(source, { at: match.index, lead: match[0], base }, context) ?? [],
    ),
  )
  const found = [...led, ...placesAfterTimes(source, context)]
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

type Lead = { readonly at: number; readonly lead: string; readonly base: number }

function placeAfter(
  source: SourceText,
  { at, lead, base }: Lead,
  context: Context,
): FoundPlace | undefined {
  const { addresses, taken } = context
  const from = at + lead.length
  if (taken.some((span) => at >= span.start && at < span.end)) return undefined
  const isSmall = /^\p{Ll}/u.test(source.text.charAt(from))
  // In a picture, a sign that is read as "@" is mostly the logo of a sponsor.
  if (source.isPicture && /@/.test(lead) && !/\p{L}\s?$/u.test(source.text.slice(0, at)))
    return undefined
  if (
    (isSmall || NO_NAMED_PLACE.test(source.folded.slice(from, from + 20))) &&
    NO_PLACE.test(source.folded.slice(from, from + 20))
  )
    return undefined
  // "Jump In Trampoline Park": a capital within a name is no preposition.
  const isInName =
    lead !== '' &&
    /^\p{Lu}/u.test(source.text.charAt(at)) &&
    /\p{Lu}[\p{L}'’-]*[^\S\n]$/u.test(source.text.slice(Math.max(0, at - 20), at))
  if (isInName) return undefined
  if (MONTH_OR_DAY.test(source.folded.slice(from, from + 20))) return undefined
  const address = addresses.find((one) => one.start === from)
  const name =
    address ??
    findVenueAt(source, from, taken) ??
    findNameAt(source, from, taken) ??
    (lead === '' ? undefined : findPlainPlaceAt(source, from, taken))
  const phrase = OF_PLACES.test(lead) ? findPhraseAt(source, from, taken) : undefined
  const span = name ?? phrase
  if (span === undefined || span.end - span.start < 3) return undefined
  const small = source.folded.slice(span.start, span.end)
  const isVenue = VENUE.test(small)
  // "au Festival des Lumières" names the event, not a place.
  const isEvent = address === undefined && KIND.test(small) && !isVenue
  // In a list of facts, the place follows the time.
  const isNext =
    lead === '' &&
    source.lines.length < 3 &&
    taken.some((one) => /^\s*[,;|·-]\s$/u.test(source.folded.slice(one.end, from)))
  // "beim Krippenspiel in der Lutherkirche": the place is behind the second preposition.
  const inner = /^(.*?)\s(?:in\s+der|im|in|at|au|en\s+el|en\s+la)\s/u.exec(small)?.[1]
  const isOuter = inner !== undefined && KIND.test(inner) && !VENUE.test(inner)
  if (isEvent || isOuter || (lead === '' && !isVenue && !isNext)) return undefined
  const following = address === undefined ? addressAfter(source, span.end, context) : undefined
  const isNamed = name !== undefined || /\p{Lu}/u.test(source.text.slice(span.start, span.end))
  return {
    start: at,
    end: following?.end ?? span.end,
    name: trimPunctuation(source.text.slice(span.start, span.end)),
    ...(following === undefined ? {} : { address: following.text }),
    confidence: Math.min(
      0.93,
      base +
        (isVenue
          ? isSmall && !/\p{Lu}/u.test(source.text.slice(span.start, span.end))
            ? -0.02
            : 0.1
          : isNamed
            ? -0.05
            : -0.25) +
        (following === undefined ? 0 : 0.04),
    ),
    manner: 'words',
  }
}

/** In a short note, the name right behind the time: "carol concert Wed 7pm St Peter's Church". */
function placesAfterTimes(source: SourceText, { taken }: Context): readonly FoundPlace[] {
  const first = Math.min(...taken.map(({ start }) => start))
  const hasTitle = /\p{L}{3}/u.test(source.text.slice(0, Math.max(0, Math.min(first, 200))))
  if (source.lines.length > 2 || taken.length === 0 || !hasTitle) return []
  const timed = taken.filter(({ start, end }) => /\d/.test(source.text.slice(start, end)))
  return timed.flatMap(({ end }): FoundPlace[] => {
    const from = end + (/^\s+/.exec(source.text.slice(end, end + 3))?.[0].length ?? 0)
    if (from === end) return []
    const span = /^\p{Lu}/u.test(source.text.charAt(from))
      ? findNameAt(source, from, taken)
      : findVenueAt(source, from, taken)
    if (span === undefined || span.end - span.start < 4) return []
    const small = source.folded.slice(span.start, span.end)
    if (KIND.test(small) && !VENUE.test(small)) return []
    const name = trimPunctuation(source.text.slice(span.start, span.end))
    return [{ ...span, name, confidence: VENUE.test(small) ? 0.7 : 0.55, manner: 'words' }]
  })
}

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

export function trimPunctuation(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/^[\s,;:|·•–—-]+|[\s,;:|·•–—-]+$/gu, '')
    .trim()
}
