import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DOUBTS, findDoubts, type RuleReading } from '../src/replies/doubts.ts'
import { foldReply } from '../src/replies/fold-reply.ts'
import { readByRules } from '../src/replies/read-reply.ts'
import { readRequestTerms } from '../src/replies/request-terms.ts'
import { DEVELOPMENT_SETS, REPLY_ARRIVES, type ReplyCase, readReplyCases } from './reply-case.ts'

// node packs/marketplace/testing/fit-doubts.ts [--misses]
// Fits the weights of src/replies/doubts.ts by logistic regression and prints them, with what each set
// would have had if the weights had been fitted without it. Two kinds of readings are used: the first
// ones of cases that the rules were not yet developed with (fixtures/replies/README.md), whose errors
// are those of new text; and those of today's rules, at a fifth of the weight, most of which are right.

// Of the right readings of today's rules, so many are given to a person.
const RIGHT_FLAGGED = 0.085
const SHRINKAGE = 1.5
const TODAY = 0.2
// New text comes with a request.
const WITH_REQUEST = 2
const ROUNDS = 60

type Example = {
  readonly set: string
  readonly text: string
  readonly doubts: readonly number[]
  readonly isWrong: boolean
  readonly weight: number
}
type Fit = { readonly base: number; readonly weights: readonly number[] }

const files = new Map<string, readonly ReplyCase[]>()
const first: Example[] = []
const today: Example[] = []
for (const line of readFileSync(join(DEVELOPMENT_SETS, 'first-readings.list'), 'utf8')
  .trim()
  .split('\n')) {
  const [set = '', ...readings] = line.split(' ')
  const cases = readReplyCases(join(DEVELOPMENT_SETS, set))
  files.set(set, cases)
  for (const reading of readings) {
    const [at = '', stock, price, confidence] = reading.split(':')
    const known = cases[Number(at) - 1]
    if (known === undefined) throw new Error(`${set} has no case ${at}.`)
    const read: RuleReading = {
      has_stock: stock === '-' ? null : stock === 'yes',
      ...(price !== '-' && { price: Number(price) }),
      confidence: Number(confidence),
    }
    first.push(toExample(set, known, read, 1))
  }
  for (const known of cases) {
    const { text, request } = known
    const options = { ...REPLY_ARRIVES, ...(request !== undefined && { request }) }
    today.push(toExample(set, known, readByRules(foldReply(text), options), TODAY))
  }
}

const sets = [...files.keys()]
const held = sets.map((set) => {
  const others = (examples: readonly Example[]) => examples.filter((one) => one.set !== set)
  const fit = fitWeights([...others(first), ...others(today)])
  const sure = chooseSure(fit, others(today))
  const own = (examples: readonly Example[]) =>
    examples
      .filter((one) => one.set === set)
      .map((one) => ({ ...one, confidence: confidenceOf(fit, one) }))
  return { set, sure, first: own(first), today: own(today) }
})
for (const { set, sure, first: examples } of held) console.log(summarize(set, examples, () => sure))
const sureBySet = new Map(held.map(({ set, sure }) => [set, sure]))
const sureOf = ({ set }: Example) => sureBySet.get(set) ?? 0
console.log(
  summarize(
    'all, first readings',
    held.flatMap((one) => one.first),
    sureOf,
  ),
)
console.log(
  summarize(
    "all, today's rules",
    held.flatMap((one) => one.today),
    sureOf,
  ),
)
if (process.argv.includes('--misses'))
  for (const one of held.flatMap((each) => each.first))
    if (one.isWrong !== one.confidence < sureOf(one))
      console.log(
        `${one.isWrong ? 'MISSED' : 'needless'} ${one.confidence} ${one.set} ${one.text} (${DOUBTS.filter(
          (_, at) => one.doubts[at],
        )
          .map(({ name }) => name)
          .join(', ')})`,
      )

const fit = fitWeights([...first, ...today])
const sure = chooseSure(fit, today)
console.log(`\nwithout doubt ${fit.base.toFixed(1)}; sure from ${sure}`)
for (const [at, { name }] of DOUBTS.entries()) {
  const met = first.filter(({ doubts }) => doubts[at] === 1)
  console.log(
    `${(fit.weights[at] ?? 0).toFixed(1)}  ${name}: ${met.filter(({ isWrong }) => isWrong).length} of ${met.length} wrong`,
  )
}

function toExample(set: string, known: ReplyCase, reading: RuleReading, weight: number): Example {
  const terms = known.request === undefined ? undefined : readRequestTerms(known.request)
  const found = new Set(findDoubts(foldReply(known.text), reading, terms))
  return {
    set,
    text: known.text,
    doubts: DOUBTS.map((doubt) => (found.has(doubt) ? 1 : 0)),
    isWrong:
      !known.stock.includes(reading.has_stock) || !known.price.includes(reading.price ?? null),
    weight: weight * (known.request === undefined ? 1 : WITH_REQUEST),
  }
}

/** Newton's method, one weight at a time. No weight is negative: a doubt never makes a reading surer. */
function fitWeights(examples: readonly Example[]): Fit {
  let base = -3
  const weights: number[] = DOUBTS.map(() => 0)
  const odds = examples.map(() => base)
  const improve = (at: number | undefined): number => {
    let slope = at === undefined ? 0 : SHRINKAGE * (weights[at] ?? 0)
    let bend = at === undefined ? 1e-9 : SHRINKAGE
    for (const [index, { doubts, isWrong, weight }] of examples.entries()) {
      if (at !== undefined && doubts[at] === 0) continue
      const wrong = 1 / (1 + Math.exp(-(odds[index] ?? 0)))
      slope += weight * (wrong - (isWrong ? 1 : 0))
      bend += weight * wrong * (1 - wrong)
    }
    return -slope / bend
  }
  const shift = (at: number | undefined, by: number): void => {
    for (const [index, { doubts }] of examples.entries())
      if (at === undefined || doubts[at] === 1) odds[index] = (odds[index] ?? 0) + by
  }
  for (let round = 0; round < ROUNDS; round++) {
    const step = improve(undefined)
    base += step
    shift(undefined, step)
    for (const at of DOUBTS.keys()) {
      const old = weights[at] ?? 0
      const next = Math.max(0, old + improve(at))
      weights[at] = next
      shift(at, next - old)
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
  const odds = doubts.reduce((sum, met, at) => sum + met * (weights[at] ?? 0), base)
  return round(1 / (1 + Math.exp(odds)), 100)
}

/** The highest confidence below which no more than the wanted share of right readings lies. */
function chooseSure(fit: Fit, examples: readonly Example[]): number {
  const right = examples.filter(({ isWrong }) => !isWrong).map((one) => confidenceOf(fit, one))
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
  return `${name}: flagged of the wrong ${count(true)}, of the right ${count(false)}`
}
