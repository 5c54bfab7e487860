import type { OcrLine, OcrPort } from '@surehand/reading'
import { type EventLike, readAnswered } from './answered.ts'
import type { FieldConfidence, Reading } from './examine.ts'
import type { GeneratedCase, Language } from './generated-case.ts'

/** The parts of an extractor's source, context and draft that a case needs. */
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
  readonly confidence: FieldConfidence
  readonly price?: EventLike['price']
}
export type Reader = {
  readonly ocr: OcrPort
  readonly extract: (source: Source, context: Context) => Draft | Promise<Draft>
  /** Whether the reader receives the language of the case, as from a person's settings. */
  readonly language: 'known' | 'unknown'
}

/** Reads a case as the pack does: pictures with OCR, then everything with the extractor. */
export async function readCase(
  one: GeneratedCase,
  { ocr, extract, language }: Reader,
): Promise<Reading> {
  const languages = language === 'known' ? { languages: [one.language] } : {}
  const source = await readSource(one, ocr, languages)
  const { event, confidence, price } = await extract(source, {
    now: one.now,
    timeZone: one.timeZone,
    region: one.region,
    ...languages,
  })
  return {
    answered: readAnswered({ ...event, price }, one.answer.timeZone),
    confidence,
    read: source.text ?? source.page?.html ?? '',
  }
}

async function readSource(
  { given }: GeneratedCase,
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
