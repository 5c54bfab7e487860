import { composeTitles } from './compose-title.ts'
import { KIND } from './event-words.ts'
import { findLineRoles } from './line-roles.ts'
import type { SourceText } from './source-text.ts'
import { TITLE_LABEL, titlesByLine } from './title-lines.ts'
import {
  capitalize,
  type FoundTitle,
  type Roles,
  type TitleContext,
  tidy,
  titlesBySentence,
} from './title-sentences.ts'

const QUOTED = /[„“"«]\s?([^„“”"«»\n]{3,80}?)\s?[“”"»]/gu
/** The possible titles in a text, the likeliest first. */
export function findTitles(source: SourceText, context: TitleContext): readonly FoundTitle[] {
  const roles = findLineRoles(source)
  const hasLines = source.isPicture || source.lines.length >= 3
  const others = hasLines
    ? titlesByLine(source, context, roles)
    : titlesBySentence(source, context, roles)
  const all = [
    ...titlesByLabel(source, roles),
    ...titlesByQuotes(source),
    ...composeTitles(source, roles),
    ...others,
  ].filter(({ title }) => /\p{L}{2}/u.test(title))
  return all.toSorted((one, other) => other.confidence - one.confidence || one.start - other.start)
}

function titlesByLabel(source: SourceText, roles: Roles): readonly FoundTitle[] {
  const { lines, folded, text } = source
  return lines.flatMap((line): FoundTitle[] => {
    const match = TITLE_LABEL.exec(folded.slice(line.start, line.end))
    if (match === null || line.speaker !== undefined) return []
    const from = line.start + match[0].length
    // "Subject: Re: Invitation: Kick-off" is about the kick-off.
    const lead =
      /^(?:(?:re|aw|fwd?|wg|tr|rv|(?:\p{L}+\s+)?reminder|invitation|einladung(?:\s+zu[mr]?)?|convocation|invitacion|erinnerung|rappel|recordatorio|terminbestatigung|updated)\s*(?:[:–-]\s*|(?=zu[mr]\s)))+/u.exec(
        folded.slice(from, line.end),
      )
    const start = from + (lead?.[0].length ?? 0)
    const cut = /\s[-–|]\s/u.exec(text.slice(start, line.end))
    const rest = cut === null ? '' : folded.slice(start + cut.index, line.end)
    // "Fire safety training - mandatory"
    const isNote =
      cut !== null && !/\p{Lu}/u.test(text.slice(start + cut.index, line.end)) && !KIND.test(rest)
    const end = isNote && rest !== '' ? start + (cut?.index ?? 0) : line.end
    const isSubject = /^\W*(?:subject|betreff|objet|asunto|oggetto|assunto|onderwerp|re)\W/u.test(
      match[0],
    )
    const title = isSubject
      ? shortSubject(tidy(text.slice(start, end)))
      : // "Pottery for Beginners (2 seats)"
        tidy(text.slice(start, end).replace(/\s*\(\d+\s[^()]{1,20}\)\s*$/u, ''))
    const isGeneric = title === '' || roles.get(line) === 'header'
    const manner = isSubject ? 'subject' : 'label'
    return isGeneric
      ? []
      : [{ start, end, title, confidence: isSubject ? 0.91 : 0.93, isWhole: true, manner }]
  })
}

// "Your interview at Nordlicht AG"
function shortSubject(text: string): string {
  const short = text
    .replace(/^(?:ihre?|your|votre|vos|su|our|unsere?|notre)\s+/iu, '')
    .replace(/\s(?:bei(?:\s+der|m)?|at|chez|in\s+der)\s.*$/iu, '')
    .replace(/\s(?:notice|reminder|invitation|confirmation|confirmed|update|details|info)$/iu, '')
  return short === '' ? text : capitalize(short)
}

// A band or a speaker is quoted after "with"; a title stands alone or after its kind.
const QUOTED_GUEST =
  /(?<!\p{L})(?:with|mit|avec|con|by|von|de|par|por|band|group|gruppe|groupe|grupo|choir|chor)\s*$/u

function titlesByQuotes({ text, folded, lines }: SourceText): readonly FoundTitle[] {
  return [...text.matchAll(QUOTED)].map((match): FoundTitle => {
    const isGuest = QUOTED_GUEST.test(folded.slice(Math.max(0, match.index - 20), match.index))
    return {
      start: match.index,
      end: match.index + match[0].length,
      title: (match[1] ?? '').trim(),
      confidence: isGuest ? 0.3 : lines.length >= 3 ? 0.75 : 0.84,
      isWhole: true,
      manner: 'quotes',
    }
  })
}
