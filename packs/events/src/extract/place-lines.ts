import { fold } from '@surehand/dates'
import { KIND, VENUE } from './event-words.ts'
import { BADGE_ROLE, foldedLine } from './line-roles.ts'
import { type Address, type FoundPlace, trimPunctuation } from './place-words.ts'
import { isFree, type SourceLine, type SourceText, type Span } from './source-text.ts'
import type { Roles } from './title-sentences.ts'

const NEXT_LABEL =
  /\s+(?:price|time|date|tickets?|entry|admission|preis|zeit|datum|uhrzeit|eintritt|prix|heure|tarif|precio|hora|fecha|entrada)(?!\p{L}).*$/iu

type Rank = Pick<FoundPlace, 'confidence' | 'manner'>

/** Splits a line into name and address. */
export function splitPlace(
  { start, end }: Span,
  { text }: SourceText,
  rank: Rank,
): readonly FoundPlace[] {
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

/** Where the last date or time stands; prices, links and phone numbers are none. */
function lastDate({ text }: SourceText, taken: readonly Span[]): number {
  const dates = taken.filter(({ start, end }) => {
    const words = text.slice(start, end)
    return /\d/.test(words) && !/[€$£@]|www|https?:|\d{5}|(?:\d\D?){8}/u.test(words)
  })
  return Math.max(-1, ...dates.map(({ start }) => start))
}

/** On a poster without a word for a venue, the line below the date is mostly the place. */
export function placesByPosition(
  source: SourceText,
  taken: readonly Span[],
  roles: Roles,
): readonly FoundPlace[] {
  const { lines } = source
  if (lines.length < 3) return []
  const last = lastDate(source, taken)
  const dated = lines.findLastIndex(({ start, end }) => last >= start && last < end)
  const beside = lines.flatMap((line) => placesBeside(line, source, taken))
  const below = lines.slice(dated + 1, dated + 3).flatMap((line, index): readonly FoundPlace[] => {
    const words = line.text.replace(/,.*/u, '').trim().split(/\s+/).length
    const isName = /^[\p{Lu}\d]/u.test(line.text.trim()) && words <= 8 && !/[.!?:]$/.test(line.text)
    if (dated < 0 || !isName || roles.get(line) !== 'plain' || !isFree(line, taken)) return []
    return splitPlace(line, source, { confidence: index === 0 ? 0.56 : 0.45, manner: 'line' })
  })
  return [...below, ...beside]
}

/** A name on the line of the date, behind it or before a sign: "4–6 May 2027 · ICC Birmingham". */
function placesBeside(
  line: SourceLine,
  source: SourceText,
  taken: readonly Span[],
): readonly FoundPlace[] {
  const own = taken.filter(
    ({ start, end }) =>
      start >= line.start && end <= line.end && /\d/.test(source.text.slice(start, end)),
  )
  const first = Math.min(...own.map(({ start }) => start))
  const end = Math.max(...own.map((span) => span.end))
  if (own.length === 0) return []
  const isName = ({ start, end }: Span) =>
    /^[^\S\n]*[·|•,–-]?[^\S\n]*(?:\p{Lu}[\p{L}\p{N}.&-]*(?:['’](?!ll|m |ve|re|d )[\p{L}]+)?(?:\s(?:of|the|de|la|le|des|du|del|der|am|an|im)(?=\s))*\s?){1,6}(?:,\s\p{Lu}[\p{L}\p{N} -]+)?\s*[·|•,–-]?\s*$/u.test(
      source.text.slice(start, end),
    ) && !KIND.test(source.folded.slice(start, end))
  const behind = { start: end, end: line.end }
  const before = { start: line.start, end: first }
  const isCut = /[·|•]\s*$/u.test(source.text.slice(line.start, first))
  return [
    ...(isName(behind) ? [behind] : []),
    ...(isCut && isName(before) ? [before] : []),
  ].flatMap((span) => splitPlace(span, source, { confidence: 0.6, manner: 'line' }))
}

type LineContext = {
  readonly addresses: readonly Address[]
  readonly taken: readonly Span[]
  readonly roles: Roles
}

/** Lines with a street, named before it or on the line above, and lines with a word for a venue. */
export function placesByLine(
  source: SourceText,
  { addresses, taken, roles }: LineContext,
): readonly FoundPlace[] {
  // In a message of one line, a street is the place wherever it stands.
  if (source.lines.length < 2)
    return addresses.map(({ start, end, text }) => ({
      start,
      end,
      name: text,
      confidence: 0.68,
      manner: 'words',
    }))
  const withStreet = addresses.flatMap((address): FoundPlace[] => {
    const index = source.lines.findIndex(
      ({ start, end }) => address.start >= start && address.start < end,
    )
    const line = source.lines[index]
    if (line === undefined) return []
    const before = textAfter({ start: line.start, end: address.start }, source, taken)
    const above = index > 0 ? source.lines[index - 1] : undefined
    // A greeting or "presented by" above a street names no venue.
    const isOther =
      above !== undefined && /^(?:presenter|detail|header|seat)$/.test(roles.get(above) ?? '')
    const over = above === undefined || isOther ? undefined : textAfter(above, source, taken)
    const [name, start] =
      before !== undefined
        ? [namePart(before.text), before.start]
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
  const dated = lastDate(source, taken)
  const isBadge = source.lines.some((line) => BADGE_ROLE.test(foldedLine(source, line)))
  const named = source.lines.flatMap((line): readonly FoundPlace[] => {
    const rest = textAfter(line, source, taken)
    const small = rest === undefined ? '' : source.folded.slice(rest.start, rest.end)
    if (
      rest === undefined ||
      !VENUE.test(small) ||
      rest.text.replace(/,.*/u, '').split(/\s+/).length > 8 ||
      /[.!]$/.test(rest.text) ||
      (/^\p{Ll}/u.test(rest.text.replace(/^(?:im|in|at|au|en)\s/u, '').slice(0, 1)) &&
        !(/\s\p{Lu}/u.test(rest.text) && /^\p{L}+/u.test(rest.text) && isVenueFirst(rest.text)))
    )
      return []
    const isBehind = line.start > dated
    // On a badge, what stands below its wearer, or above the date, is where the wearer works.
    const isOfWearer =
      isBadge && source.lines.some((one) => roles.get(one) === 'person' && one.start < line.start)
    const base = isOfWearer ? 0.4 : isBehind ? 0.72 : isBadge ? 0.42 : 0.66
    return splitPlace(rest, source, {
      confidence: KIND.test(small) ? base - 0.11 : base,
      manner: 'line',
    })
  })
  return [...withStreet, ...named]
}

// "piscine de Bréquigny"
function isVenueFirst(text: string): boolean {
  return VENUE.test(/^\p{L}+/u.exec(fold(text))?.[0] ?? '')
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
  if (rest !== '' && from < end) return { start: from, end, text: rest }
  // "Café Morgenrot, 11 Uhr"
  const first = Math.min(
    end,
    ...taken.filter((span) => span.start < end && span.end > start).map((span) => span.start),
  )
  const before = trimPunctuation(text.slice(start, first))
  return /\p{L}{3}/u.test(before) ? { start, end: first, text: before } : undefined
}

// "in Ihrer Wohnung, Gartenweg 14" has no name.
function namePart(text: string): string | undefined {
  const last = text.split(/\s*[|·•]\s*|\s[–-]\s/u).at(-1) ?? text
  return /^\p{Ll}/u.test(last) || last.split(/\s+/).length > 7 ? undefined : last
}

function asName(rest: Rest | undefined): string | undefined {
  if (rest === undefined) return undefined
  const name = rest.text.replace(
    /^(?:at(?:\s+the)?|im|in\s+der|au|à\s+la|chez|en\s+el|en\s+la)\s+/iu,
    '',
  )
  return name.split(/\s+/).length <= 6 && /\p{Lu}/u.test(name) && !/[!?:]$/.test(name)
    ? name
    : undefined
}
