import { fold } from '@surehand/dates'
import { KIND, VENUE } from './event-words.ts'
import { FUNCTION_WORD } from './kind-phrases.ts'
import { type FoundPlace, trimPunctuation } from './place-words.ts'
import { overlaps, type SourceText, type Span } from './source-text.ts'
import { splitSentence } from './title-sentences.ts'

export type PlaceManner = FoundPlace['manner'] | 'piece' | 'whole line' | 'origin' | 'room'

/** A place, or, without a name, that the text names none. */
export type PlaceCandidate = Span & {
  readonly name: string
  readonly address?: string
  readonly manners: ReadonlySet<PlaceManner>
}

// table of words that begin no place, folded
const NO_PLACE =
  /^(?:segunda\s+convocatoria|primera\s+convocatoria|plus|christmas|nachste\s+termine|hi|hey|hello|dear|hallo|liebe[rn]?|sehr|bonjour|bonsoir|salut|chers?|cheres?|hola|estimad\p{L}*|ciao|hoi|beste|best|regards|cheers|thanks|danke|merci|gracias|join\s+link|check|order|booking|seat|coach|seats|wagen|voiture|coche|baggage|passenger|traveller|vehicle|bring|bitte|please|tel|call|rsvp|ho\s|\d+\s+(?:adult|erwachsene|kind|adulto|adulte))(?![\p{L}])/u

// A place only if the text says who writes: then a rule names the person.
const AT_HOME =
  /(?<!\p{L})(?:(?:bei|chez)\s+(?:mir|uns|moi|nous)|at\s+(?:mine|ours)|my\s+(?:place|house)|en\s+mi\s+casa|a\s+casa\s+mia)(?!\p{L})/u

type Raw = Omit<PlaceCandidate, 'manners'> & {
  readonly manner: PlaceManner
}

const MAX_CANDIDATES = 300
const MAX_WORDS = 9

/** Everything that may be the place: what the rules find, lines, and pieces between commas. */
export function collectPlaces(
  source: SourceText,
  { places, taken }: { readonly places: readonly FoundPlace[]; readonly taken: readonly Span[] },
): readonly PlaceCandidate[] {
  const raw: readonly Raw[] = [
    ...places.map(({ confidence: _, ...one }): Raw => ({ ...one, name: withoutLabel(one.name) })),
    ...origins(source),
    ...pieces(source, taken),
    ...lines(source, taken),
    ...rooms(source),
  ]
  const found = new Map<string, PlaceCandidate>()
  for (const { manner, ...one } of raw) {
    const key = fold(`${one.name} ${one.address ?? ''}`)
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim()
    const before = found.get(key)
    const isHome = manner !== 'label' && AT_HOME.test(key)
    if (
      key === '' ||
      isHome ||
      NO_PLACE.test(key) ||
      (before === undefined && found.size >= MAX_CANDIDATES)
    )
      continue
    found.set(key, {
      ...(before ?? one),
      manners: new Set([...(before?.manners ?? []), manner]),
    })
  }
  return [{ start: 0, end: 0, name: '', manners: new Set() }, ...found.values()]
}

/** Pieces of a sentence between commas, dates and brackets, each with the piece behind its comma. */
function pieces(source: SourceText, taken: readonly Span[]): readonly Raw[] {
  const all = splitSentence(source, taken)
  return all.flatMap((piece, index): readonly Raw[] => {
    const own = source.text.slice(piece.start, piece.end)
    const name = trimPlace(own)
    const start = piece.start + Math.max(0, own.indexOf(name))
    const next = all[index + 1]
    const isJoined =
      next !== undefined && /^\s*[,(]\s*$/u.test(source.text.slice(piece.end, next.start))
    const more = isJoined ? trimPlace(source.text.slice(next.start, next.end)) : ''
    if (!isShort(name)) return []
    return [
      { start, end: piece.end, name, manner: 'piece' },
      ...(isShort(more) && next !== undefined
        ? [{ start, end: next.end, name, address: more, manner: 'piece' as const }]
        : []),
    ]
  })
}

function lines({ lines: all, text }: SourceText, taken: readonly Span[]): readonly Raw[] {
  return all.flatMap((line): readonly Raw[] => {
    const whole = trimPlace(text.slice(line.start, line.end))
    const dated = taken.some((span) => overlaps(span, line))
    return dated || !isShort(whole)
      ? []
      : [{ start: line.start, end: line.end, name: whole, manner: 'whole line' }]
  })
}

const ROOM =
  /(?<!\p{L})(?:(?:meeting|conference|community|seminar|lecture)\s)?(?:room|raum|zimmer|salle|sala|aula|saal|salon|lokaal|zaal|klassenraum|consulta|hall|pitch|court|clinic|screen|studio)s?\s(?:n[°º.]\s?)?(?:[a-z]?\d[\d.]{0,5}[a-z]?|[a-h])(?![\p{L}\d])/gu

/** A room with a number, wherever it stands. */
function rooms({ text, folded }: SourceText): readonly Raw[] {
  return [...folded.matchAll(ROOM).take(10)].map((match): Raw => {
    const end = match.index + match[0].length
    return { start: match.index, end, name: text.slice(match.index, end), manner: 'room' }
  })
}

function isShort(name: string): boolean {
  return (
    /\p{L}{2}/u.test(name) &&
    !FUNCTION_WORD.has(fold(name)) &&
    name.split(/\s+/).length <= MAX_WORDS &&
    name.length <= 90
  )
}

const LABEL =
  /^(?:where|venue|location|place|address|meeting\s+point|start|ziel|ort|wo|veranstaltungsort|treffpunkt|adresse|lieu|depart|lugar|donde|sede|direccion|domicilio|punto\s+de\s+encuentro|luogo|dove|onde|local|waar|locatie|plaats|centre|room|raum|saal|salle|sala|besammlung|rendez-vous)\s*[:=]\s*/u
const LEAD =
  /^(?:(?:we\s+)?(?:meet(?:ing)?|meet\s+up|treffen(?:\s+wir\s+uns)?|rendez-vous|rdv)\s+)?(?:at|in|im|am|an|on|bei|beim|zu[rm]?|auf|vor|ins?|chez|au|aux|dans|a|en|al|presso|da|no|na|nella|nel|bij|op|te|from|to|@)\s+(?:(?:the|der|dem|den|das|die|la|le|les|el|los|las|il|lo|het|de|o|our|unser\p{L}*)\s+)?/u

const BEHIND =
  /\s(?:on|at|am|um|le|el|il|op|from|by|for|and|und|et|y|e|the|a|to|with|mit|de|von|ab|bis)$/iu
const INNER =
  /\s(?:at|im|in\s+der|in|bei|beim|chez|au|a\s+la|en|@|presso|da|bij|dans|to)\s(?:(?:the|la|le|el|der|den|dem|het|de)\s)?(?=\S)/u

// "Dinner at Ginza Kyubey": the place is behind the preposition.
function withoutEvent(name: string): string {
  const small = fold(name)
  const inner = INNER.exec(small)
  const head = inner === null ? '' : small.slice(0, inner.index)
  return inner !== null && KIND.test(head) && !VENUE.test(head)
    ? name.slice(inner.index + inner[0].length)
    : name
}

function withoutLabel(name: string): string {
  return name.slice(LABEL.exec(fold(name))?.[0].length ?? 0)
}

/** Without the label or preposition before it. */
function trimPlace(text: string): string {
  const whole = trimPunctuation(text).replace(/[.!?]+$/u, '')
  const rest = withoutEvent(withoutLabel(whole)).replace(BEHIND, '')
  const lead = LEAD.exec(fold(rest))?.[0].length ?? 0
  return trimPunctuation(rest.slice(lead).replace(/^[^\p{L}\p{N}]+/u, ''))
}

const STOP = String.raw`\p{Lu}[\p{L}\p{N}.' -]{1,40}?(?:\s\([\p{L} ]{2,20}\))?`
const ROUTES = [
  // "Cork (Kent) to Dublin Heuston", "Queenscliff → Sorrento", "Lyon Part-Dieu 10h04 → Paris"
  new RegExp(
    String.raw`(?<=^|\n|\d\s{1,4}|:\s)(${STOP})\s*(?:\d{1,2}\s?[:h.]\s?\d{2})?\s*(?:→|->|➔|✈|>|—>|\s[-–—]\s|\sto\s|\snach\s)\s*(?:[\dA-Z][\p{L}\d]*)?(?=\s?\p{L})`,
    'gu',
  ),
  // "Hannover Hbf ab 09:31", "dep. Cork 07:00"
  new RegExp(
    String.raw`(?<=^|\n)(${STOP})[^\S\n]+(?:ab|dep\.?|departs?|départ|salida)\s+\d{1,2}[:h.]\d{2}`,
    'gu',
  ),
  // "12DEC2026  YOW OTTAWA 21:45"
  /(?<=\s)([A-Z]{3}\s\p{Lu}[\p{L} ]{2,30}?)\s+\d{1,2}[:h.]\d{2}/gu,
]

const ARROW = /→|->|➔|✈|>|—>/u

/** Where a journey begins. With an arrow in the text, a dash is no route: "Renfe – Billete". */
function origins({ text }: SourceText): readonly Raw[] {
  return ROUTES.flatMap((pattern) => {
    const matches = [...text.matchAll(pattern).take(4)]
    const arrows = matches.filter(([match]) => ARROW.test(match))
    return (arrows.length === 0 ? matches : arrows).map((match): Raw => {
      const name = (match[1] ?? '')
        .replace(/^(?:Flight|Flug|Vol|Vuelo|Volo|Voo|Train|Zug)\s+[A-Z\d]{2}\s?\d{2,4}\s+/u, '')
        .trim()
      return { start: match.index, end: match.index + match[0].length, name, manner: 'origin' }
    })
  })
}
