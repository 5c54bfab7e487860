import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ReplyLanguage } from '../src/replies/reply-reading.ts'
import type { ReplyCase } from './reply-case.ts'

// FROZEN, as the first set is. The author had not read the reader's rules; the set was committed
// before it was first measured. A line is: stock, price, language, [when=], [total=] | text.
const TEXT = readFileSync(join(import.meta.dirname, 'replies-held-out-second.txt'), 'utf8')

const STOCK = new Map([
  ['yes', true],
  ['no', false],
  ['-', null],
])

/** A second set of replies that the reader was not developed with. */
export const SECOND_HELD_OUT_REPLIES: readonly ReplyCase[] = TEXT.trimEnd()
  .split('\n')
  .map((line) => {
    const bar = line.indexOf(' | ')
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
