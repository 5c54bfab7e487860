import { Buffer } from 'node:buffer'
import type { Page } from 'tesseract.js'
import { cleanImage, isPhotographed } from './clean-image.ts'
import { withDecodeSlot } from './decode-slots.ts'
import type { OcrLine } from './ocr-port.ts'
import { OCR_LANGUAGES, type OcrPort, type OcrReading, type OcrRequest } from './ocr-port.ts'
import { openImage, unreadableImage } from './open-image.ts'
import { createReader, type Reader } from './tesseract-reader.ts'

/** What Tesseract found, as lines a reader would see. */
export function linesOf(page: Page): { readonly lines: readonly OcrLine[]; readonly text: string } {
  const blocks = (page.blocks ?? []).map((block) =>
    block.paragraphs.flatMap((paragraph) => paragraph.lines.flatMap(linesAcross)).filter(isText),
  )
  const isSpeck = specksAmong(blocks.flat())
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

// no space within a line of text is this wide, in heights of the line: what stands beyond it is
// another column
const GAP = 1.8

/** A line that was read across columns is one line a column. */
function linesAcross(line: FoundLine): readonly OcrLine[] {
  const widest = GAP * (line.bbox.y1 - line.bbox.y0)
  const columns: FoundWord[][] = []
  for (const word of line.words) {
    const before = columns.at(-1)?.at(-1)
    if (before === undefined || word.bbox.x0 - before.bbox.x1 > widest) columns.push([word])
    else columns.at(-1)?.push(word)
  }
  return columns.length < 2
    ? [lineOf(line)]
    : columns.map((words) => lineOf({ ...line, ...wordsTogether(words) }))
}

function wordsTogether(
  words: readonly FoundWord[],
): Pick<FoundLine, 'text' | 'confidence' | 'bbox'> {
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

function lineOf({ text, confidence, bbox, rowAttributes }: FoundLine): OcrLine {
  const box = { x: bbox.x0, y: bbox.y0, width: bbox.x1 - bbox.x0, height: bbox.y1 - bbox.y0 }
  // a row's height is from the lowest tail to the highest tip
  const { rowHeight, descenders } = rowAttributes
  const letterHeight = Math.round(Math.min(rowHeight - Math.abs(descenders), box.height))
  return {
    text: text.trim(),
    confidence: confidence / 100,
    box,
    letterHeight: Math.max(1, letterHeight),
  }
}

// ornaments and the dots of large letters are read as lone characters; a lone figure may be a day
function isText({ text, confidence }: OcrLine): boolean {
  if (confidence < (text.length > 4 ? 0.2 : 0.5)) return false
  const written = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0
  return written > 1
    ? written * 2 >= text.replaceAll(' ', '').length
    : /^\p{N}$/u.test(text) && confidence > 0.6
}

const SURE_PAGE = 0.75

// where everything else is read well, what is less sure than not is the grain of the paper; on a
// page that is hard to read it may be text
function specksAmong(lines: readonly OcrLine[]): (line: OcrLine) => boolean {
  return confidenceOf(lines) < SURE_PAGE ? () => false : ({ confidence }) => confidence < 0.5
}

/** Of all letters, how sure they are: a long line counts for more than a short one. */
function confidenceOf(lines: readonly OcrLine[]): number {
  const letters = lines.reduce((sum, { text }) => sum + text.length, 0)
  return letters === 0
    ? 0
    : lines.reduce((sum, { text, confidence }) => sum + text.length * confidence, 0) / letters
}

/**
 * Below this a picture is cleaned up and read again; so is a photograph, of which half the lines
 * may be read, and those surely. Clean-up hurts busy, dark flyers: it is never the first thing, and
 * the better reading is kept.
 */
const SURE_ENOUGH = 0.75
const LONG_SIDE = 2400

export type LocalOcr = OcrPort & {
  /** Ends the thread that reads; the next picture starts a new one. */ readonly close: () => Promise<void>
}

/** Reads pictures locally with Tesseract. `folder` is where its language data is collected. */
export function localOcr({ folder }: { readonly folder: string }): LocalOcr {
  const reader = createReader(folder)
  return { read: (request, signal) => readBest(reader, request, signal), close: reader.close }
}

async function readBest(
  reader: Reader,
  { image, languages = OCR_LANGUAGES }: OcrRequest,
  signal: AbortSignal,
): Promise<OcrReading> {
  const read = async (picture: Picture, cleaned: boolean): Promise<OcrReading> => {
    const { text, lines } = linesOf(await reader.read({ image: picture.png, languages }, signal))
    return {
      text,
      lines,
      confidence: confidenceOf(lines),
      cleaned,
      width: picture.width,
      height: picture.height,
    }
  }
  const raw = await read(await withDecodeSlot(() => uprightPng(image)), false)
  if (raw.confidence >= SURE_ENOUGH && !(await isPhotographed(image))) return raw
  const clean = await read(
    await cleanImage(image, ['denoise', 'enhance_text', 'remove_background']),
    true,
  )
  return worth(clean) > worth(raw) ? clean : raw
}

// sure letters, not sureness alone: one word read well is less than a page read fairly, and a
// letter less sure than not is a loss
function worth({ lines }: OcrReading): number {
  return lines.reduce((sum, { text, confidence }) => sum + text.length * (2 * confidence - 1), 0)
}

type Picture = { readonly png: Uint8Array; readonly width: number; readonly height: number }

// Tesseract knows neither how a camera was held nor every format
async function uprightPng(bytes: Uint8Array): Promise<Picture> {
  const { image } = await openImage(bytes)
  try {
    const { data, info } = await image
      .resize({ width: LONG_SIDE, height: LONG_SIDE, fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#ffffff' })
      .png({ compressionLevel: 1 })
      .toBuffer({ resolveWithObject: true })
    return { png: Buffer.from(data), width: info.width, height: info.height }
  } catch (cause) {
    throw unreadableImage('The picture is broken.', cause)
  }
}
