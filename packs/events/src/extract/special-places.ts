import { fold } from '@surehand/dates'
import { KIND, ONLINE } from './event-words.ts'
import { isJourney } from './journey-title.ts'
import { type FoundPlace, trimPunctuation } from './place-words.ts'
import type { SourceText, Span } from './source-text.ts'

// table of words for the home of the person who writes, folded
const HOME =
  /(?<!\p{L})(?:(at|bei|chez|en)\s+)?(mine|my\s+(?:place|house|flat|apartment|garden)|mir(?:\s+zuhause|\s+zu\s+hause)?|moi|mi\s+casa)(?!\p{L})/gu

/** "at my place" of a chat is the place of the person who wrote it. */
export function homes(source: SourceText): readonly FoundPlace[] {
  return source.lines.flatMap((line): FoundPlace[] => {
    const { speaker } = line
    if (speaker === undefined) return []
    return [...source.folded.slice(line.start, line.end).matchAll(HOME)].flatMap((match) => {
      const [found, lead = '', home = ''] = match
      const isEnglish = /^m(?:y|ine)/.test(home)
      if (!isEnglish && !/^(?:bei|chez|en)$/.test(lead)) return []
      const name = isEnglish
        ? `${speaker}'s ${/house|flat|apartment|garden/.exec(home)?.[0] ?? 'place'}`
        : lead === 'en'
          ? `casa de ${speaker}`
          : `${lead} ${speaker}`
      const start = line.start + match.index
      return [{ start, end: start + found.length, name, confidence: 0.85, manner: 'label' }]
    })
  })
}

/** A line such as "Microsoft Teams Meeting" is a place. */
export function onlinePlaces({ lines, folded, text }: SourceText): readonly FoundPlace[] {
  if (lines.length < 3) return []
  return lines.flatMap(({ start, end }): FoundPlace[] => {
    const match = ONLINE.exec(folded.slice(start, end))
    if (match === null || end - start > 40) return []
    const at = start + match.index
    const name = text.slice(at, at + match[0].length)
    return [{ start: at, end: at + match[0].length, name, confidence: 0.75, manner: 'line' }]
  })
}

/** In a chat, a name right before the time: "Tayyabs 8pm". */
export function chatPlaces(
  { lines, text }: SourceText,
  taken: readonly Span[],
): readonly FoundPlace[] {
  return lines.flatMap((line): FoundPlace[] => {
    const first = taken.find((span) => span.start > line.start && span.start < line.end)
    if (line.speaker === undefined || first === undefined) return []
    const name = trimPunctuation(text.slice(line.start, first.start))
    const isName = /^(?:\p{Lu}[\p{L}'’]+\s?){1,3}$/u.test(name)
    return isName && !KIND.test(fold(name))
      ? [{ start: line.start, end: first.start, name, confidence: 0.5, manner: 'line' }]
      : []
  })
}

/** Where a journey begins: the station of its route, the terminal and the gate. */
export function journeyPlaces(source: SourceText): readonly FoundPlace[] {
  if (!isJourney(source)) return []
  const { text } = source
  const parts = [
    /(?<!\p{L})terminal\s*:?\s*(?:[A-Z]?\d{1,2}[A-Z]?|[A-Z])(?![\p{L}\p{N}])/iu,
    /(?<!\p{L})(?:gate|puerta|porte|flugsteig)\s*:?\s*[A-Z]?\d{1,3}[A-Z]?(?![\p{L}\p{N}])/iu,
  ].flatMap((pattern) => pattern.exec(text) ?? [])
  const gates = source.lines.length === 0 ? undefined : parts[0]
  if (gates !== undefined) {
    const start = text.indexOf(gates)
    return [
      {
        start,
        end: start + gates.length,
        name: parts.join(', '),
        confidence: 0.72,
        manner: 'label',
      },
    ]
  }
  const route = /^(\p{L}[\p{L} .'-]{2,40}?)\s*(?:→|->|➔|\s[-–]\s|\s>\s|\sto\s)\s*\p{Lu}/mu.exec(
    text,
  )
  const from = route?.[1]
  return route === null || from === undefined
    ? []
    : [
        {
          start: route.index,
          end: route.index + from.length,
          name: from.trim(),
          confidence: 0.72,
          manner: 'label',
        },
      ]
}
