import type { OcrLine, OcrPort } from '@surehand/reading'
import { answeredOf, type EventLike } from './answered.ts'
import type { Reading, Sureness } from './examine.ts'
import type { Language, MadeCase } from './made-case.ts'

/** As much of an extractor's source, context and draft as a case needs. */
export type Source = {
  readonly text?: string
  readonly lines?: readonly OcrLine[]
  readonly page?: {
    readonly html: string
    readonly url: string
    readonly oEmbed?: Readonly<Record<string, unknown>>
  }
}
export type Context = {
  readonly now: number
  readonly timeZone: string
  readonly languages?: readonly Language[]
  readonly region: string
}
export type Draft = {
  readonly event: EventLike
  readonly confidence: Sureness
  readonly price?: EventLike['price']
}
export type Reader = {
  readonly ocr: OcrPort
  readonly extract: (source: Source, context: Context) => Draft | Promise<Draft>
  /** Whether the reader is told the case's language, as it is where a person has one set. */
  readonly language: 'told' | 'not told'
}

/** Reads a case as the pack does: pictures by OCR, then everything by the extractor. */
export async function readCase(
  one: MadeCase,
  { ocr, extract, language }: Reader,
): Promise<Reading> {
  const languages = language === 'told' ? { languages: [one.language] } : {}
  const source = await sourceOf(one, ocr, languages)
  const { event, confidence, price } = await extract(source, {
    now: one.now,
    timeZone: one.timeZone,
    region: one.region,
    ...languages,
  })
  return {
    answered: answeredOf({ ...event, price }, one.answer.timeZone),
    confidence,
    read: source.text ?? source.page?.html ?? '',
  }
}

async function sourceOf(
  { given }: MadeCase,
  ocr: OcrPort,
  languages: Pick<Context, 'languages'>,
): Promise<Source> {
  const { text, html, url, oEmbed, image } = given
  if (image) {
    const reading = await ocr.read(
      { tenant: 'exam', image, ...languages },
      new AbortController().signal,
    )
    return { text: reading.text, lines: reading.lines }
  }
  if (html !== undefined && url !== undefined)
    return { page: { html, url, ...(oEmbed && { oEmbed }) } }
  return { text: text ?? '' }
}
