import { fold } from '@surehand/dates'
import type { OcrLine } from '../media/ocr-port.ts'
import { unstackDates } from './stacked-date.ts'

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

// nothing stands in a long run of blanks, dashes or empty lines, and every pattern would look through it again and again
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
