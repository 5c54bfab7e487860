import { Buffer } from 'node:buffer'
import { OCR_LANGUAGES, type OcrPort, type OcrReading, type OcrRequest } from '../ocr-port.ts'
import { cleanImage, isPhotographed } from './clean-image.ts'
import { decoding } from './decoding.ts'
import { confidenceOf, linesOf } from './ocr-lines.ts'
import { openImage, unreadable } from './open-image.ts'
import { createReader, type Reader } from './tesseract-reader.ts'

/**
 * Below this a picture is cleaned up and read again; so is a photograph, of which half the lines may be read, and those surely.
 * Clean-up hurts busy, dark flyers: it is never the first thing, and the better reading is kept.
 */
const SURE_ENOUGH = 0.75
const LONG_SIDE = 2400

export type LocalOcr = OcrPort & {
  /** Ends the thread that reads; the next picture starts a new one. */ readonly close: () => Promise<void>
}

/** Reads pictures in this house with Tesseract. `folder` is where its languages are laid together. */
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
  const raw = await read(await decoding(() => uprightPng(image)), false)
  if (raw.confidence >= SURE_ENOUGH && !(await isPhotographed(image))) return raw
  const clean = await read(
    await cleanImage(image, ['denoise', 'enhance_text', 'remove_background']),
    true,
  )
  return worth(clean) > worth(raw) ? clean : raw
}

// sure letters, not sureness alone: one word read well is less than a page read fairly, and a letter less sure than not is a loss
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
    throw unreadable('The picture is broken.', cause)
  }
}
