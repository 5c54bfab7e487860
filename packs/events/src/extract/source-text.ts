import { fold } from '@surehand/dates'
import type { OcrLine } from '@surehand/reading'

const MONTH =
  /^(?:jan(?:uary|uar|vier|v)?|ene(?:ro)?|feb(?:ruary|ruar|rero)?|f[eé]v(?:rier|r)?|mar(?:ch|s|zo)?|m(?:ä|ae|a)rz|apr(?:il)?|avr(?:il)?|abr(?:il)?|may(?:o)?|mai|june?|juni|juin|junio|july?|juli|juillet|juil|julio|aug(?:ust)?|ao[uû]t|ago(?:sto)?|sept?(?:ember|embre|iembre)?|o[ck]t(?:ober|obre|ubre)?|nov(?:ember|embre|iembre)?|d[eé][cz](?:ember|embre)?|dic(?:iembre)?)(?!\p{L})\.?(?:\s+(?:19|20)\d{2})?/iu
const NUMBER = /^(?:[0-3]\s?\d|\d)(?![\d:,/]|\.\d|\s?(?:h|uhr|am|pm|€|£|\$)(?!\p{L}))\.?/iu
// lines that begin at the same place, give or take, stand one under the other
const ASLANT = 0.05
const MOST_LINES_APART = 3

/**
 * A date that is set as a block, the day's large number above its month, with other things to its
 * right: a reader of pictures reads across both. The number and the month are taken out of their
 * lines and put together on one of their own.
 */
function unstackDates(lines: readonly OcrLine[]): readonly OcrLine[] {
  const width = Math.max(1, ...lines.map(({ box }) => box.x + box.width))
  for (const [index, line] of lines.entries()) {
    const month = MONTH.exec(line.text)?.[0]
    if (month === undefined) continue
    const above = lines.slice(Math.max(0, index - MOST_LINES_APART), index).toReversed()
    const below = lines.slice(index + 1, index + 1 + MOST_LINES_APART)
    const day = [...above, ...below].find(
      (one) => NUMBER.test(one.text) && isOver(one, line, ASLANT * width),
    )
    const number = day === undefined ? undefined : NUMBER.exec(day.text)?.[0]
    if (day === undefined || number === undefined) continue
    const date = { ...line, text: `${number.replace(/[\s.]/g, '')} ${month}` }
    return lines.flatMap((one) => {
      if (one === day) return rest(one, number)
      return one === line ? [date, ...rest(one, month)] : [one]
    })
  }
  return lines
}

// their left edges agree, or their middles where nothing else was read into them
function isOver({ box: one }: OcrLine, { box: other }: OcrLine, tolerance: number): boolean {
  const middles = Math.abs(one.x + one.width / 2 - (other.x + other.width / 2))
  return Math.min(Math.abs(one.x - other.x), middles) < tolerance
}

function rest(line: OcrLine, taken: string): readonly OcrLine[] {
  const text = line.text.slice(taken.length).trim()
  return text === '' ? [] : [{ ...line, text }]
}

export type Span = { readonly start: number; readonly end: number }

export type SourceLine = Span & {
  readonly text: string
  /** Of its letters, where it was read from a picture. */
  readonly height?: number
  /** Its upper edge. */
  readonly y?: number
  readonly confidence: number
}

/** A text with its lines, as everything that looks for something in it sees it. */
export type SourceText = {
  readonly text: string
  /** Of the same length: small letters, no accents. */
  readonly folded: string
  readonly lines: readonly SourceLine[]
  /** Read from a picture: the size of a line means something. */
  readonly isPicture: boolean
}

// a text that is longer is no invitation, and every pattern runs over all of it
const MOST_CHARACTERS = 20_000

export function sourceText(text: string, read?: readonly OcrLine[]): SourceText {
  const ocrLines = read === undefined ? undefined : unstackDates(read)
  const isPicture = ocrLines !== undefined && ocrLines.length > 0
  const raw = isPicture
    ? ocrLines.map((line) => mended(line.text))
    : collapsed(text.slice(0, MOST_CHARACTERS)).split('\n')
  const lines: SourceLine[] = []
  let start = 0
  for (const [index, one] of raw.entries()) {
    const line = one.normalize('NFC').replace(/\r/g, '').trimEnd()
    const ocr = isPicture ? ocrLines[index] : undefined
    lines.push({
      text: line,
      start,
      end: start + line.length,
      ...(ocr === undefined ? {} : { height: ocr.letterHeight, y: ocr.box.y }),
      confidence: ocr?.confidence ?? 1,
    })
    start += line.length + 1
  }
  const whole = lines.map((line) => line.text).join('\n')
  return {
    text: whole,
    folded: fold(whole),
    lines: lines.filter((line) => line.text.trim() !== ''),
    isPicture,
  }
}

// nothing stands in a long run of blanks, dashes or empty lines, and every pattern would look
// through it again and again
function collapsed(text: string): string {
  return text
    .replace(/[^\S\n]{5,}/g, '    ')
    .replace(/(?:\n[^\S\n]{0,4}){4,}/g, '\n\n\n')
    .replace(/([^\p{L}\p{N}\s])\1{8,}/gu, (_, sign: string) => sign.repeat(8))
}

// a reader of pictures takes noughts for letters and ones for strokes
function mended(text: string): string {
  return text
    .replace(/(?<=\d)[Oo](?=[\d:.hH\s]|$)/g, '0')
    .replace(/(?<![\p{L}\d])[Il|](?=\d[:.h]?\d)/gu, '1')
    .replace(/(?<=\d[:.]?)[Il|](?=\d)/g, '1')
    .replace(/(?<=\d)\s*:\s*(?=\d\d(?!\d))/g, ':')
}

export function overlaps(one: Span, other: Span): boolean {
  return one.start < other.end && other.start < one.end
}

export function isFree(span: Span, taken: readonly Span[]): boolean {
  return taken.every((one) => !overlaps(one, span))
}
