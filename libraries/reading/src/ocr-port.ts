import { definePort } from '@surehand/core'

/** The languages that can be read, as ISO 639-1 codes. */
export const OCR_LANGUAGES = ['en', 'de', 'fr', 'es'] as const
export type OcrLanguage = (typeof OCR_LANGUAGES)[number]

/** In pixels, from the top left corner of the picture that was read. */
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
  /** The height of its capital letters in pixels: titles are larger than small print. */
  readonly letterHeight: number
}

export type OcrReading = {
  /** The lines in reading order, with an empty line between blocks. */
  readonly text: string
  /** 0 to 1, over all lines. */
  readonly confidence: number
  readonly lines: readonly OcrLine[]
  /** True if the picture was cleaned up first; boxes then refer to the cleaned picture. */
  readonly cleaned: boolean
  /** The size of the picture that the boxes refer to. */
  readonly width: number
  readonly height: number
}

export type OcrRequest = {
  readonly tenant: string
  /** PNG, JPEG, WebP, GIF, TIFF or AVIF. */
  readonly image: Uint8Array
  /** The languages to expect; the default is all, which reads slightly worse than the right one. */
  readonly languages?: readonly OcrLanguage[]
}

/** Reads the text of a picture. */
export type OcrPort = {
  readonly read: (request: OcrRequest, signal: AbortSignal) => Promise<OcrReading>
}

export const ocrPort = definePort<OcrPort>('ocr', { read: 'read' })
