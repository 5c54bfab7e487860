import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DISAGREEMENTS, DOUBTS, findOwnDoubts, type RuleReading } from '../src/replies/doubts.ts'
import { readByRules } from '../src/replies/read-reply.ts'
import { agree, settleReading, weighReply } from '../src/replies/second-reader.ts'
import { fitReader, type Lesson, readLessons } from './fit-second-reader.ts'
import { DEVELOPMENT_SETS, REPLY_ARRIVES } from './reply-case.ts'

// node packs/marketplace/testing/fit-doubts.ts [--misses]
// Fits the weights of src/replies/doubts.ts by logistic regression and prints them, with what each set
// would have had if the weights had been fitted without it. Two kinds of readings are used: the first
// ones of cases that the rules were not yet developed with (fixtures/replies/README.md), whose errors
// are those of new text; and those of today's rules, at a fifth of the weight, most of which are right.
// The second reader never learned from the set whose readings it is compared with: there is a reader for
// each set, which takes half a minute.

// Of the outsiders' right first readings, so many are given to a person.
const RIGHT_FLAGGED = 0.08
const SHRINKAGE = 1.5
const TODAY = 0.2
// New text comes with a request.
const WITH_REQUEST = 2
const ROUNDS = 60

type Example = {
  readonly set: string
  readonly lesson: Lesson
  /** Where its doubts stand in ALL. */
  readonly doubts: readonly number[]
  readonly isWrong: boolean
  readonly isRuleWrong: boolean
  readonly weight: number
}
type Fit = { readonly base: number; readonly weights: readonly number[] }

const ALL = [...DOUBTS, ...DISAGREEMENTS]
const lessons = readLessons()
const lessonsOf = Map.groupBy(lessons, ({ set }) => set)
const first: Example[] = []
const today: Example[] = []
const sets: string[] = []
for (const line of readFileSync(join(DEVELOPMENT_SETS, 'first-readings.list'), 'utf8')
  .trim()
  .split('\n')) {
  const [set = '', ...readings] = line.split(' ')
  const cases = lessonsOf.get(set) ?? []
  const reader = fitReader(lessons.filter((lesson) => lesson.set !== set))
  const toExample = (lesson: Lesson, rules: RuleReading, weight: number): Example => {
    const { known, text, terms, options } = lesson
    const second = weighReply(options, reader)
    const settled = settleReading(rules, second)
    const { has_stock, price } = settled
    const read: RuleReading = {
      has_stock,
      ...(price !== undefined && { price }),
      confidence: rules.confidence,
    }
    const agreement = agree(settled, second)
    return {
      set,
      lesson,
      doubts: [
        ...findOwnDoubts(text, read, terms).map((doubt) => DOUBTS.indexOf(doubt)),
        ...DISAGREEMENTS.flatMap(({ holds }, at) => (holds(agreement) ? [DOUBTS.length + at] : [])),
      ],
      isWrong: isWrong(lesson, read),
      isRuleWrong: isWrong(lesson, rules),
      weight: weight * (known.request === undefined ? 1 : WITH_REQUEST),
    }
  }
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
    const { request } = lesson.known
    const options = { ...REPLY_ARRIVES, ...(request !== undefined && { request }) }
    today.push(toExample(lesson, readByRules(lesson.text, options), TODAY))
  }
}

const held = sets.map((set) => {
  const others = (examples: readonly Example[]) => examples.filter((one) => one.set !== set)
  const fit = fitWeights([...others(first), ...others(today)])
  const own = (examples: readonly Example[]) =>
    examples
      .filter((one) => one.set === set)
      .map((one) => ({ ...one, confidence: confidenceOf(fit, one) }))
  return { set, sure: chooseSure(fit, others(first)), first: own(first), today: own(today) }
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

const fit = fitWeights([...first, ...today])
const sure = chooseSure(fit, first)
console.log(`\nwithout doubt ${fit.base.toFixed(1)}; sure from ${sure}`)
for (const [at, { name }] of ALL.entries()) {
  const met = first.filter(({ doubts }) => doubts.includes(at))
  console.log(
    `${(fit.weights[at] ?? 0).toFixed(1)}  ${name}: ${met.filter(({ isWrong }) => isWrong).length} of ${met.length} wrong`,
  )
}

function isWrong({ known }: Lesson, { has_stock, price }: RuleReading): boolean {
  return !known.stock.includes(has_stock) || !known.price.includes(price ?? null)
}

/** Newton's method, one weight at a time. No weight is negative: a doubt never makes a reading surer. */
function fitWeights(examples: readonly Example[]): Fit {
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
function confidenceOf({ base, weights }: Fit, { doubts }: Example): number {
  const odds = doubts.reduce((sum, at) => sum + (weights[at] ?? 0), base)
  return round(1 / (1 + Math.exp(odds)), 100)
}

/** The highest confidence below which no more than the wanted share of the outsiders' right readings lies. */
function chooseSure(fit: Fit, examples: readonly Example[]): number {
  const right = examples
    .filter((one) => !one.isWrong && one.set.startsWith('outside'))
    .map((one) => confidenceOf(fit, one))
  const most = right.length * RIGHT_FLAGGED
  let sure = 0.99
  while (right.filter((confidence) => confidence < sure).length > most)
    sure = round(sure - 0.01, 100)
  return sure
}

type Judged = Example & { readonly confidence: number }

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
  const right = (wrong: (one: Judged) => boolean) =>
    `${((100 * examples.filter((one) => !wrong(one)).length) / examples.length).toFixed(1)} %`
  return `${name}: ${right((one) => one.isRuleWrong)} right by the rules, ${right((one) => one.isWrong)} with the second reader; flagged of the wrong ${count(true)}, of the right ${count(false)}`
}
