import { KIND, ONLINE, VENUE } from './event-words.ts'
import { findCues, withoutFiller } from './filler.ts'
import { findKindPhrases } from './kind-phrases.ts'
import type { LineRole } from './line-roles.ts'
import { NAME_PARTICLE } from './phrase.ts'
import type { SourceLine, SourceText, Span } from './source-text.ts'

export type FoundTitle = Span & {
  readonly title: string
  readonly confidence: number
  /** After a label, or in quotation marks: a place within it is part of it. */
  readonly isWhole?: true
  /** How it was found. */
  readonly manner:
    | 'label'
    | 'subject'
    | 'quotes'
    | 'composed'
    | 'teams'
    | 'journey'
    | 'line'
    | 'sentence'
}

/** What the words of a text are already: dates, prices and links; places; the date of the event. */
export type TitleContext = {
  readonly taken: readonly Span[]
  readonly places?: readonly Span[]
  readonly when?: readonly Span[]
}

export type Roles = ReadonlyMap<SourceLine, LineRole>

const OUTSIDE: ReadonlySet<LineRole> = new Set([
  'greeting',
  'closing',
  'signature',
  'letterhead',
  'seat',
  'header',
  'person',
  'label',
])

/** In a sentence, the text between dates and places without filler words. */
export function titlesBySentence(
  source: SourceText,
  { taken, places = [], when = [] }: TitleContext,
  roles: Roles,
): readonly FoundTitle[] {
  const outside = source.lines.filter((line) => isOutside(roles.get(line) ?? 'plain', source))
  const pieces = splitSentence(source, [...taken, ...places, ...outside])
  const trips = splitSentence(source, [...taken, ...outside]).flatMap((piece) =>
    findKindPhrases(source, piece)
      .filter((span) => span.isTrip && isRunning(source, span))
      .flatMap((span) => toTitle(source, span, 0.14 + weighDate(source, span, when)) ?? []),
  )
  const found = pieces.flatMap((piece, index): FoundTitle[] => {
    const cleaned = withoutFiller(source.folded, piece.start, piece.end)
    const name = findName(source, cleaned)
    const isKind = KIND.test(folded(source, cleaned))
    const words = source.text.slice(cleaned.start, cleaned.end).split(/\s+/).length
    // A name within a piece is the title only if the rest of the piece is too long to be one.
    const isLong = words > 7
    const isInvited =
      /^\s*zu[mr]\s/u.test(source.folded.slice(piece.start, piece.end)) &&
      /(?<!\p{L})(?:lad(?:t|en|e)|einladung|eingeladen)(?!\p{L})/u.test(source.folded)
    const cue = (piece.isLed || isInvited ? 0.16 : 0) + (piece.isFollowed ? 0.14 : 0)
    const titles = [
      { span: cleaned, more: cue },
      ...(name === undefined ? [] : [{ span: name, more: isLong ? 0.05 : isKind ? -0.2 : -0.08 }]),
    ]
    const phrases = findKindPhrases(source, piece)
      .filter((span) => isRunning(source, span) && isBetter(source, span, { piece, cleaned }))
      .map((span) => ({ span, more: cue + 0.06 }))
    return [...titles, ...phrases].flatMap(
      ({ span, more }) =>
        toTitle(source, span, more - Math.min(0.3, index * 0.03) + weighDate(source, span, when)) ??
        [],
    )
  })
  return [...trips, ...found]
}

/** A quoted or short piece that names a place, "Yoga in the Park", is a title as a whole. */
function isBetter(
  { text, folded: small }: SourceText,
  phrase: Span,
  { piece, cleaned }: { readonly piece: Span; readonly cleaned: Span },
): boolean {
  if (phrase.start >= cleaned.end || phrase.end <= cleaned.start) return false
  const rest = small.slice(phrase.end, cleaned.end)
  const isPlaced =
    phrase.start <= cleaned.start &&
    /^\s(?:in|im|am|an|at|auf|on|au|aux|a|en|sur|del?)\s(?:(?:the|der|den|dem|la|le|les|el|los)\s)?\p{L}+$/u.test(
      rest,
    ) &&
    /\p{Lu}/u.test(text.slice(phrase.end, cleaned.end))
  return !isPlaced && !/["„“«]\s?$/u.test(text.slice(Math.max(0, piece.start - 2), piece.start))
}

/** On one line, "ITV coche 23/11" is no seat. */
function isOutside(role: LineRole, { lines }: SourceText): boolean {
  return OUTSIDE.has(role) && (lines.length >= 3 || role === 'greeting' || role === 'closing')
}

/** An event is mostly named in the sentence of its date. */
function weighDate({ text }: SourceText, { start, end }: Span, when: readonly Span[]): number {
  const isNear = when.some((span) => {
    const [from, to] = span.start >= end ? [end, span.start] : [span.end, start]
    return to - from < 120 && !/[.!?]\s+\p{Lu}|\n\s*\n/u.test(text.slice(from, Math.max(from, to)))
  })
  return isNear ? 0.06 : 0
}

/** A line of running text, whose title is within a sentence. */
export function isProse({ text, speaker }: SourceLine): boolean {
  const words = text.trim().split(/\s+/).length
  return (
    speaker !== undefined || words > 11 || (words > 6 && /[.!?]\s*$|[.!?]\s+\p{Lu}/u.test(text))
  )
}

/** Whether words stand in running text: the line of a poster is a title as a whole. */
function isRunning({ lines, text }: SourceText, { start }: Span): boolean {
  const line = lines.find((one) => start >= one.start && start < one.end)
  return (
    line === undefined ||
    lines.length < 3 ||
    isProse(line) ||
    isContinued(text, line.start) ||
    isContinued(text, line.end + 1) ||
    isWrapped(text, line.end) ||
    (line.start > 0 && isWrapped(text, line.start - 1))
  )
}

function toTitle(source: SourceText, span: Span, more: number): FoundTitle | undefined {
  const title = tidy(source.text.slice(span.start, span.end))
  const words = title.split(/\s+/)
  if (title.length < 3 || words.length > 14) return undefined
  const capitals = words.filter((word) => /^[\p{Lu}\d]/u.test(word)).length / words.length
  const small = folded(source, span)
  const kind = KIND.test(small) ? 0.2 : 0
  const shape =
    (words.length >= 2 ? 0.08 : 0) +
    capitals * 0.12 -
    (words.length > 7 ? 0.15 : 0) -
    (isVenue(small) ? 0.1 : 0) -
    (ONLINE.test(small) ? 0.3 : 0) -
    (NOT_A_TITLE.test(small) ? 0.3 : 0) -
    (ONLY_AN_APPOINTMENT.test(small.trim()) ? 0.12 : 0) -
    (LEADS_IN.test(small.trim()) ? 0.25 : 0)
  const confidence = round(Math.max(0.05, Math.min(0.88, 0.38 + kind + shape + more)))
  return {
    start: span.start,
    end: span.end,
    title: capitalize(title),
    confidence,
    manner: 'sentence',
  }
}

// "Your appointment", which is followed by what it is for.
export const ONLY_AN_APPOINTMENT =
  /^(?:(?:ihr(?:en)?|your|votre|su|tu|an?|un|una|einen?)\s+)?(?:termine?|appointments?|appt|slot|sailing|rdv|rendez-vous|citas?|turno|seances?|appuntamento|afspraak|visita?|visite|besuch|abholung|retour|trip)$/u
// "Following our call of 18 February"
const LEADS_IN =
  /^(?:following|further\s+to|after|as\s+discussed|thank\s+you\s+for|thanks\s+for|suite\s+a|comme\s+convenu|apres|merci\s+(?:de|pour)|nach|wie\s+besprochen|danke\s+fur|vielen\s+dank|tras|despues\s+de|como\s+(?:acordamos|hablamos)|gracias\s+(?:a|por))(?!\p{L})/u

export const NOT_A_TITLE =
  /(?<!\p{L})(?:tickets?|rsvp|anmeldung|inscription(?:s)?|inscripcion(?:es)?|plazas|let\s+me\s+know|dietary|bring|bringt|please|bitte|merci\s+de|confirm(?:er|ar)?|attendance|provided|quelle\s+heure|what\s+time|what\s+about|um\s+wie\s?viel|welche\s+uhrzeit|a\s+que\s+hora|when|where|wann|wo|quand|cuando|donde|yes|yep|yeah|ok|okay|gerne|perfecto|carrement|genau|claro|i'm\s+in|me\s+too|see\s+you|don't\s+be|dont\s+be|lol|ladt|laden|ca\s+marche|karten|bescheid|tragt\s+euch|cannot\s+attend|parking|free|gratis|gratuit|ouvert\s+a\s+tous|questions?|passengers?|patient|name)(?!\p{L})/u

/** A name within a longer text: several capitalised words and particles between them. */
function findName({ text, folded: small }: SourceText, { start, end }: Span): Span | undefined {
  const runs: { start: number; end: number; names: number }[] = []
  let run: { start: number; end: number; names: number } | undefined
  for (const match of text.slice(start, end).matchAll(/\S+/g)) {
    const at = start + match.index
    const stop = at + match[0].length
    if (/^["'(]?[\p{Lu}\d]/u.test(match[0])) {
      run = { start: run?.start ?? at, end: stop, names: (run?.names ?? 0) + 1 }
      if (run.names > 1) runs.push(run)
    } else if (!NAME_PARTICLE.test(small.slice(at, stop))) run = undefined
  }
  const best = runs.toSorted(
    (one, other) => other.names - one.names || other.end - other.start - (one.end - one.start),
  )[0]
  return best === undefined || (best.start === start && best.end >= end - 1)
    ? undefined
    : { start: best.start, end: best.end }
}

export type Piece = Span & {
  /** After words such as "you are invited to", or before "takes place". */
  readonly isLed: boolean
  readonly isFollowed: boolean
}

/** Whether a sentence goes on behind the line that ends here. */
export function isWrapped(text: string, at: number): boolean {
  const before = text.slice(text.lastIndexOf('\n', at - 1) + 1, at)
  const after = text.slice(at + 1, at + 3)
  return (
    before.trim().length >= 24 &&
    /[\p{L}\p{N},]\.?\s*$/u.test(before) &&
    !/\p{L}\.\s*$/u.test(before) &&
    (/^\p{Ll}/u.test(after) || /(?:\s\p{Ll}{1,4}|,)\s*$/u.test(before))
  )
}

/** An invitation breaks its sentences: the next line goes on in small letters. */
function isContinued(text: string, at: number): boolean {
  return at > 1 && /^\p{Ll}/u.test(text.slice(at)) && /[\p{L}»”"]\n$/u.test(text.slice(at - 2, at))
}

export function splitSentence(
  { text, folded: small, lines }: SourceText,
  taken: readonly Span[],
): readonly Piece[] {
  const messages = new Set(lines.flatMap((line) => (line.speaker === undefined ? [] : line.start)))
  const stops = [
    ...small.matchAll(
      /[\n;!?|•·()]+|\s[-–—]\s|,\s|(?<!(?<!\p{L})(?:st|dr|dra|prof|mr|mrs|ms|sra?|nr|no|fr|hr|[a-ln-z]))\.(?=\s|$)|:\s|["„“”«»]|[\u{1f300}-\u{1faff}\u2600-\u27bf]\ufe0f?/gu,
    ),
  ]
    .map((match) => ({ start: match.index, end: match.index + match[0].length }))
    .filter((stop) => !isBetweenTeams(stop, text, small))
    .filter(
      ({ start, end }) =>
        text.slice(start, end) !== '\n' ||
        messages.has(end) ||
        !(isWrapped(text, start) || isContinued(text, end)),
    )
  const cues = findCues(small)
  const cuts = [...taken, ...stops, ...cues].toSorted((one, other) => one.start - other.start)
  const pieces: Piece[] = []
  const isCue = (role: 'before' | 'after', at: number) =>
    cues.some((cue) => cue.role === role && (role === 'before' ? cue.end : cue.start) === at)
  let from = 0
  for (const cut of [...cuts, { start: text.length, end: text.length }]) {
    if (cut.start > from)
      pieces.push({
        start: from,
        end: cut.start,
        isLed: isCue('before', from),
        isFollowed: isCue('after', cut.start),
      })
    from = Math.max(from, cut.end)
  }
  return pieces.filter((piece) => /\p{L}{2}/u.test(text.slice(piece.start, piece.end)))
}

// "the match PSG – Lyon"
function isBetweenTeams({ start, end }: Span, text: string, small: string): boolean {
  return (
    /^\s[-–—]\s$/u.test(text.slice(start, end)) &&
    /^\p{Lu}/u.test(text.slice(end)) &&
    /(?<!\p{L})(?:match|spiel|derby|partido|finale?|game)(?:\s\S+){1,3}$/u.test(
      small.slice(Math.max(0, start - 50), start),
    )
  )
}

// Words for venues that are as often part of a title: "La Casa de Bernarda Alba".
const WEAK_VENUE =
  /(?<!\p{L})(?:casa|maison|house|haus|place|plaza|garden|jardin|garten|court|room|yard|field|hub|quinta|strand|lake|castle|station|park|school|college|cafe|bar|club|market)(?!\p{L})/gu

export function isVenue(text: string): boolean {
  return VENUE.test(text.replace(WEAK_VENUE, '')) && !KIND.test(text)
}

export function folded(source: SourceText, { start, end }: Span): string {
  return source.folded.slice(start, end)
}

export function tidy(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/(?<!\p{L})appt\.?(?!\p{L})/giu, 'appointment')
    .replace(/(?<!\p{L})w(?:\/\s?|\s(?=\p{L}))/giu, 'with ')
    .replace(/^[\s\-–—•·*|:,.#<>]+|[\s\-–—•·*|:,]+$/gu, '')
    .trim()
}

export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

export function round(value: number): number {
  return Math.round(Math.min(0.95, value) * 100) / 100
}
