import type { OcrLine } from '../media/ocr-port.ts'

const MONTH =
  /^(?:jan(?:uary|uar|vier|v)?|ene(?:ro)?|feb(?:ruary|ruar|rero)?|f[eé]v(?:rier|r)?|mar(?:ch|s|zo)?|m(?:ä|ae|a)rz|apr(?:il)?|avr(?:il)?|abr(?:il)?|may(?:o)?|mai|june?|juni|juin|junio|july?|juli|juillet|juil|julio|aug(?:ust)?|ao[uû]t|ago(?:sto)?|sept?(?:ember|embre|iembre)?|o[ck]t(?:ober|obre|ubre)?|nov(?:ember|embre|iembre)?|d[eé][cz](?:ember|embre)?|dic(?:iembre)?)(?!\p{L})\.?(?:\s+(?:19|20)\d{2})?/iu
const NUMBER = /^(?:[0-3]\s?\d|\d)(?![\d:,/]|\.\d|\s?(?:h|uhr|am|pm|€|£|\$)(?!\p{L}))\.?/iu
// lines that begin at the same place, give or take, stand one under the other
const ASLANT = 0.05
const MOST_LINES_APART = 3

/**
 * A date that is set as a block, the day's large number above its month, with other things to its right: a reader of pictures reads across
 * both. The number and the month are taken out of their lines and put together on one of their own.
 */
export function unstackDates(lines: readonly OcrLine[]): readonly OcrLine[] {
  const width = Math.max(1, ...lines.map(({ box }) => box.x + box.width))
  for (const [index, line] of lines.entries()) {
    const month = MONTH.exec(line.text)?.[0]
    if (month === undefined) continue
    const above = lines.slice(Math.max(0, index - MOST_LINES_APART), index).toReversed()
    const below = lines.slice(index + 1, index + 1 + MOST_LINES_APART)
    const day = [...above, ...below].find(
      (one) => NUMBER.test(one.text) && isOver(one, line, ASLANT * width),
    )
    const number = day === undefined ? undefined : NUMBER.exec(day.text)?.[0]
    if (day === undefined || number === undefined) continue
    const date = { ...line, text: `${number.replace(/[\s.]/g, '')} ${month}` }
    return lines.flatMap((one) => {
      if (one === day) return rest(one, number)
      return one === line ? [date, ...rest(one, month)] : [one]
    })
  }
  return lines
}

// their left edges agree, or their middles where nothing else was read into them
function isOver({ box: one }: OcrLine, { box: other }: OcrLine, tolerance: number): boolean {
  const middles = Math.abs(one.x + one.width / 2 - (other.x + other.width / 2))
  return Math.min(Math.abs(one.x - other.x), middles) < tolerance
}

function rest(line: OcrLine, taken: string): readonly OcrLine[] {
  const text = line.text.slice(taken.length).trim()
  return text === '' ? [] : [{ ...line, text }]
}
