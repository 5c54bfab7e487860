import { fold } from '@surehand/dates'
import type { OcrLine } from '@surehand/reading'

const MONTH =
  /^(?:jan(?:uary|uar|vier|v)?|ene(?:ro)?|feb(?:ruary|ruar|rero)?|f[eé]v(?:rier|r)?|mar(?:ch|s|zo)?|m(?:ä|ae|a)rz|apr(?:il)?|avr(?:il)?|abr(?:il)?|may(?:o)?|mai|june?|juni|juin|junio|july?|juli|juillet|juil|julio|aug(?:ust)?|ao[uû]t|ago(?:sto)?|sept?(?:ember|embre|iembre)?|o[ck]t(?:ober|obre|ubre)?|nov(?:ember|embre|iembre)?|d[eé][cz](?:ember|embre)?|dic(?:iembre)?)(?!\p{L})\.?(?:\s+(?:19|20)\d{2})?/iu
const NUMBER = /^(?:[0-3]\s?\d|\d)(?![\d:,/]|\.\d|\s?(?:h|uhr|am|pm|€|£|\$)(?!\p{L}))\.?/iu
// Lines are aligned if their positions differ by less than this share of the width.
const ALIGNMENT_TOLERANCE = 0.05
const MAX_LINES_APART = 3

/**
 * Restores a date that is printed as a block, a large day number above its month, with other text to
 * its right. OCR joins each part with that text; here the number and the month become one line.
 */
function unstackDates(lines: readonly OcrLine[]): readonly OcrLine[] {
  const width = Math.max(1, ...lines.map(({ box }) => box.x + box.width))
  for (const [index, line] of lines.entries()) {
    const month = MONTH.exec(line.text)?.[0]
    if (month === undefined) continue
    const above = lines.slice(Math.max(0, index - MAX_LINES_APART), index).toReversed()
    const below = lines.slice(index + 1, index + 1 + MAX_LINES_APART)
    const day = [...above, ...below].find(
      (one) => NUMBER.test(one.text) && isAligned(one, line, ALIGNMENT_TOLERANCE * width),
    )
    const number = day === undefined ? undefined : NUMBER.exec(day.text)?.[0]
    if (day === undefined || number === undefined) continue
    const date = { ...line, text: `${number.replace(/[\s.]/g, '')} ${month}` }
    return lines.flatMap((one) => {
      if (one === day) return remainder(one, number)
      return one === line ? [date, ...remainder(one, month)] : [one]
    })
  }
  return lines
}

// By their left edges, or by their centres if nothing else was joined to them.
function isAligned({ box: one }: OcrLine, { box: other }: OcrLine, tolerance: number): boolean {
  const middles = Math.abs(one.x + one.width / 2 - (other.x + other.width / 2))
  return Math.min(Math.abs(one.x - other.x), middles) < tolerance
}

function remainder(line: OcrLine, taken: string): readonly OcrLine[] {
  const text = line.text.slice(taken.length).trim()
  return text === '' ? [] : [{ ...line, text }]
}

export type Span = { readonly start: number; readonly end: number }

export type SourceLine = Span & {
  readonly text: string
  /** The height of its letters, for a picture. */
  readonly height?: number
  /** The position of its upper edge. */
  readonly y?: number
  readonly confidence: number
  /** Who wrote it, in a chat. */
  readonly speaker?: string
}

/** A text and its lines, prepared for the search of facts. */
export type SourceText = {
  readonly text: string
  /** The text in lower case without accents, of the same length. */
  readonly folded: string
  readonly lines: readonly SourceLine[]
  /** True for a picture, where the size of a line is significant. */
  readonly isPicture: boolean
}

// A longer text is not an invitation, and every pattern runs over all of it.
const MAX_CHARACTERS = 20_000

export function sourceText(text: string, read?: readonly OcrLine[]): SourceText {
  const ocrLines = read === undefined ? undefined : unstackDates(read)
  const isPicture = ocrLines !== undefined && ocrLines.length > 0
  const raw = isPicture
    ? ocrLines.map((line) => fixDigits(line.text))
    : withoutQuotes(collapseRuns(text.slice(0, MAX_CHARACTERS)).split('\n'))
  const speakers = isPicture ? [] : findSpeakers(raw)
  const lines: SourceLine[] = []
  let start = 0
  for (const [index, one] of raw.entries()) {
    const speaker = speakers[index]
    // Neither the name nor the time of a message is part of what it says.
    const said = speaker === undefined ? one : one.slice(speaker.length)
    const line = said.normalize('NFC').replace(/\r/g, '').trimEnd()
    const ocr = isPicture ? ocrLines[index] : undefined
    lines.push({
      text: line,
      start,
      end: start + line.length,
      ...(ocr === undefined ? {} : { height: ocr.letterHeight, y: ocr.box.y }),
      confidence: ocr?.confidence ?? 1,
      ...(speaker === undefined ? {} : { speaker: speaker.name }),
    })
    start += line.length + 1
  }
  const whole = lines.map((line) => line.text).join('\n')
  return {
    text: whole,
    folded: fold(whole),
    lines: lines.filter((line) => line.text.trim() !== ''),
    isPicture,
  }
}

const WROTE = /(?<!\p{L})(?:wrote|schrieb|a\s+écrit|escribió)(?!\p{L})|-{4,}/iu

/** Without the lines of an earlier message that an answer quotes; a list may have the same sign. */
function withoutQuotes(lines: readonly string[]): readonly string[] {
  const isQuote = (line: string) => /^\s*>/u.test(line)
  const own = lines.filter((line) => !isQuote(line))
  const hasWords = (line: string | undefined) => /\p{L}{3}/u.test(line ?? '')
  const isList = !lines.some((line) => WROTE.test(line)) && !isQuote(lines.findLast(hasWords) ?? '')
  if (isList) return lines.map((line) => line.replace(/^\s*>\s?/u, ''))
  return own.some(hasWords) ? own : lines
}

type Speaker = { readonly name: string; readonly length: number }

const MESSAGE =
  /^\s*(?:[[(]?(?:\d{1,2}[./]\d{1,2}[./]?(?:\d{2,4})?,?\s+)?\d{1,2}[:.h]\d{2}(?::\d{2})?(?:\s?[AaPp]\.?[Mm]\.?)?[\])]?,?\s*[-–]?\s*)?(\p{L}[\p{L}.'’-]{0,20}(?:\s\p{Lu}[\p{L}.'’-]{0,20}){0,2})(?:\s?(?:\p{Extended_Pictographic}\ufe0f?){1,3})?\s?(?::|>)\s+(?=\S)/u
/** The names of the fields of a form, folded. */
export const FIELD =
  /^(?:name|guest|vehicle|employee|staff|stylist|confirmation|order|ref(?:erence)?|booking|seat|gate|arrives?|departs?|boarding|conductor|director|speaker|doctor|with|phone|tel|email|contact|info|infos|more\s+info|joining\s+info|alert|rsvp|tickets|doors|admission|entry|parking|dress\s+code|hosted\s+by|mitarbeiter(?:in)?|fahrzeug|buchungsnummer|vorgangsnummer|ticketnr|leitung|dirigent|moderation|anmeldung|karten|kontakt|telefon|treffpunkt|vehicule|passager|voyageur|reservation|renseignements|reservations|inscriptions?|direction|voiture|siege|vehiculo|pasajero|localizador|entradas|inscripciones|reservas|telefono|contacto|butaca|salida|llegada|dirige|when|where|what|who|date|time|start|end|location|place|venue|address|title|event|subject|from|to|cc|name|price|tickets?|passenger|patient|service|organi[sz]er|wann|wo|was|wer|datum|uhrzeit|zeit|beginn|einlass|ende|ort|adresse|titel|betreff|von|an|preis|eintritt|anliegen|leitung|termin|veranstaltung|quand|ou|quoi|qui|date|heure|lieu|adresse|titre|objet|de|a|prix|tarif|motif|entree|cuando|donde|que|quien|fecha|hora|lugar|direccion|titulo|asunto|precio|entrada|tramite|motivo|nombre|centro|sede|dia|medico|doctor(?:a)?|treffpunkt)$/u

/** The speakers of a chat, line by line; none if the lines are the fields of a form. */
function findSpeakers(lines: readonly string[]): readonly (Speaker | undefined)[] {
  const speakers = lines.map((line): Speaker | undefined => {
    const match = MESSAGE.exec(line)
    const name = match?.[1]
    return match === null || name === undefined || FIELD.test(fold(name).trim())
      ? undefined
      : { name, length: match[0].length }
  })
  const named = speakers.flatMap((speaker) => speaker?.name ?? [])
  const written = lines.filter((line) => line.trim() !== '').length
  const isChat = named.length >= 2 && named.length >= 0.6 * written && new Set(named).size < 6
  return isChat ? speakers : []
}

// Long runs of blanks, dashes or empty lines contain nothing and slow every pattern down.
function collapseRuns(text: string): string {
  return text
    .replace(/[^\S\n]{5,}/g, '    ')
    .replace(/(?:\n[^\S\n]{0,4}){4,}/g, '\n\n\n')
    .replace(/([^\p{L}\p{N}\s])\1{8,}/gu, (_, sign: string) => sign.repeat(8))
}

// OCR confuses 0 with O, and 1 with l, I and |, and puts blanks into dates.
function fixDigits(text: string): string {
  return (
    text
      .replace(/(?<=\d)[Oo](?=[\d:.hH\s]|$)/g, '0')
      .replace(/(?<![\p{L}\d])[Il|](?=\d[:.h]?\d)/gu, '1')
      .replace(/(?<=\d[:.]?)[Il|](?=\d)/g, '1')
      .replace(/(?<=\d)\s*:\s*(?=\d\d(?!\d))/g, ':')
      .replace(/(?<=\d\.\d)\s(?=\d\.\d{2})/g, '')
      // "EIm Street"
      .replace(/(?<=(?<!\p{L})\p{Lu})I(?=\p{Ll})/gu, 'l')
  )
}

export function overlaps(one: Span, other: Span): boolean {
  return one.start < other.end && other.start < one.end
}

export function isFree(span: Span, taken: readonly Span[]): boolean {
  return taken.every((one) => !overlaps(one, span))
}
