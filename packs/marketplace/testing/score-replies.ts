import { readWithModel } from '../src/replies/model/combine-with-model.ts'
import type { ModelAnswer } from '../src/replies/model/model-answer.ts'
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
  readonly wrong: readonly ReadCase[]
}

export type ReadCase = { readonly case: ReplyCase; readonly reading: ReplyReading }

/** Reads every reply and compares the readings with the known answers. */
export function scoreReplies(
  cases: readonly ReplyCase[],
  read: (known: ReplyCase) => ReplyReading = readCase,
): ReplyScore {
  return scoreReadings(cases.map((known) => ({ case: known, reading: read(known) })))
}

export function readCase(known: ReplyCase): ReplyReading {
  return readReply(known.text, optionsOf(known))
}

/** The reading with a model whose answers were recorded; offline where it has none that can be read. */
export function readCaseWith(
  answers: ReadonlyMap<string, ModelAnswer | undefined>,
): (known: ReplyCase) => ReplyReading {
  return (known) => {
    const answer = answers.get(known.id)
    return answer === undefined
      ? readCase(known)
      : readWithModel(known.text, optionsOf(known), answer)
  }
}

function optionsOf({ request }: ReplyCase) {
  return { ...REPLY_ARRIVES, ...(request !== undefined && { request }) }
}

export function scoreReadings(read: readonly ReadCase[]): ReplyScore {
  const right = read.filter((one) => isStockRight(one) && isPriceRight(one))
  const wrong = read.filter((one) => !isStockRight(one) || !isPriceRight(one))
  const timed = read.filter((one) => one.case.when !== undefined)
  const summed = read.filter((one) => one.case.total !== undefined)
  return {
    cases: read.length,
    right: share(right, read),
    stockRight: share(read.filter(isStockRight), read),
    priceRight: share(read.filter(isPriceRight), read),
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
    wrong,
  }
}

function isStockRight({ case: known, reading }: ReadCase): boolean {
  return known.stock.includes(reading.has_stock)
}

function isPriceRight({ case: known, reading }: ReadCase): boolean {
  return known.price.includes(reading.price ?? null)
}

function share(part: readonly unknown[], whole: readonly unknown[]): number {
  return whole.length === 0 ? 1 : part.length / whole.length
}

function localTime({ available_at }: ReplyReading): string | undefined {
  if (available_at === undefined) return undefined
  return available_at.length === 10 ? available_at : available_at.slice(0, 16).replace('T', ' ')
}
