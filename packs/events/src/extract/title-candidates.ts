import { fold } from '@surehand/dates'
import { composeTitles } from './compose-title.ts'
import { KIND } from './event-words.ts'
import { findTitles } from './find-title.ts'
import { VERB } from './kind-phrases.ts'
import type { LineRole } from './line-roles.ts'
import { findNounPhrases } from './noun-phrases.ts'
import { overlaps, type SourceLine, type SourceText, type Span } from './source-text.ts'
import { type FoundTitle, type Roles, splitSentence, type TitleContext } from './title-sentences.ts'
import { trimTitle } from './trim-title.ts'

/** How a candidate was found; one title may be found in several ways. */
export type TitleManner = FoundTitle['manner'] | 'phrase' | 'part' | 'lines' | 'subject part'

export type TitleCandidate = Span & {
  readonly title: string
  readonly manners: ReadonlySet<TitleManner>
  readonly isWhole: boolean
}

// More text than an invitation has; every candidate costs some forty comparisons.
const MAX_START = 4_000
const MAX_CANDIDATES = 600
const MAX_TITLE_LENGTH = 120

type Raw = Span & {
  readonly title?: string
  readonly manner: TitleManner
  readonly isWhole?: true
}

/** Everything that may be the title: what the rules find, noun phrases, lines and their parts. */
export function collectTitles(
  source: SourceText,
  context: TitleContext,
  roles: Roles,
): readonly TitleCandidate[] {
  const rules = [
    ...findTitles(source, context),
    ...findTitles(source, { ...context, places: [] }),
  ].map(({ confidence: _, ...one }): Raw => one)
  const raw: readonly Raw[] = [
    ...rules,
    ...composeTitles(source, roles).map((one): Raw => one),
    ...partsOfLines(source),
    ...joinedLines(source),
    ...phrases(source, context.taken),
    ...quotedKinds(source),
  ]
  const isOutside = (line: SourceLine) => NO_TITLE_ROLES.has(roles.get(line) ?? 'plain')
  const outside = source.lines.length < 2 ? [] : source.lines.filter(isOutside)
  return merge(
    raw.filter((one) => MADE.has(one.manner) || isPossible(one, source, context.taken, outside)),
    source,
  )
}

const MADE: ReadonlySet<TitleManner> = new Set(['label', 'composed', 'teams', 'journey'])
const NO_TITLE_ROLES: ReadonlySet<LineRole> = new Set(['greeting', 'closing', 'seat'])
const GREETS =
  /^[^\p{L}]*(?:dear|hi|hey|hello|hallo|liebe[rsn]?|sehr\s+geehrte[rn]?|guten\s+\p{L}+|moin|bonjour|bonsoir|salut|coucou|chere?s?|hola|buen[oa]s\s+\p{L}+|estimad[oa]s?|querid[oa]s?|beste|geachte|hoi|ciao|gentile|bom\s+dia|ola|regards|cheers|viele|mit\s+freundlichen|cordialement|saludos)(?!\p{L})/u
// "zum ersten Elternabend"
const INFLECTED =
  /^(?!open|garden|golden|women|children)\p{Ll}{2,}(?:en|em)\s(?:\p{Ll}+(?:en|em)\s)*\p{Lu}/u

// "Home > Events > Workshops", "Startseite / Kurse / Gesundheit"
const PATH = /^\p{L}[^\n/>›»]{1,30}(?:\s[>›»]\s|\s\/\s[^\n/]{2,30}\s\/\s)/u
// "Karl-Liebknecht-Str. 46"
const STREET =
  /^[\p{L}.-]{2,40}(?:\s[\p{L}.-]{2,40})?(?:str\.|strasse|straße|gasse|allee)\s\d{1,4}/u

/** Whether words of the text may be a title: no greeting, no date, no inflected adjective first. */
function isPossible(
  { start, end }: Span,
  { text, folded, lines }: SourceText,
  taken: readonly Span[],
  outside: readonly SourceLine[],
): boolean {
  const own = text.slice(start, end)
  const dated = taken
    .filter((span) => overlaps(span, { start, end }))
    .reduce((sum, span) => sum + Math.min(span.end, end) - Math.max(span.start, start), 0)
  return (
    dated < 0.4 * (end - start) &&
    !PATH.test(own) &&
    !STREET.test(folded.slice(start, end)) &&
    !INFLECTED.test(own) &&
    // "wir treffen uns"
    !/^(?:treffen|feiern|essen|laden)$/.test(own) &&
    !VERB.test(lastWord(folded.slice(start, end))) &&
    !(lines.length > 1 && GREETS.test(folded.slice(start, end))) &&
    !outside.some((line) => overlaps(line, { start, end }))
  )
}

function phrases(source: SourceText, taken: readonly Span[]): readonly Raw[] {
  return splitSentence(source, taken)
    .filter(({ start }) => start < MAX_START)
    .flatMap((piece) => findNounPhrases(source, piece))
    .map((span) => ({ ...span, manner: 'phrase' }))
}

/** A kind with its name in quotation marks: "Vortrag „Varroa im Herbst“". */
function quotedKinds({ text }: SourceText): readonly Raw[] {
  return [
    ...text.matchAll(/(\p{L}[\p{L}-]*)[^\S\n][„“"«][^„“”"«»\n]{3,80}?[“”"»]/gu).take(20),
  ].flatMap((match): readonly Raw[] =>
    KIND.test(fold(match[1] ?? ''))
      ? [{ start: match.index, end: match.index + match[0].length, manner: 'quotes' }]
      : [],
  )
}

const SUBJECT = /^(?:subject|betreff|objet|asunto|re|concerne|oggetto|assunto|onderwerp)\s*[:.]\s*/u
const PART_END = /\s[–—|·•-]\s|\s*[:|·•]\s|\s\(|,\s|\s\+\s|\.\s|[!?]+\s|\s{2,}/gu

/** The parts of a line between dashes, colons and brackets, from the first or to the last. */
function partsOfLines({ lines, text, folded }: SourceText): readonly Raw[] {
  return lines.flatMap((line): readonly Raw[] => {
    if (line.start > MAX_START) return []
    const label = SUBJECT.exec(folded.slice(line.start, line.end))
    const start = line.start + (label?.[0].length ?? 0)
    const manner = label === null ? 'part' : 'subject part'
    const cuts = [...text.slice(start, line.end).matchAll(PART_END).take(8)].map((cut) => ({
      start: start + cut.index,
      end: start + cut.index + cut[0].length,
    }))
    const edges = [{ start, end: start }, ...cuts]
    const ends = [...cuts.map((cut) => cut.start), line.end]
    return edges.flatMap(({ end: from }, index) =>
      ends.slice(index, index + 3).map((to): Raw => ({ start: from, end: to, manner })),
    )
  })
}

/** Two to four consecutive lines, which may be one headline. */
function joinedLines({ lines, text }: SourceText): readonly Raw[] {
  return lines.flatMap((line, index): readonly Raw[] =>
    line.start > MAX_START
      ? []
      : [2, 3, 4].flatMap((count): readonly Raw[] => {
          const group = lines.slice(index, index + count)
          const last = group.at(-1)
          if (last === undefined || group.length < count || !isHeadline(group, text)) return []
          return [{ start: line.start, end: last.end, manner: 'lines' }]
        }),
  )
}

// "2 participants", or a sign of a picture.
const NO_HEADLINE = /^\s*(?:[©®@<>|]|\d+\s+\p{Ll})/u

function isHeadline(group: readonly SourceLine[], text: string): boolean {
  const words = group.reduce((sum, line) => sum + line.text.trim().split(/\s+/).length, 0)
  const [first] = group
  const last = group.at(-1)
  return (
    words <= 10 &&
    first !== undefined &&
    last !== undefined &&
    !/\n\s*\n/.test(text.slice(first.start, last.end)) &&
    group.every(({ text: one, speaker }) => speaker === undefined && !/[.;]\s*$/.test(one)) &&
    group.slice(1).every(({ text: one }) => !NO_HEADLINE.test(one))
  )
}

// "7QK4XP"
const CODE = /^(?=[^a-z]*\d)(?=.*[A-Z])[A-Z\d/#-]{5,}$|^[\d\W]+$/u
const NO_TITLE =
  /^(?:(?:viens|venez)\s+(?:feter|celebrer|souffler).*|(?:il|elle)\s+t\s+invite.*|\p{L}+\s+te\s+(?:espera|invita).*|(?:promemoria|reminder|recordatorio|rappel|erinnerung)\s+(?:appuntamento|appointment|cita|rendez\s+vous|rdv|termin)|date|time|when|where|who|check|place|venue|address|fecha|hora|lugar|datum|uhrzeit|heure|lieu|quand|wann|name|nombre|nom|appointment\s+card|card|termin(?:karte|zettel)|carte\s+de\s+rendez\s+vous|evening\s+program(?:me)?|funcion\s+unica|entrada\s+(?:libre|gratuita)|(?:mo|di|mi|do|fr|sa|so|lu|ma|me|je|ve|mon|tue|wed|thu|fri|sat|sun|lun|mar|mer|jeu|ven|sam|dim|mie|jue|vie|sab|dom)(?:\s\d+)+|(?:(?:mon|tue|wed|thu|fri|sat|sun|mo|di|mi|do|fr|sa|so)\s){2}.*|gega\s\d+|\p{L}+\s\d{3,4}\p{L}|(?:comensales|couverts|covers|guests|personen|personnes|personas|plazas|platze)\s\d+|of\s+course.*|works\s+for\s+me|kein\s+stress|kein\s+problem|no\s+worries|no\s+problem|pas\s+de\s+souci|sin\s+problema|outward|outbound|inbound|return|hinfahrt|ruckfahrt|hinflug|ruckflug|aller(?:\s+simple)?|retour|ida|vuelta|andata|ritorno|check\s?in|check\s?out|anreise|abreise|entrada|arrival|departure|abfahrt|ankunft|abflug|depart|arrivee|llegada|(?:outward|hinfahrt|hinflug|aller|ida|check\s?in)\s\p{L}{2,3}|(?:vorgangs|auftrags|kunden|buchungs|ticket|bestell)\p{L}*\s[\p{L}\d]*\d[\p{L}\d\s]*|\d+\s(?:participants?|personen|people|adults?|erwachsene|tickets?|termine?|seats?|spots?\s.*|places?|guests?|personas?|personnes?|attendees?|entradas?)|\d+\s(?:likes?|me(?:\s+gusta)?|j\s+aime|mentions|gefallt)(?!\p{L}).*|(?:ouverture|apertura|offnung|opening|einlass)\s+(?:des?\s+)?(?:portes|puertas|doors|\p{L}*tur\p{L}*)|doors(?:\s+open)?|einlass|rsvp|(?:booking|order|ref|reference|confirmation|auftrags\p{L}*|buchungs\p{L}*|reservation|localizador|dossier|pnr)(?:\s+(?:ref|code|number|nummer|no|n))?(?:\s[\p{L}\d]*\d[\p{L}\d]*)?)$/u

function lastWord(text: string): string {
  return /\p{L}+(?=[^\p{L}\p{N}]*$)/u.exec(text.slice(-30))?.[0] ?? ''
}

/** One candidate for each wording; the manners of all that have it. */
function merge(raw: readonly Raw[], { text }: SourceText): readonly TitleCandidate[] {
  const found = new Map<string, TitleCandidate>()
  for (const one of raw) {
    const whole = one.title ?? text.slice(one.start, one.end)
    if (whole.length > 2 * MAX_TITLE_LENGTH) continue
    for (const { title, start, end } of trimTitle(whole, one)) {
      const key = fold(title)
        .replace(/[^\p{L}\p{N}]+/gu, ' ')
        .trim()
      if (!/\p{L}{2}/u.test(title) || title.length > MAX_TITLE_LENGTH || NO_TITLE.test(key))
        continue
      if (title.split(/\s+/).every((word) => CODE.test(word))) continue
      if (!MADE.has(one.manner) && VERB.test(lastWord(key))) continue
      const before = found.get(key)
      if (before === undefined && found.size >= MAX_CANDIDATES) continue
      found.set(key, {
        start: before?.start ?? start,
        end: before?.end ?? end,
        title: before?.title ?? title,
        manners: new Set([...(before?.manners ?? []), one.manner]),
        isWhole: before?.isWhole === true || one.isWhole === true,
      })
    }
  }
  return [...found.values()]
}
