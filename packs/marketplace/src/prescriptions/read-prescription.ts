import { type MedicineMatch, matchMedicine, splitWords } from './match-medicine.ts'
import { type Dosage, readDosage } from './read-dosage.ts'

/** A line of a picture as it was read. */
export type ReadLine = { readonly text: string /** 0 to 1. */; readonly confidence: number }

/** A medicine or a thing that a prescription or list asks for. */
export type PrescribedItem = Dosage & {
  /** The generic name of a medicine that is known, otherwise what is written. */
  readonly name: string
  readonly written: string
  readonly kind: 'medicine' | 'thing'
  /** From 0 to 1: that the name is right. */
  readonly confidence: number
  /** True: ask the client before it is used. */
  readonly ask: boolean
}

export type PrescriptionReading = {
  readonly items: readonly PrescribedItem[]
  /** That of the least certain item; that of the picture where there is none. */
  readonly confidence: number
  /** The picture is probably written by hand: everything in it is asked back. */
  readonly handwriting: boolean
  readonly unsure: boolean
  /** What to ask the client, in English. */
  readonly questions: readonly string[]
}

/** Below these confidences the client is asked. */
export const SURE_MEDICINE = 0.75
export const SURE_THING = 0.6
/** Print is read with more confidence than this, even in a poor photo. */
const PRINTED = 0.8
/** A medicine in a picture that looks handwritten stays below the threshold. */
const HANDWRITTEN = 0.7
/** A line with a strength and an unknown name is probably a medicine that the list lacks. */
const UNKNOWN_MEDICINE = 0.5

/** A page has fewer; noise may have more. */
const MAX_LINES = 200
const MAX_LINE_LENGTH = 200

const BULLET = /^\s*(?:\d{1,2}\s*[.)]|[-*•–▪]|rx\b:?|r\/|℞)\s*/i
const HEADER =
  /\b(?:dr|doctor|docteur|hospital|hopital|clinic|clinique|pharmac(?:y|ie)|patient|name|nom|age|sexe?|date|tel|phone|address|adresse|diagnos\w+|signature|stamp|cachet|weight|poids|mrn|insurance|assurance|kigali|p\.?o\.? ?box|prescription|ordonnance|shopping list|list|liste|urutonde)\b/i
const STRENGTH = /\d\s?(?:mg|mcg|g|ml|iu|%)\b/i

/**
 * Reads the medicines and things of a prescription or list from the lines that OCR found. It asks
 * back rather than guesses: a name that is only similar to a known one is never certain.
 */
export function readPrescription(lines: readonly ReadLine[]): PrescriptionReading {
  const written = lines
    .slice(0, MAX_LINES)
    .map((line) => ({ ...line, text: line.text.slice(0, MAX_LINE_LENGTH) }))
    .filter(({ text }) => text.trim() !== '')
  const mean = meanConfidence(written)
  const handwriting = written.length > 0 && mean < PRINTED
  const items = askAmongMedicines(collectItems(written).map((item) => judgeItem(item, handwriting)))
  // A line that could not be read may be a medicine: it must not be left out in silence.
  const isPartlyRead = written.some(
    ({ text, confidence: sure }) => sure < SURE_THING && /\p{L}{4}/u.test(text),
  )
  const confidence = items.length === 0 ? mean : Math.min(...items.map((item) => item.confidence))
  return {
    items,
    confidence: round(confidence),
    handwriting,
    unsure: handwriting || isPartlyRead || items.length === 0 || items.some(({ ask }) => ask),
    questions: [
      ...writeQuestions(items, handwriting),
      ...(isPartlyRead && items.length > 0
        ? ['Some lines could not be read. Is anything missing?']
        : []),
    ],
  }
}

type FoundItem = {
  readonly line: ReadLine
  readonly match: MedicineMatch | undefined
  /** The lines below it that say how it is taken. */
  readonly more: readonly ReadLine[]
}

function collectItems(lines: readonly ReadLine[]): readonly FoundItem[] {
  const found: FoundItem[] = []
  for (const line of lines) {
    const text = line.text.replace(BULLET, '')
    const match = matchMedicine(splitWords(text))
    const isListed = BULLET.test(line.text) && /\p{L}{2}/u.test(text)
    const last = found.at(-1)
    const isKnown = match?.kind === 'named'
    if (!isListed && !isKnown && isInstruction(text)) {
      if (last !== undefined) found[found.length - 1] = { ...last, more: [...last.more, line] }
    } else if (HEADER.test(text) && !isKnown) continue
    else if (match !== undefined && (isKnown || isListed || STRENGTH.test(text)))
      found.push({ line, match, more: [] })
    else if (isListed || STRENGTH.test(text)) found.push({ line, match: undefined, more: [] })
  }
  return found
}

// "Sig: 1 tab tds for 7 days" belongs to the medicine above it.
function isInstruction(text: string): boolean {
  const { dose, duration, quantity } = readDosage(text)
  const starts =
    /^\s*(?:sig|s\/|take|prendre|posologie|fata|ufate|qty|qte|disp|n°|#|\d|½|one|two|un|deux|x ?\d)/i
  return (
    (dose !== undefined || duration !== undefined || quantity !== undefined) && starts.test(text)
  )
}

function judgeItem({ line, match, more }: FoundItem, handwriting: boolean): PrescribedItem {
  const text = line.text.replace(BULLET, '').trim()
  const dosage = readDosage([text, ...more.map((one) => one.text)].join(' ; '))
  // "Cornoxicam Bmg tabs bd": a name that is not known and a strength that was read wrongly.
  const isMedicine =
    match !== undefined ||
    STRENGTH.test(text) ||
    dosage.form !== undefined ||
    dosage.dose !== undefined
  const quality = match?.quality ?? (isMedicine ? UNKNOWN_MEDICINE : 1)
  const certainty = quality * Math.min(1, line.confidence)
  const confidence = round(handwriting ? Math.min(certainty, HANDWRITTEN) : certainty)
  return {
    name: match?.name ?? nameThing(text),
    written: match?.written ?? text,
    kind: isMedicine ? 'medicine' : 'thing',
    ...dosage,
    confidence,
    ask: handwriting || confidence < (isMedicine ? SURE_MEDICINE : SURE_THING),
  }
}

// Between medicines, a line that is no known medicine is one that was read wrongly more often than it
// is something else.
function askAmongMedicines(items: readonly PrescribedItem[]): readonly PrescribedItem[] {
  const medicines = items.filter(({ kind }) => kind === 'medicine').length
  return medicines * 2 <= items.length
    ? items
    : items.map((item) => (item.kind === 'thing' ? { ...item, ask: true } : item))
}

function nameThing(text: string): string {
  return text
    .replace(/^\d{1,3} ?[x×] /i, '')
    .replace(/\s+/g, ' ')
    .slice(0, 100)
}

function writeQuestions(items: readonly PrescribedItem[], handwriting: boolean): string[] {
  if (items.length === 0) return ['Nothing could be read. Please type what you need.']
  const asked = items
    .filter(({ ask }) => ask)
    .map(({ name, written, kind, strength }) =>
      kind === 'medicine' && name.toLowerCase() !== written.toLowerCase()
        ? `Is "${written}" ${name}${strength === undefined ? '' : ` ${strength}`}?`
        : `Is "${written}" right?`,
    )
  return handwriting ? ['The picture looks handwritten. Please check every name.', ...asked] : asked
}

function meanConfidence(lines: readonly ReadLine[]): number {
  const letters = lines.map(({ text }) => text.replace(/\s/g, '').length)
  const all = letters.reduce((sum, count) => sum + count, 0)
  if (all === 0) return 0
  const weighted = lines.reduce(
    (sum, { confidence }, at) => sum + confidence * (letters[at] ?? 0),
    0,
  )
  return weighted / all
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
