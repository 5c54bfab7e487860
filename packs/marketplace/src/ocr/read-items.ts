import type { OcrReading } from '@surehand/reading'
import { type PrescribedItem, readPrescription } from '../prescriptions/read-prescription.ts'

/** What was read from a picture. Medicines must be surer than other lines. */
export type Extracted = {
  readonly text: string
  readonly items: readonly ExtractedItem[]
  /** What must be asked back, as it was read. */
  readonly unsure: readonly string[]
  /** The picture is probably written by hand: everything in it is unsure. */
  readonly handwriting: boolean
  /** What to ask the client, in English. */
  readonly questions: readonly string[]
}

export type ExtractedItem = {
  /** The item as a vendor may be asked for it; one that is unsure as it was read. */
  readonly label: string
  /** The generic name of a medicine that is known, otherwise what is written. */
  readonly name: string
  readonly is_medicine: boolean
  readonly strength?: string
  readonly form?: string
  readonly dose?: string
  readonly duration?: string
  readonly quantity?: string
  readonly confidence: number
  readonly is_sure: boolean
}

const UNREAD_LINES = '…'

/** The items of a prescription or a list. */
export function readItems(reading: OcrReading): Extracted & { readonly confidence: number } {
  const { items, unsure, questions, handwriting, confidence } = readPrescription(reading.lines)
  const asked = items.filter(({ ask }) => ask).map(({ written }) => written)
  return {
    text: reading.text,
    items: items.map(toExtractedItem),
    // Where only lines that could not be read are unsure, there is no item to name.
    unsure: unsure && items.length > 0 && asked.length === 0 ? [UNREAD_LINES] : asked,
    handwriting,
    questions,
    confidence,
  }
}

function toExtractedItem({ kind, written, ask, ...item }: PrescribedItem): ExtractedItem {
  const named = [written, item.strength, item.form].filter((part) => part !== undefined).join(' ')
  const label = item.quantity === undefined ? named : `${named}, ${item.quantity}`
  return { ...item, label: ask ? written : label, is_medicine: kind === 'medicine', is_sure: !ask }
}
