import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { ReplyLanguage } from '../src/replies/reply-reading.ts'

/**
 * A vendor's reply with what a clerk would write down.
 *
 * - `stock`: true where the vendor offers the thing, now or at a named time; false where the vendor
 *   has none now, even with an alternative, a referral or a later delivery; null where the reply does
 *   not say.
 * - `price`: the price of one unit where it is named, otherwise the amount named for everything; of
 *   several sizes or qualities the lowest; of several things that were asked for the sum. With
 *   `stock: false` it is the price of what is offered instead.
 * - `total`: only where a sum for several units is named or follows from a count.
 * - `when`: the local date, with the time where one is named (`2026-11-17 15:00`).
 */
export type ReplyCase = {
  readonly text: string
  readonly stock: boolean | null
  readonly price?: number
  readonly total?: number
  readonly when?: string
  readonly language: ReplyLanguage
}

/** The moment at which every reply of the sets arrives: Monday, 10:00 in Kigali. */
export const REPLY_ARRIVES = {
  now: Date.parse('2026-11-16T10:00:00+02:00'),
  timeZone: 'Africa/Kigali',
} as const

const STOCK: ReadonlyMap<string, boolean | null> = new Map([
  ['yes', true],
  ['no', false],
  ['-', null],
])

/**
 * Reads a set of replies, a file beside this one or an absolute path. A line is: stock, price or -,
 * language, [when=], [total=] | text. Empty lines and lines that begin with # are left out.
 */
export function readReplyCases(file: string): readonly ReplyCase[] {
  const lines = readFileSync(resolve(import.meta.dirname, file), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
  return lines.map((line) => {
    const bar = line.indexOf(' | ')
    if (bar === -1) throw new Error(`${file}: a line has no " | " between answer and text: ${line}`)
    const head = line.slice(0, bar)
    const [stock = '', price = '', language = ''] = head.split(' ')
    const total = /total=(\d+)/.exec(head)?.[1]
    const when = /when=([\d-]+(?: \d\d:\d\d)?)/.exec(head)?.[1]
    return {
      text: line.slice(bar + 3),
      stock: STOCK.get(stock) ?? null,
      language: language as ReplyLanguage,
      ...(price === '-' ? {} : { price: Number(price) }),
      ...(total === undefined ? {} : { total: Number(total) }),
      ...(when === undefined ? {} : { when }),
    }
  })
}
