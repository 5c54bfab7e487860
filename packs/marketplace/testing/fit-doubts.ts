import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DISAGREEMENTS, DOUBTS, findOwnDoubts, type RuleReading } from '../src/replies/doubts.ts'
import { foldReply } from '../src/replies/fold-reply.ts'
import { readByRules } from '../src/replies/read-reply.ts'
import { readRequestTerms } from '../src/replies/request-terms.ts'
import { agree, type ReaderWeights } from '../src/replies/second-reader.ts'
import { fitReader, type Lesson, readLessons } from './fit-second-reader.ts'
import { DEVELOPMENT_SETS, REPLY_ARRIVES } from './reply-case.ts'

// node packs/marketplace/testing/fit-doubts.ts [--misses]
// Fits the weights of src/replies/doubts.ts by logistic regression and prints them, with what each set
// would have had if the weights had been fitted without it. Two kinds of readings are used: the first
// ones of cases that the rules were not yet developed with (fixtures/replies/README.md), whose errors
// are those of new text; and those of today's rules, at a fifth of the weight, most of which are right.
// The second reader never learned from the set whose readings it is compared with, nor from the set that
// is judged: there is a reader for each pair of sets, which takes two minutes.

// Of the right readings of today's rules, so many are given to a person.
const RIGHT_FLAGGED = 0.08
const SHRINKAGE = 1.5
const TODAY = 0.2
// New text comes with a request.
const WITH_REQUEST = 2
const ROUNDS = 60

type Example = {
  readonly set: string
  readonly lesson: Lesson
  readonly reading: RuleReading
  /** Where the rules' own doubts stand in ALL. */
  readonly own: readonly number[]
  readonly isWrong: boolean
  readonly weight: number
}
/** An example with its doubts, those by the second reader included. */
type Doubted = Example & { readonly doubts: readonly number[] }
type Fit = { readonly base: number; readonly weights: readonly number[] }

const ALL = [...DOUBTS, ...DISAGREEMENTS]
const lessons = readLessons()
const lessonsOf = Map.groupBy(lessons, ({ set }) => set)
const readers = new Map<string, ReaderWeights>()
const first: Example[] = []
const today: Example[] = []
const sets: string[] = []
for (const line of readFileSync(join(DEVELOPMENT_SETS, 'first-readings.list'), 'utf8')
  .trim()
  .split('\n')) {
  const [set = '', ...readings] = line.split(' ')
  const cases = lessonsOf.get(set) ?? []
  sets.push(set)
  for (const reading of readings) {
    const [at = '', stock, price, confidence] = reading.split(':')
    const lesson = cases[Number(at) - 1]
    if (lesson === undefined) throw new Error(`${set} has no case ${at}.`)
    const read: RuleReading = {
      has_stock: stock === '-' ? null : stock === 'yes',
      ...(price !== '-' && { price: Number(price) }),
      confidence: Number(confidence),
    }
    first.push(toExample(lesson, read, 1))
  }
  for (const lesson of cases) {
    const { text, request } = lesson.known
    const options = { ...REPLY_ARRIVES, ...(request !== undefined && { request }) }
    today.push(toExample(lesson, readByRules(foldReply(text), options), TODAY))
  }
}

const held = sets.map((set) => {
  const doubt = (examples: readonly Example[]) => examples.map((one) => addSecond(one, set))
  const others = (examples: readonly Example[]) => doubt(examples.filter((one) => one.set !== set))
  const fit = fitWeights([...others(first), ...others(today)])
  const sure = chooseSure(fit, others(today))
  const own = (examples: readonly Example[]) =>
    doubt(examples.filter((one) => one.set === set)).map((one) => ({
      ...one,
      confidence: confidenceOf(fit, one),
    }))
  return { set, sure, first: own(first), today: own(today) }
})
for (const { set, sure, first: examples } of held) console.log(summarize(set, examples, () => sure))
const sureBySet = new Map(held.map(({ set, sure }) => [set, sure]))
const sureOf = ({ set }: Example) => sureBySet.get(set) ?? 0
const firstOf = (start: string) =>
  held.filter(({ set }) => set.startsWith(start)).flatMap((one) => one.first)
console.log(summarize("the outsiders' first readings", firstOf('outside'), sureOf))
console.log(summarize('all first readings', firstOf(''), sureOf))
console.log(
  summarize(
    "all readings of today's rules",
    held.flatMap((one) => one.today),
    sureOf,
  ),
)
if (process.argv.includes('--misses'))
  for (const one of firstOf(''))
    if (one.isWrong !== one.confidence < sureOf(one))
      console.log(
        `${one.isWrong ? 'MISSED' : 'needless'} ${one.confidence} ${one.set} ${one.lesson.known.text} (${one.doubts
          .map((at) => ALL[at]?.name)
          .join(', ')})`,
      )

const doubted = first.map((one) => addSecond(one, one.set))
const doubtedToday = today.map((one) => addSecond(one, one.set))
const fit = fitWeights([...doubted, ...doubtedToday])
const sure = chooseSure(fit, doubtedToday)
console.log(`\nwithout doubt ${fit.base.toFixed(1)}; sure from ${sure}`)
for (const [at, { name }] of ALL.entries()) {
  const met = doubted.filter(({ doubts }) => doubts.includes(at))
  console.log(
    `${(fit.weights[at] ?? 0).toFixed(1)}  ${name}: ${met.filter(({ isWrong }) => isWrong).length} of ${met.length} wrong`,
  )
}

function toExample(lesson: Lesson, reading: RuleReading, weight: number): Example {
  const { known, set } = lesson
  const terms = known.request === undefined ? undefined : readRequestTerms(known.request)
  return {
    set,
    lesson,
    reading,
    own: findOwnDoubts(foldReply(known.text), reading, terms).map((doubt) => DOUBTS.indexOf(doubt)),
    isWrong:
      !known.stock.includes(reading.has_stock) || !known.price.includes(reading.price ?? null),
    weight: weight * (known.request === undefined ? 1 : WITH_REQUEST),
  }
}

/** Adds the doubts by a second reader that learned neither from the example's set nor from the judged one. */
function addSecond(example: Example, judged: string): Doubted {
  const { set, lesson, own, reading } = example
  const without = [set, judged].sort()
  const key = without.join()
  const reader = readers.get(key) ?? fitReader(lessons.filter((one) => !without.includes(one.set)))
  readers.set(key, reader)
  const agreement = agree(lesson.stocks, lesson.prices, reading, reader)
  const second = DISAGREEMENTS.flatMap(({ holds }, at) =>
    holds(agreement) ? [DOUBTS.length + at] : [],
  )
  return { ...example, doubts: [...own, ...second] }
}

/** Newton's method, one weight at a time. No weight is negative: a doubt never makes a reading surer. */
function fitWeights(examples: readonly Doubted[]): Fit {
  let base = -3
  const weights: number[] = ALL.map(() => 0)
  const odds = examples.map(() => base)
  const every = [...examples.keys()]
  const meeting = ALL.map((_, at) =>
    every.filter((index) => examples[index]?.doubts.includes(at) === true),
  )
  const improve = (met: readonly number[], penalty: number, least: number): number => {
    let slope = penalty
    let bend = least
    for (const index of met) {
      const { isWrong = false, weight = 0 } = examples[index] ?? {}
      const wrong = 1 / (1 + Math.exp(-(odds[index] ?? 0)))
      slope += weight * (wrong - (isWrong ? 1 : 0))
      bend += weight * wrong * (1 - wrong)
    }
    return -slope / bend
  }
  const shift = (met: readonly number[], by: number): void => {
    for (const index of met) odds[index] = (odds[index] ?? 0) + by
  }
  for (let round = 0; round < ROUNDS; round++) {
    const step = improve(every, 0, 1e-9)
    base += step
    shift(every, step)
    for (const [at, met] of meeting.entries()) {
      const old = weights[at] ?? 0
      const next = Math.max(0, old + improve(met, SHRINKAGE * old, SHRINKAGE))
      weights[at] = next
      shift(met, next - old)
    }
  }
  // As few digits as are committed, so that the figures are those of the table.
  return { base: round(base, 10), weights: weights.map((weight) => round(weight, 10)) }
}

function round(value: number, parts: number): number {
  return Math.round(value * parts) / parts
}

/** The confidence that a reading with these doubts has. */
function confidenceOf({ base, weights }: Fit, { doubts }: Doubted): number {
  const odds = doubts.reduce((sum, at) => sum + (weights[at] ?? 0), base)
  return round(1 / (1 + Math.exp(odds)), 100)
}

/** The highest confidence below which no more than the wanted share of right readings lies. */
function chooseSure(fit: Fit, examples: readonly Doubted[]): number {
  const right = examples.filter(({ isWrong }) => !isWrong).map((one) => confidenceOf(fit, one))
  const most = right.length * RIGHT_FLAGGED
  let sure = 0.99
  while (right.filter((confidence) => confidence < sure).length > most)
    sure = round(sure - 0.01, 100)
  return sure
}

type Judged = Doubted & { readonly confidence: number }

function summarize(
  name: string,
  examples: readonly Judged[],
  sureOf: (example: Example) => number,
): string {
  const count = (isWrong: boolean) => {
    const all = examples.filter((one) => one.isWrong === isWrong)
    const flagged = all.filter((one) => one.confidence < sureOf(one)).length
    return `${flagged} of ${all.length} (${((100 * flagged) / Math.max(all.length, 1)).toFixed(1)} %)`
  }
  return `${name}: flagged of the wrong ${count(true)}, of the right ${count(false)}`
}
