import type { OcrPort } from '@surehand/reading'
import { type PrescribedItem, readPrescription } from '../../src/prescriptions/read-prescription.ts'
import type { PrescriptionCase } from './case.ts'
import { drawPrescription } from './draw.ts'

/** How well generated prescriptions were read. */
export type PrescriptionScore = {
  readonly cases: number
  readonly medicines: number
  /** Right and certain: nobody is asked. */
  readonly certain: number
  /** Right, and asked back. */
  readonly asked: number
  /** Not found, in a picture about which the client is asked. */
  readonly missed: number
  /** Not found, in a picture that was taken as certain. */
  readonly missedSilently: number
  /** A medicine that is not in the picture, at or above 0.75. There must be none. */
  readonly wrong: readonly { readonly id: string; readonly item: PrescribedItem }[]
  /** Pictures with a handwriting font in which something was taken as certain. */
  readonly handwrittenCertain: number
}

/** Draws, reads and compares each prescription. */
export async function scorePrescriptions(
  cases: readonly PrescriptionCase[],
  ocr: OcrPort,
): Promise<PrescriptionScore> {
  const counts = {
    medicines: 0,
    certain: 0,
    asked: 0,
    missed: 0,
    missedSilently: 0,
    handwrittenCertain: 0,
  }
  const wrong: { readonly id: string; readonly item: PrescribedItem }[] = []
  const signal = new AbortController().signal
  for (const known of cases) {
    const image = await drawPrescription(known)
    const { lines } = await ocr.read({ tenant: 'home', image, languages: ['en', 'fr'] }, signal)
    const { items, unsure } = readPrescription(lines)
    const medicines = items.filter(({ kind }) => kind === 'medicine')
    for (const item of medicines)
      if (item.confidence >= 0.75 && !known.medicines.includes(item.name))
        wrong.push({ id: known.id, item })
    for (const name of known.medicines) {
      const found = medicines.filter((item) => item.name === name)
      counts.medicines += 1
      if (found.some(({ ask }) => !ask)) counts.certain += 1
      else if (found.length > 0 || wasAskedBack(items, name)) counts.asked += 1
      else if (unsure) counts.missed += 1
      else counts.missedSilently += 1
    }
    const isHand = known.look.font === 'hand' || known.look.font === 'scrawl'
    if (isHand && medicines.some(({ ask }) => !ask)) counts.handwrittenCertain += 1
  }
  return { cases: cases.length, ...counts, wrong }
}

// An unlisted medicine is asked back as it is written.
function wasAskedBack(items: readonly PrescribedItem[], name: string): boolean {
  return items.some(({ ask, written }) => ask && written.toLowerCase().includes(name.slice(0, 4)))
}
