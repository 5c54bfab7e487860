import { definePort } from '@surehand/core'

/** The languages a reader knows, as ISO 639-1 says them. */
export const OCR_LANGUAGES = ['en', 'de', 'fr', 'es'] as const
export type OcrLanguage = (typeof OCR_LANGUAGES)[number]

/** Whole pixels from the top left corner of the picture that was read. */
export type OcrBox = {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export type OcrLine = {
  readonly text: string
  /** 0 to 1. */
  readonly confidence: number
  readonly box: OcrBox
  /** How tall its capitals stand, in pixels: titles are set larger than small print. */
  readonly letterHeight: number
}

export type OcrReading = {
  /** The lines in reading order, one a line; an empty line between blocks. */
  readonly text: string
  /** 0 to 1, over all lines. */
  readonly confidence: number
  readonly lines: readonly OcrLine[]
  /** True where the picture was cleaned up first; boxes are then places of the cleaned picture. */
  readonly cleaned: boolean
  /** Of the picture the boxes are places of. */
  readonly width: number
  readonly height: number
}

export type OcrRequest = {
  readonly tenant: string
  /** PNG, JPEG, WebP, GIF, TIFF or AVIF. */
  readonly image: Uint8Array
  /**
   * Which to expect; all of them where left out, which reads a little worse than the right one
   * alone.
   */
  readonly languages?: readonly OcrLanguage[]
}

/** Reads the text of a picture. */
export type OcrPort = {
  readonly read: (request: OcrRequest, signal: AbortSignal) => Promise<OcrReading>
}

export const ocrPort = definePort<OcrPort>('ocr', { read: 'read' })
