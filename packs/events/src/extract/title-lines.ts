import { fold } from '@surehand/dates'
import { KIND, ONLINE, VENUE } from './event-words.ts'
import { withoutFiller } from './filler.ts'
import { BADGE_ROLE, foldedLine, type LineRole } from './line-roles.ts'
import { NAME_PARTICLE } from './phrase.ts'
import { overlaps, type SourceLine, type SourceText, type Span } from './source-text.ts'
import {
  capitalize,
  type FoundTitle,
  folded,
  isProse,
  isVenue,
  isWrapped,
  type Roles,
  round,
  type TitleContext,
  tidy,
  titlesBySentence,
} from './title-sentences.ts'

/** The names of a field that states the title, folded. */
export const TITLE_LABEL =
  /^[^\p{L}\p{N}\n]{0,4}(?:what|event(?:\s+name)?|title|tratamiento|grund|traitement|kurs|course|class|film|pelicula|activity|activite|actividad|examination|untersuchung|examen|especialidad|specialite|restaurante?|hotel|appointment\s+type|terminart|aktivitat|consulta|subject|re|betr(?:ifft)?\.?|service|exam|treatment|topic|occasion|procedure|reason|was|veranstaltung|titel|betreff|anliegen|leistung|thema|anlass|behandlung|quoi|evenement|titre|objet|motif|sujet|prestation|dienstleistung|prueba|prestacion|timed\s+entry|next\s+up|oggetto|assunto|onderwerp|que|evento|titulo|asunto|tramite|motivo|tema|acto|servicio)\s*[:=]\s*/u

const ROLE_WEIGHT: Readonly<Record<LineRole, number>> = {
  header: -0.45,
  letterhead: -0.35,
  greeting: -0.6,
  closing: -0.6,
  signature: -0.55,
  presenter: -0.35,
  organiser: -0.2,
  person: -0.45,
  seat: -0.5,
  label: -0.3,
  detail: -0.3,
  subject: 0.2,
  plain: 0,
}

/**
 * Among several lines: by size in a picture, by capitals and position in a text, by what its words
 * and its neighbours are in both. Consecutive lines of one headline form one title.
 */
export function titlesByLine(
  source: SourceText,
  context: TitleContext,
  roles: Roles,
): readonly FoundTitle[] {
  const taken = [...context.taken, ...(context.places ?? [])]
  const usable = source.lines.filter(
    (line) => isTitleLine(line, taken) && !TITLE_LABEL.test(foldedLine(source, line)),
  )
  const look = describeLook(source, usable)
  const blocks = groupHeadlines(usable, { source, roles, look })
  const found = blocks.flatMap((block, index): FoundTitle[] => {
    const [first] = block
    const last = block.at(-1)
    if (first === undefined || last === undefined || isProse(first)) return []
    // A line of a paragraph is no headline.
    const isWithin =
      isWrapped(source.text, last.end) ||
      (first.start > 0 && isWrapped(source.text, first.start - 1))
    if (isWithin && !look.isHeadline(first)) return []
    const span = { start: first.start, end: last.end }
    const title = stripLead(tidy(block.map((line) => tidy(line.text)).join(' ')))
    const read = Math.min(...block.map((line) => line.confidence))
    const score =
      0.5 +
      look.prominence(block) +
      weighWords(source, span, title) +
      weighPlace(block, { source, roles, taken, index })
    return [
      {
        ...span,
        title,
        manner: 'line',
        confidence: round(Math.max(0.05, score) * (0.5 + read / 2)),
      },
    ]
  })
  const prose = source.lines.filter(isProse).length
  const weight = source.isPicture ? 0.8 : prose > 0 ? 1 : 0.85
  const sentences = titlesBySentence(source, context, roles).map((one) => ({
    ...one,
    confidence: round(one.confidence * weight),
  }))
  return [...found, ...sentences]
}

// "You're invited to a housewarming!"
const INVITED =
  /^(?:you're|you\s+are|join\s+us|wir\s+laden|nous\s+vous\s+invit|te\s+invit|os\s+invit)(?=\p{L}*\s)/u

// "zur Taufe unserer Tochter Emma", below "Wir laden euch ein"
function stripLead(title: string): string {
  if (!/^\p{Ll}/u.test(title) && !INVITED.test(fold(title))) return title
  const { start, end } = withoutFiller(fold(title), 0, title.length)
  return start >= end ? title : capitalize(title.slice(start, end))
}

type Look = {
  readonly prominence: (block: readonly SourceLine[]) => number
  readonly isHeadline: (line: SourceLine) => boolean
}

function describeLook(source: SourceText, usable: readonly SourceLine[]): Look {
  if (source.isPicture) return lookOfPicture(source, usable)
  const hasSmall = source.lines.some(
    (line) => !isCapital(line) && /\p{Ll}{3}/u.test(line.text) && line.speaker === undefined,
  )
  const capitals = usable.filter(isCapital)
  const isHeadline = (line: SourceLine) => hasSmall && isCapital(line)
  return {
    isHeadline,
    prominence: (block) => (block.every(isHeadline) ? (capitals.length <= 4 ? 0.16 : 0.08) : 0),
  }
}

function isCapital({ text }: SourceLine): boolean {
  const letters = text.replace(/[^\p{L}]/gu, '')
  return letters.length >= 3 && letters === letters.toUpperCase()
}

function lookOfPicture(source: SourceText, usable: readonly SourceLine[]): Look {
  const largest = Math.max(1, ...usable.map(lineHeight))
  const usual =
    source.lines.map(lineHeight).sort((one, other) => one - other)[
      Math.floor(source.lines.length / 2)
    ] ?? 0
  return {
    // The lines of a headline are this much larger than the median line.
    isHeadline: (line) => lineHeight(line) > 1.2 * usual,
    prominence: (block) => {
      const height = Math.max(...block.map(lineHeight))
      const next = Math.max(1, ...usable.filter((line) => !block.includes(line)).map(lineHeight))
      // Allows for an error of measurement of about a pixel.
      const lead = height >= 0.93 * largest ? 1 : height / largest
      const standsOut = lead === 1 ? Math.min(0.3, Math.max(0, (height / next - 1) * 0.5)) : 0
      return 0.45 * (lead - 0.75) + standsOut
    },
  }
}

function lineHeight({ height = 0 }: SourceLine): number {
  return height
}

// "WEIHNACHTSMARKT", and below it "IM SCHLOSSHOF"
const CONTINUES = /^(?:im|in|am|an|at|auf|au|en|de|du|of|on)\s/u

type Grouping = { readonly source: SourceText; readonly roles: Roles; readonly look: Look }

function groupHeadlines(
  lines: readonly SourceLine[],
  { source, roles, look }: Grouping,
): readonly (readonly SourceLine[])[] {
  const { lines: all } = source
  // The presenter and the venue are not part of the title, however large they are.
  const isSeparate = (line: SourceLine) =>
    (roles.get(line) !== 'plain' && roles.get(line) !== 'organiser') ||
    (isVenue(foldedLine(source, line)) &&
      !CONTINUES.test(foldedLine(source, line)) &&
      /\s/.test(line.text.trim()))
  const found: SourceLine[][] = []
  for (const line of lines) {
    const block = found.at(-1)
    const last = block?.at(-1)
    const isNext = last !== undefined && all.indexOf(line) === all.indexOf(last) + 1
    const isTitle =
      last !== undefined &&
      !isSeparate(last) &&
      !isSeparate(line) &&
      look.isHeadline(last) &&
      look.isHeadline(line) &&
      (source.isPicture ? isSameSize(last, line) : areOneHeadline(last, line, source))
    if (block !== undefined && isNext && isTitle && block.length < 4) block.push(line)
    else found.push([line])
  }
  return found
}

function isSameSize(last: SourceLine, line: SourceLine): boolean {
  const [one, other] = [lineHeight(last), lineHeight(line)]
  // Accents and particles make a line higher or lower than the next one of the same headline.
  const isLoose =
    /[À-ÖØ-Þ]/u.test(last.text + line.text) ||
    /(?<!\p{L})(?:der|des|de|du|la|les|the|of|for|del|den|und|et|y|and|di|da)\s*$/iu.test(last.text)
  const isSame = Math.abs(one - other) <= (isLoose ? 0.3 : 0.16) * Math.max(one, other)
  // A wide gap separates two large lines.
  const isNear =
    last.y === undefined || line.y === undefined || line.y - last.y < 3.2 * Math.max(one, other)
  return isSame && isNear
}

// Two lines of capitals are one headline if both are short or the second continues the first.
function areOneHeadline(last: SourceLine, line: SourceLine, source: SourceText): boolean {
  const words = (one: SourceLine) => one.text.trim().split(/\s+/)
  const [begin = ''] = foldedLine(source, line).split(/\s+/)
  return (
    (NAME_PARTICLE.test(begin) && begin !== 'the') ||
    (words(last).length <= 2 && words(line).length <= 2) ||
    // "FERIA DEL LIBRO", and below it "VIEJO Y ANTIGUO"
    (KIND.test(foldedLine(source, last)) &&
      !KIND.test(foldedLine(source, line)) &&
      words(last).length + words(line).length <= 7)
  )
}

function weighWords(source: SourceText, span: Span, title: string): number {
  const small = folded(source, span).trim()
  const words = title.split(/\s+/).length
  return (
    (KIND.test(small) ? 0.15 : 0) -
    (isVenue(small) ? 0.25 : VENUE.test(small) && !KIND.test(small) ? 0.1 : 0) -
    (ONLINE.test(small) ? 0.3 : 0) -
    (words > 10 ? 0.3 : 0) -
    (/^\p{Ll}/u.test(title) ? 0.2 : 0) -
    (/[.,:]$/.test(title) ? 0.08 : 0) -
    (/[?!]$/.test(title) ? 0.05 : 0) -
    (/^(?:at|im|in|am|au|a|en|by|von|par|por)\s/u.test(small) ? 0.1 : 0) +
    (/(?<!\p{N})(?:19|20)\d{2}(?!\p{N})/u.test(title) ? 0.06 : 0) +
    (/\p{L}\s(?:v|vs|versus|gegen|contra)\.?\s\p{L}/u.test(small) ? 0.2 : 0)
  )
}

type Surroundings = {
  readonly source: SourceText
  readonly roles: Roles
  readonly taken: readonly Span[]
  readonly index: number
}

/** By the lines before and behind it: after "presents", above the date, near the top. */
function weighPlace(
  block: readonly SourceLine[],
  { source, roles, taken, index }: Surroundings,
): number {
  const { lines } = source
  const [first] = block
  const last = block.at(-1)
  if (first === undefined || last === undefined) return 0
  const before = lines[lines.indexOf(first) - 1]
  const after = lines[lines.indexOf(last) + 1]
  const role = Math.min(...block.map((line) => ROLE_WEIGHT[roles.get(line) ?? 'plain']))
  const isPresented =
    before !== undefined && (roles.get(before) === 'presenter' || roles.get(before) === 'header')
  const isDated = after !== undefined && !isTitleLine(after, taken) && /\d/.test(after.text)
  const isBadge = lines.some((line) => BADGE_ROLE.test(foldedLine(source, line)))
  const early = source.isPicture ? 0.02 : 0.05
  // A name in large letters below the date is who wears the badge, or who plays.
  const isBelow =
    taken.some(
      (span) => span.end <= first.start && /\d/.test(source.text.slice(span.start, span.end)),
    ) &&
    block.every(({ text }) => /^(?:\p{Lu}[\p{L}.'’-]*\s?){1,3}$/u.test(text.trim())) &&
    !KIND.test(folded(source, { start: first.start, end: last.end }))
  return (
    role +
    (isPresented ? 0.12 : 0) -
    (isBelow ? 0.25 : 0) +
    (isDated ? (isBadge ? 0.35 : 0.04) : 0) -
    Math.min(0.35, index * early)
  )
}

function isTitleLine(line: SourceLine, taken: readonly Span[]): boolean {
  const letters = line.text.replace(
    /(?<!\p{L})(?:EUR|USD|GBP|CHF|MXN|COP)(?!\p{L})|[^\p{L}]/gu,
    '',
  ).length
  const claimed = taken
    .filter((span) => overlaps(span, line))
    .reduce((sum, span) => sum + Math.min(span.end, line.end) - Math.max(span.start, line.start), 0)
  return letters >= 3 && claimed < 0.4 * (line.end - line.start)
}
