import type { OcrReading } from '@surehand/reading'
import { isMedicineWord } from '../prescriptions/medicine-words.ts'

/** What was read from a picture. Medicines must be surer than other lines. */
export type Extracted = {
  readonly text: string
  readonly items: readonly ExtractedItem[]
  /** What must be asked back, as it was read. */
  readonly unsure: readonly string[]
}

export type ExtractedItem = {
  /** The line as a vendor may be asked for it. */
  readonly label: string
  readonly is_medicine: boolean
  readonly dose?: string
  readonly confidence: number
  readonly is_sure: boolean
}

const SURE = 0.6
const SURE_MEDICINE = 0.75
const DOSE = /\b\d+(?:[.,]\d+)?\s?(?:mg|g|ml|mcg|µg|ui|iu)\b/i

/** The items of a prescription or a list, line by line. */
export function readItems(reading: OcrReading): Extracted & { readonly confidence: number } {
  const items = reading.lines
    .map(({ text, confidence }) => toItem(text.replaceAll(/\s+/g, ' ').trim(), confidence))
    .filter((item) => item !== undefined)
  return {
    text: reading.text,
    items,
    unsure: items.filter(({ is_sure: isSure }) => !isSure).map(({ label }) => label),
    confidence: reading.confidence,
  }
}

function toItem(line: string, confidence: number): ExtractedItem | undefined {
  const words = line.toLowerCase().split(/[^\p{L}]+/u)
  const dose = DOSE.exec(line)?.[0]
  const isMedicine = words.some((word) => word.length > 3 && isMedicineWord(word))
  if (!isMedicine && dose === undefined) return undefined
  return {
    label: line,
    is_medicine: isMedicine,
    ...(dose === undefined ? {} : { dose }),
    confidence,
    // A line with a dose whose name is not a known medicine is asked back, however clear it is.
    is_sure: isMedicine && confidence >= SURE_MEDICINE && confidence >= SURE,
  }
}
