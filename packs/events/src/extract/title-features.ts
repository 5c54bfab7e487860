import { fold } from '@surehand/dates'
import { KIND } from './event-words.ts'
import { type Cue, findCues } from './filler.ts'
import { BADGE_ROLE } from './line-roles.ts'
import type { FoundPlace } from './place-words.ts'
import type { Features } from './rank.ts'
import { overlaps, type SourceLine, type SourceText, type Span } from './source-text.ts'
import type { TitleCandidate, TitleManner } from './title-candidates.ts'
import { describeEdges } from './title-edges.ts'
import { isProse, type Roles } from './title-sentences.ts'
import { describeWords, isGeneric, isInstitution } from './title-words.ts'

export type TitleSurroundings = {
  readonly source: SourceText
  readonly roles: Roles
  readonly taken: readonly Span[]
  readonly when: readonly Span[]
  readonly places: readonly FoundPlace[]
}

/** Describes each candidate by features whose weights are in title-weights.ts. */
export function describeTitles(
  candidates: readonly TitleCandidate[],
  surroundings: TitleSurroundings,
): readonly { readonly value: TitleCandidate; readonly features: Features }[] {
  const { source } = surroundings
  const page = describePage(surroundings)
  const whole = candidates.filter(
    ({ title, manners }) => manners.has('phrase') && KIND.test(firstWord(title)),
  )
  const hasManner = (manner: TitleManner) => candidates.some(({ manners }) => manners.has(manner))
  const kindLines = kindLinesOf(surroundings)
  const isInner = (one: TitleCandidate) =>
    whole.some((other) => other.start < one.start && other.end >= one.end)
  return candidates.map((value) => {
    const names = [
      ...(isInner(value) ? ['within a phrase of a kind'] : []),
      ...describeRivals(value, kindLines, surroundings),
      ...MADE.flatMap((manner) =>
        hasManner(manner) && !value.manners.has(manner) ? [`beside ${manner}`] : [],
      ),
      ...describeManner(value),
      ...describeWords(value, source),
      ...describeEdges(value, { ...surroundings, cues: page.cues }),
      ...describePosition(value, surroundings, page),
      ...describeLook(value, surroundings, page),
      ...describePlace(value, surroundings),
    ]
    return {
      value,
      features: new Map(names.map((name) => [name, 1])),
    }
  })
}

/** The short lines above the date, or on its line, with a word for a kind of event. */
function kindLinesOf({ source, when }: TitleSurroundings): readonly SourceLine[] {
  const last = Math.max(...when.map(({ end }) => end))
  return source.lines.filter(
    (line) =>
      line.start <= last &&
      !isProse(line) &&
      KIND.test(source.folded.slice(line.start, line.end)) &&
      !isGeneric(line.text.trim()),
  )
}

/** Whether other lines are as likely to name the event: an organiser stands above its event. */
function describeRivals(
  { start, end, title }: TitleCandidate,
  kindLines: readonly SourceLine[],
  { source: { lines }, when, taken }: TitleSurroundings,
): string[] {
  if (lines.length < 3) return []
  const isKind = KIND.test(fold(title))
  const others = kindLines.filter((line) => line.end <= start || line.start >= end)
  const first = Math.min(...when.map((span) => span.start))
  const between = lines.filter(
    (line) => line.start >= end && line.end < first && !taken.some((span) => overlaps(span, line)),
  ).length
  const index = lines.findIndex((line) => start >= line.start && start <= line.end)
  const tests: readonly (readonly [string, boolean])[] = [
    ['no kind, a later line has one', !isKind && others.some((line) => line.start >= end)],
    ['no kind, an earlier line has one', !isKind && others.some((line) => line.end <= start)],
    ['kind, the only line with one', isKind && others.length === 0],
    ['first line, one more before the date', index === 0 && between === 1],
    ['first line, two or more before the date', index === 0 && between >= 2],
    ['second line, none before the date', index === 1 && between === 0 && end <= first],
    ['second line, more before the date', index === 1 && between > 0],
    ['third line, none before the date', index === 2 && between === 0 && end <= first],
  ]
  return tests.flatMap(([name, holds]) => (holds ? [name] : []))
}

const MADE: readonly TitleManner[] = ['teams', 'label', 'composed', 'journey']

const NEWSLETTER =
  /(?<!\p{L})(?:newsletter|rundbrief|boletin|bulletin|e-?news|news|mitteilungsblatt|gemeindebrief|gazette|gazeta|l'agenda|this\s+month|what's\s+on|la\s+lettre|infobrief)(?!\p{L})/u

function firstWord(title: string): string {
  return fold(title).split(/\s+/)[0] ?? ''
}

/** A letter has its title in a sentence, or above its greeting; a poster on a line of its own. */
type PageKind = 'picture' | 'chat' | 'letter' | 'lines' | 'message'

function pageKind({ lines, isPicture }: SourceText, roles: Roles): PageKind {
  if (isPicture) return 'picture'
  if (lines.some(({ speaker }) => speaker !== undefined)) return 'chat'
  if (lines.length < 3) return 'message'
  const isLetter = lines.some((line) => isProse(line) || roles.get(line) === 'greeting')
  return isLetter ? 'letter' : 'lines'
}

type Page = {
  readonly cues: readonly Cue[]
  readonly kind: PageKind
  readonly largest: number
  readonly median: number
  readonly isBadge: boolean
  readonly firstDate: number
}

function describePage({ source, roles, taken, when }: TitleSurroundings): Page {
  const { lines, folded } = source
  const free = lines.filter((line) => !taken.some((span) => overlaps(span, line)))
  const heights = lines.map(({ height = 0 }) => height).toSorted((one, other) => one - other)
  return {
    cues: findCues(folded),
    kind: pageKind(source, roles),
    largest: Math.max(1, ...free.map(({ height = 0 }) => height)),
    median: heights[Math.floor(heights.length / 2)] ?? 0,
    isBadge: lines.some(({ start, end }) => BADGE_ROLE.test(folded.slice(start, end).trim())),
    firstDate: Math.min(...when.map(({ start }) => start)),
  }
}

// The rules were tuned on most of the cases, so that their own weights would be trusted too much.
const UNRANKED: ReadonlySet<TitleManner> = new Set(['sentence', 'line'])

function describeManner({ manners, isWhole }: TitleCandidate): string[] {
  return [
    ...[...manners].flatMap((manner) => (UNRANKED.has(manner) ? [] : [`found as ${manner}`])),
    ...(isWhole ? ['whole'] : []),
  ]
}

function describePosition(
  { start, end, title }: TitleCandidate,
  { source, roles, when }: TitleSurroundings,
  { kind, firstDate }: Page,
): string[] {
  const { lines, text } = source
  const isKind = KIND.test(fold(title))
  const index = lines.findIndex((line) => start >= line.start && start <= line.end)
  const line = lines[index]
  const isWholeLine = line !== undefined && start - line.start < 4 && end >= line.end - 4
  const last = lines.findIndex((one) => end >= one.start && end <= one.end)
  const next = lines[last + 1]
  const role = line === undefined ? 'plain' : (roles.get(line) ?? 'plain')
  const above = lines[index - 1]
  const aboveRole = above === undefined ? 'none' : (roles.get(above) ?? 'plain')
  const isNear = when.some((span) => {
    const [from, to] = span.start >= end ? [end, span.start] : [span.end, start]
    return to - from < 140 && !/[.!?]\s+\p{Lu}|\n\s*\n/u.test(text.slice(from, Math.max(from, to)))
  })
  const isDated = (one: SourceLine | undefined) =>
    one !== undefined && when.some((span) => overlaps(span, one))
  const tests: readonly (readonly [string, boolean])[] = [
    [`${kind}: role ${role}`, role !== 'plain'],
    [`${kind}: first line`, index === 0],
    [`${kind}: second line`, index === 1],
    [`${kind}: third line or later`, index > 1],
    [`${kind}: in the second half`, lines.length > 4 && index > lines.length / 2],
    [`${kind}: whole line`, isWholeLine],
    [`${kind}: near the date`, isNear],
    [`${kind}: before the date`, end <= firstDate],
    [`${kind}: on the line of the date`, isDated(line)],
    [`${kind}: above the date`, isDated(next) && !isDated(line)],
    [`${kind}: kind near the date`, isNear && isKind],
    [`${kind}: kind in a whole line`, isWholeLine && isKind],
    [`${kind}: kind in the first line`, index === 0 && isKind],
    [`${kind}: kind not near the date`, !isNear && isKind],
    [`${kind}: kind in prose`, isKind && line !== undefined && isProse(line)],
    [`${kind}: whole line, no kind, first`, isWholeLine && !isKind && index === 0],
    [`${kind}: whole line, no kind, before the date`, isWholeLine && !isKind && end <= firstDate],
    [`below ${aboveRole}`, aboveRole !== 'plain' && aboveRole !== 'none'],
    [`${kind}: speaker`, line?.speaker !== undefined],
    ['in a later message', line?.speaker !== undefined && index > 0],
    ['in the head of a newsletter', index === 0 && NEWSLETTER.test(fold(line?.text ?? ''))],
    [`${kind}: generic`, isGeneric(title)],
    ['institution in the first line', index === 0 && lines.length > 2 && isInstitution(title)],
    ['at the start', start < 3],
    [
      'list item without a date',
      line !== undefined && !isDated(line) && /^\s*(?:[-–•*]|\d{1,2}[.)])\s/u.test(line.text),
    ],
  ]
  return tests.flatMap(([name, holds]) => (holds ? [name] : []))
}

/** The size of its letters, and whether the lines around it look the same. */
function describeLook(
  { start, end, title }: TitleCandidate,
  { source: { lines }, taken }: TitleSurroundings,
  { kind, largest, median, isBadge, firstDate }: Page,
): string[] {
  const index = lines.findIndex((line) => start >= line.start && start <= line.end)
  const last = lines.findIndex((one) => end >= one.start && end <= one.end)
  const [above, line, next] = [lines[index - 1], lines[index], lines[last + 1]]
  const isKind = KIND.test(fold(title))
  const isWholeLine = line !== undefined && start - line.start < 4 && end >= line.end - 4
  const height = (line?.height ?? 0) / largest
  const isEven = last > index && !isUneven(lines.slice(index, last + 1))
  const tests: readonly (readonly [string, boolean])[] = [
    ['largest, kind', kind === 'picture' && height >= 0.93 && isKind],
    [
      'largest, not the median',
      kind === 'picture' && height >= 0.93 && (line?.height ?? 0) > 1.3 * median,
    ],
    ['largest, whole line', kind === 'picture' && height >= 0.93 && isWholeLine],
    ['largest', kind === 'picture' && height >= 0.93],
    ['large', kind === 'picture' && height >= 0.7 && height < 0.93],
    ['small', kind === 'picture' && height < 0.5],
    ['badge: small', isBadge && height < 0.7],
    ['badge: above the date', isBadge && end <= firstDate],
    ['badly read', (line?.confidence ?? 1) < 0.6],
    ['uneven lines', last > index && isUneven(lines.slice(index, last + 1))],
    ['even lines', isEven && kind === 'picture' && (line?.height ?? 0) > 1.15 * median],
    ['even lines, small', isEven && kind === 'picture' && (line?.height ?? 0) <= 1.15 * median],
    ['even lines, capitals', isEven && kind !== 'picture' && isCapital(line?.text ?? '')],
    ['joined lines', last > index && kind !== 'picture'],
    ['goes on above', isSameLook(above, line, taken, isWholeLine) && kind === 'picture'],
    ['goes on below', isSameLook(lines[last], next, taken, isWholeLine) && kind === 'picture'],
    [
      'kind alone, goes on above',
      isSameLook(above, line, taken, isWholeLine) && isKind && !/\s/.test(title),
    ],
    ['goes on above, capitals', kind !== 'picture' && areCapitals(above, line)],
    ['goes on below, capitals', kind !== 'picture' && areCapitals(lines[last], next)],
  ]
  return tests.flatMap(([name, holds]) => (holds ? [name] : []))
}

function isUneven(lines: readonly SourceLine[]): boolean {
  const heights = lines.map(({ height = 0 }) => height)
  const isMixed =
    lines.some(({ text }) => isCapital(text)) && lines.some(({ text }) => !isCapital(text))
  return Math.min(...heights) < 0.75 * Math.max(...heights) || (heights[0] === 0 && isMixed)
}

function isSameLook(
  one: SourceLine | undefined,
  other: SourceLine | undefined,
  taken: readonly Span[],
  isWholeLine: boolean,
): boolean {
  if (one === undefined || other === undefined || !isWholeLine) return false
  if ([one, other].some((line) => taken.some((span) => overlaps(span, line)))) return false
  return !isUneven([one, other])
}

function areCapitals(one: SourceLine | undefined, other: SourceLine | undefined): boolean {
  return one !== undefined && other !== undefined && isCapital(one.text) && isCapital(other.text)
}

function isCapital(text: string): boolean {
  const letters = text.replace(/[^\p{L}]/gu, '')
  return letters.length >= 3 && letters === letters.toUpperCase()
}

function describePlace(
  { start, end, title }: TitleCandidate,
  { places }: TitleSurroundings,
): string[] {
  const small = fold(title)
  const [best] = places
  const within = (sure: number) =>
    places.some((place) => place.confidence >= sure && start >= place.start && end <= place.end)
  const name = best === undefined ? '' : fold(best.name)
  return [
    ...(within(0.8) ? ['within a sure place'] : within(0.5) ? ['within a place'] : []),
    ...(name !== '' && small === name ? ['is the place'] : []),
    ...(name !== '' && small !== name && small.includes(name) ? ['has the place'] : []),
  ]
}
