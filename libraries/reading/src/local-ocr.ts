import { Buffer } from 'node:buffer'
import type { Page } from 'tesseract.js'
import { cleanImage, isPhotographed } from './clean-image.ts'
import { withDecodeSlot } from './decode-slots.ts'
import type { OcrLine } from './ocr-port.ts'
import { OCR_LANGUAGES, type OcrPort, type OcrReading, type OcrRequest } from './ocr-port.ts'
import { openImage, unreadableImage } from './open-image.ts'
import { createTesseractReader, type TesseractReader } from './tesseract-reader.ts'

/** The lines of text that Tesseract found, without noise, one line per column. */
export function readLines(page: Page): {
  readonly lines: readonly OcrLine[]
  readonly text: string
} {
  const blocks = (page.blocks ?? []).map((block) =>
    block.paragraphs.flatMap((paragraph) => paragraph.lines.flatMap(splitColumns)).filter(isText),
  )
  const isSpeck = findSpecks(blocks.flat())
  const filled = blocks
    .map((lines) => lines.filter((line) => !isSpeck(line)))
    .filter((lines) => lines.length > 0)
  return {
    lines: filled.flat(),
    text: filled.map((lines) => lines.map(({ text }) => text).join('\n')).join('\n\n'),
  }
}

type FoundLine = NonNullable<Page['blocks']>[number]['paragraphs'][number]['lines'][number]
type FoundWord = FoundLine['words'][number]

// In line heights. A wider gap does not occur within a line of text: what follows is another column.
const MAX_WORD_GAP = 1.8

/** Splits a line that Tesseract read across columns into one line per column. */
function splitColumns(line: FoundLine): readonly OcrLine[] {
  const maxGap = MAX_WORD_GAP * (line.bbox.y1 - line.bbox.y0)
  const columns: FoundWord[][] = []
  for (const word of line.words) {
    const before = columns.at(-1)?.at(-1)
    if (before === undefined || word.bbox.x0 - before.bbox.x1 > maxGap) columns.push([word])
    else columns.at(-1)?.push(word)
  }
  return columns.length < 2
    ? [toOcrLine(line)]
    : columns.map((words) => toOcrLine({ ...line, ...joinWords(words) }))
}

function joinWords(words: readonly FoundWord[]): Pick<FoundLine, 'text' | 'confidence' | 'bbox'> {
  const boxes = words.map(({ bbox }) => bbox)
  return {
    text: words.map(({ text }) => text).join(' '),
    confidence: words.reduce((sum, word) => sum + word.confidence, 0) / words.length,
    bbox: {
      x0: Math.min(...boxes.map(({ x0 }) => x0)),
      y0: Math.min(...boxes.map(({ y0 }) => y0)),
      x1: Math.max(...boxes.map(({ x1 }) => x1)),
      y1: Math.max(...boxes.map(({ y1 }) => y1)),
    },
  }
}

function toOcrLine({ text, confidence, bbox, rowAttributes }: FoundLine): OcrLine {
  const box = { x: bbox.x0, y: bbox.y0, width: bbox.x1 - bbox.x0, height: bbox.y1 - bbox.y0 }
  // The height of a row includes its descenders.
  const { rowHeight, descenders } = rowAttributes
  const letterHeight = Math.round(Math.min(rowHeight - Math.abs(descenders), box.height))
  return {
    text: text.trim(),
    confidence: confidence / 100,
    box,
    letterHeight: Math.max(1, letterHeight),
  }
}

// Ornaments and the dots of large letters are read as single characters. A single digit may be a day
// of the month.
function isText({ text, confidence }: OcrLine): boolean {
  if (confidence < (text.length > 4 ? 0.2 : 0.5)) return false
  const written = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0
  return written > 1
    ? written * 2 >= text.replaceAll(' ', '').length
    : /^\p{N}$/u.test(text) && confidence > 0.6
}

const READABLE_PAGE = 0.75

// If the rest of the page is readable, a line of low confidence is the grain of the paper; on a page
// that is hard to read it may be text.
function findSpecks(lines: readonly OcrLine[]): (line: OcrLine) => boolean {
  return confidenceOf(lines) < READABLE_PAGE ? () => false : ({ confidence }) => confidence < 0.5
}

/** The mean confidence, weighted by the length of the lines. */
function confidenceOf(lines: readonly OcrLine[]): number {
  const letters = lines.reduce((sum, { text }) => sum + text.length, 0)
  return letters === 0
    ? 0
    : lines.reduce((sum, { text, confidence }) => sum + text.length * confidence, 0) / letters
}

/**
 * Below this confidence a picture is cleaned up and read again. So is every photograph: half of its
 * lines may be missing while the others are confident. Clean-up damages busy, dark flyers, so the
 * original is read first and the better of the two readings is returned.
 */
const CONFIDENT = 0.75
const LONG_SIDE = 2400
const CLEAN_UP = ['denoise', 'enhance_text', 'remove_background'] as const
// Pictures that Tesseract reads at once and nobody keeps.
const FOR_READING = { compressionLevel: 1 }

export type LocalOcr = OcrPort & {
  /** Ends the worker thread; the next picture starts a new one. */
  readonly close: () => Promise<void>
}

/** Reads pictures locally with Tesseract. `folder` receives a copy of its language data. */
export function localOcr({
  folder,
  reader = createTesseractReader(folder),
}: {
  readonly folder: string
  readonly reader?: TesseractReader
}): LocalOcr {
  return { read: (request, signal) => readBest(reader, request, signal), close: reader.close }
}

async function readBest(
  reader: TesseractReader,
  { image, languages = OCR_LANGUAGES }: OcrRequest,
  signal: AbortSignal,
): Promise<OcrReading> {
  const read = async (picture: Picture, cleaned: boolean): Promise<OcrReading> => {
    const { text, lines } = readLines(await reader.read({ image: picture.png, languages }, signal))
    return {
      text,
      lines,
      confidence: confidenceOf(lines),
      cleaned,
      width: picture.width,
      height: picture.height,
    }
  }
  const upright = await withDecodeSlot(() => uprightPng(image))
  const raw = await read(upright, false)
  if (raw.confidence >= CONFIDENT && !(await isPhotographed(image))) return raw
  const cleaned = await cleanImage(image, CLEAN_UP, FOR_READING.compressionLevel)
  const clean = await read(cleaned, true)
  const best = scoreReading(clean) > scoreReading(raw) ? clean : raw
  const source = best === clean ? cleaned : upright
  const small = await withDecodeSlot(() => scaledPng(source.png, SECOND_SCALE))
  return mergeScales(best, await read(small, best.cleaned))
}

/** Tesseract overlooks letters of more than about 120 pixels; at this scale it reads them. */
const SECOND_SCALE = 0.45
// A line of the second scale that the first does not have must be read this well.
const LEAST_ADDED = 0.6

/** The better reading of two scales, with the lines that only the other one has. */
export function mergeScales(full: OcrReading, small: OcrReading): OcrReading {
  const factor = full.width / small.width
  const grown = small.lines.map((line) => growLine(line, factor))
  const isSmallBetter = scoreReading({ ...small, lines: grown }) > 1.1 * scoreReading(full)
  const [own, other] = isSmallBetter ? [grown, full.lines] : [full.lines, grown]
  const added = other.filter(
    (line) =>
      line.confidence >= LEAST_ADDED &&
      (line.text.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= 3 &&
      own.every((one) => !isSamePlace(one, line)),
  )
  if (added.length === 0 && !isSmallBetter) return full
  const lines = [...own]
  for (const line of added) {
    const below = lines.findIndex(({ box }) => box.y > line.box.y)
    lines.splice(below === -1 ? lines.length : below, 0, line)
  }
  const text = lines.map((line) => line.text).join('\n')
  return { ...full, lines, text, confidence: confidenceOf(lines) }
}

function growLine(line: OcrLine, factor: number): OcrLine {
  const grow = (value: number): number => Math.round(value * factor)
  const { x, y, width, height } = line.box
  return {
    ...line,
    box: { x: grow(x), y: grow(y), width: grow(width), height: grow(height) },
    letterHeight: grow(line.letterHeight),
  }
}

// Two lines are the same if their boxes share a third of the lower one's height, and some width.
function isSamePlace({ box: one }: OcrLine, { box: other }: OcrLine): boolean {
  const sharedLength = (from: number, length: number, start: number, size: number): number =>
    Math.min(from + length, start + size) - Math.max(from, start)
  return (
    sharedLength(one.y, one.height, other.y, other.height) >
      Math.min(one.height, other.height) / 3 &&
    sharedLength(one.x, one.width, other.x, other.width) > 0
  )
}

async function scaledPng(png: Uint8Array, scale: number): Promise<Picture> {
  const { default: sharp } = await import('sharp')
  const { width = 1 } = await sharp(png).metadata()
  const { data, info } = await sharp(png)
    .resize({ width: Math.max(1, Math.round(width * scale)), kernel: 'lanczos3' })
    .png(FOR_READING)
    .toBuffer({ resolveWithObject: true })
  return { png: new Uint8Array(data), width: info.width, height: info.height }
}

// The number of letters counts as well as their confidence: one certain word is worth less than a
// fairly read page. A letter below 0.5 lowers the score.
function scoreReading({ lines }: OcrReading): number {
  return lines.reduce((sum, { text, confidence }) => sum + text.length * (2 * confidence - 1), 0)
}

type Picture = { readonly png: Uint8Array; readonly width: number; readonly height: number }

// Tesseract ignores the orientation in a photo's metadata and cannot read every format.
async function uprightPng(bytes: Uint8Array): Promise<Picture> {
  const { image } = await openImage(bytes)
  try {
    const { data, info } = await image
      .resize({ width: LONG_SIDE, height: LONG_SIDE, fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#ffffff' })
      .png(FOR_READING)
      .toBuffer({ resolveWithObject: true })
    return { png: Buffer.from(data), width: info.width, height: info.height }
  } catch (cause) {
    throw unreadableImage('The picture is broken.', cause)
  }
}
