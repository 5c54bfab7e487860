import { readReply } from '../src/replies/read-reply.ts'
import type { ReplyReading } from '../src/replies/reply-reading.ts'
import { REPLY_ARRIVES, type ReplyCase } from './reply-case.ts'

/** How well replies are read; each share is between 0 and 1. */
export type ReplyScore = {
  readonly cases: number
  /** Stock and price are both what a clerk would write down. */
  readonly right: number
  readonly stockRight: number
  readonly priceRight: number
  /** Of the wrong ones, the share that is flagged for a person. */
  readonly wrongFlagged: number
  /** Of the right ones, the share that is flagged although it need not be. */
  readonly rightFlagged: number
  readonly totalRight: number
  readonly whenRight: number
  readonly languageRight: number
  readonly wrong: readonly { readonly case: ReplyCase; readonly reading: ReplyReading }[]
}

/** Reads every reply and compares the readings with the known answers. */
export function scoreReplies(cases: readonly ReplyCase[]): ReplyScore {
  const read = cases.map((known) => ({
    case: known,
    reading: readReply(known.text, REPLY_ARRIVES),
  }))
  const isRight = (one: (typeof read)[number]) =>
    one.reading.has_stock === one.case.stock && one.reading.price === one.case.price
  const right = read.filter(isRight)
  const wrong = read.filter((one) => !isRight(one))
  const share = (part: readonly unknown[], whole: readonly unknown[]) =>
    whole.length === 0 ? 1 : part.length / whole.length
  const timed = read.filter((one) => one.case.when !== undefined)
  const summed = read.filter((one) => one.case.total !== undefined)
  return {
    cases: cases.length,
    right: share(right, read),
    stockRight: share(
      read.filter((one) => one.reading.has_stock === one.case.stock),
      read,
    ),
    priceRight: share(
      read.filter((one) => one.reading.price === one.case.price),
      read,
    ),
    wrongFlagged: share(
      wrong.filter((one) => one.reading.unsure),
      wrong,
    ),
    rightFlagged: share(
      right.filter((one) => one.reading.unsure),
      right,
    ),
    totalRight: share(
      summed.filter((one) => one.reading.total === one.case.total),
      summed,
    ),
    whenRight: share(
      timed.filter((one) => localTime(one.reading) === one.case.when),
      timed,
    ),
    languageRight: share(
      read.filter((one) => one.reading.language === one.case.language),
      read,
    ),
    wrong,
  }
}

function localTime({ available_at }: ReplyReading): string | undefined {
  if (available_at === undefined) return undefined
  return available_at.length === 10 ? available_at : available_at.slice(0, 16).replace('T', ' ')
}
