import type { OcrReading } from '@surehand/reading'
import { type PrescribedItem, readPrescription } from '../prescriptions/read-prescription.ts'

/** What was read from a picture. */
export type Extracted = {
  readonly text: string
  readonly items: readonly ExtractedItem[]
  /** What must be asked back: items below their threshold, handwriting, lines that are not clear. */
  readonly unsure: readonly string[]
  readonly handwriting: boolean
  /** The same as questions in English, for an agent. */
  readonly questions: readonly string[]
}

export type ExtractedItem = PrescribedItem & {
  /** The item as a vendor is asked for it. */
  readonly label: string
}

/** The items of a prescription or a list, with what is not certain about them. */
export function readItems(reading: OcrReading): Extracted & { readonly confidence: number } {
  const { items, confidence, handwriting, unsure, questions } = readPrescription(reading.lines)
  const labelled = items.map((item) => ({ ...item, label: labelOf(item) }))
  const asked = labelled.filter(({ ask }) => ask).map(({ written }) => written)
  return {
    text: reading.text,
    items: labelled,
    // Something is unsure although no item is: a line could not be read.
    unsure: unsure && asked.length === 0 ? ['…'] : asked,
    handwriting,
    questions,
    confidence,
  }
}

function labelOf({ name, strength, form, quantity }: PrescribedItem): string {
  return [name, strength, form, quantity === undefined ? undefined : `(${quantity})`]
    .filter((part) => part !== undefined)
    .join(' ')
}
