import { basename } from 'node:path'
import { foldReply } from '../src/replies/fold-reply.ts'
import { type RequestTerms, readRequestTerms } from '../src/replies/request-terms.ts'
import { listOptions, type ReplyOptions } from '../src/replies/reply-options.ts'
import type { Option } from '../src/replies/reply-tokens.ts'
import type { ReaderWeights } from '../src/replies/second-reader.ts'
import { DEVELOPMENT_SETS, listReplySets, type ReplyCase, readReplyCases } from './reply-case.ts'

// How quickly weights follow, how strongly small ones are kept at zero, how often every case is seen.
const RATE = 0.3
const SHRINKAGE = 0.5
const ROUNDS = 8
const SMALLEST = 0.2
const LEAST = { stock: 6, price: 2 }
// New text comes with a request.
const WITH_REQUEST = 2

/** A case in the form in which the second reader sees it. */
export type Lesson = {
  readonly set: string
  readonly known: ReplyCase
  readonly text: string
  readonly terms: RequestTerms | undefined
  readonly options: ReplyOptions
}

/** All development cases, by set in the order of the sets' names. */
export function readLessons(): readonly Lesson[] {
  return listReplySets(DEVELOPMENT_SETS).flatMap((file) =>
    readReplyCases(file).map((known) => {
      const terms = known.request === undefined ? undefined : readRequestTerms(known.request)
      const text = foldReply(known.text)
      return { set: basename(file), known, text, terms, options: listOptions(text, terms) }
    }),
  )
}

/** Learns from the lessons; the same lessons in the same order give the same weights. */
export function fitReader(lessons: readonly Lesson[]): ReaderWeights {
  const stock = new Learner(LEAST.stock)
  const price = new Learner(LEAST.price)
  // The cases of a set resemble each other, so neighbours are not learned one behind the other.
  const stride = lessons.length % 997 === 0 ? 991 : 997
  for (let nth = 0; nth < lessons.length * ROUNDS; nth++) {
    const lesson = lessons[(nth * stride) % lessons.length]
    if (lesson === undefined) continue
    const { known, options } = lesson
    const weight = known.request === undefined ? 1 : WITH_REQUEST
    stock.learn(options.stock, (value) => known.stock.includes(value), weight)
    if (known.stock.includes(true) && options.price.length > 1)
      price.learn(options.price, (value) => known.price.includes(value), weight)
  }
  return { stock: stock.read(), price: price.read() }
}

type Weight = { pull: number; seen: number; value: number }

/**
 * Logistic regression over options, learned case by case with weights that stay zero until enough
 * speaks for them (FTRL-proximal; McMahan et al., "Ad Click Prediction", KDD 2013).
 */
class Learner {
  readonly #weights = new Map<string, Weight>()
  readonly #met = new Map<readonly Option<unknown>[], readonly (readonly Weight[])[]>()
  readonly #least: number

  constructor(least: number) {
    this.#least = least
  }

  learn<Value>(
    options: readonly Option<Value>[],
    isRight: (value: Value) => boolean,
    weight: number,
  ): void {
    const found = this.#weightsOf(options)
    const odds = found.map((some) => Math.exp(some.reduce((sum, { value }) => sum + value, 0)))
    const total = odds.reduce((sum, one) => sum + one, 0)
    const right = options.map(({ value }) => isRight(value))
    const rightOdds = odds.reduce((sum, one, at) => sum + (right[at] ? one : 0), 0)
    if (rightOdds === 0) return
    for (const [at, some] of found.entries()) {
      const own = odds[at] ?? 0
      const slope = weight * (own / total - (right[at] ? own / rightOdds : 0))
      for (const one of some) this.#move(one, slope)
    }
  }

  /** The weights that count, with the digits that are committed. */
  read(): Record<string, number> {
    const rounded = [...this.#weights].map(
      ([feature, { value }]) => [feature, Math.round(value * 10) / 10] as const,
    )
    return Object.fromEntries(
      rounded
        .filter(([, value]) => Math.abs(value) >= SMALLEST)
        .sort(([one], [other]) => (one < other ? -1 : 1)),
    )
  }

  #weightsOf(options: readonly Option<unknown>[]): readonly (readonly Weight[])[] {
    const met = this.#met.get(options)
    if (met !== undefined) return met
    const found = options.map(({ features }) => features.map((feature) => this.#weightOf(feature)))
    this.#met.set(options, found)
    return found
  }

  #weightOf(feature: string): Weight {
    const known = this.#weights.get(feature)
    if (known !== undefined) return known
    const weight = { pull: 0, seen: 0, value: 0 }
    this.#weights.set(feature, weight)
    return weight
  }

  #move(weight: Weight, slope: number): void {
    const seen = weight.seen + slope * slope
    weight.pull += slope - ((Math.sqrt(seen) - Math.sqrt(weight.seen)) / RATE) * weight.value
    weight.seen = seen
    const beyond = Math.abs(weight.pull) - this.#least
    weight.value =
      beyond <= 0
        ? 0
        : (-Math.sign(weight.pull) * beyond) / ((1 + Math.sqrt(seen)) / RATE + SHRINKAGE)
  }
}
