import { type Features, rank, type Weights } from '../src/extract/rank.ts'
import type { Field, Lesson, Option } from './ranking-lessons.ts'

const ROUNDS = 300
const STEP = 0.1
/** How strongly a weight is held at what was expected of it. */
const HOLD = 0.003
/** A feature of fewer cases keeps the weight that was expected of it. */
const LEAST_CASES = 4

// The expected weights, from judgement: they decide where a feature occurs in few cases. Others are 0.
const EXPECTED: Readonly<Record<Field, Weights>> = {
  title: {
    'found as teams': 3,
    'beside teams': -2,
    'found as label': 2,
    'found as composed': 1.5,
    'found as quotes': 1,
    'after cue': 1.5,
    'kind last, before quote': -1.5,
    'kind first, after word': -0.5,
    'after announcement': 1.5,
    'in a path': -2,
    series: -0.7,
    list: -1,
    dots: -0.5,
    'no kind, a later line has one': -0.5,
    'first line, two or more before the date': -0.3,
    'in a later message': -0.5,
    'in the head of a newsletter': -2,
    stars: -2,
    'emoji within': -1.5,
    'before cancelled': -2,
    'found as journey': 2.5,
    'beside journey': -1,
    'after trip': -2,
    'institution in the first line': -1,
    credit: -1.5,
    'number first': -1,
    'greeting first': -2,
    relative: -2,
    'verb within': -1,
    'organisation first': -0.5,
    'venue last': -0.5,
    'street first': -2,
    'after field label': -3,
    'after capital article': -1.5,
    'after no': -3,
    'kind alone, goes on above': -2,
    'list item without a date': -1.5,
    'before colon and date': 1,
    'after name': -1.5,
    'before name': -1,
    'has the place': -0.5,
    'before and': -1,
    'before number': -1,
    'within a phrase of a kind': -1,
    'within a sure place': -1.5,
    'is the place': -1.5,
    'has date': -0.5,
    'odd sign': -1,
    'organisation, no kind': -1,
    'small first': -0.3,
    address: -2,
    clause: -1,
    code: -3,
    detail: -1,
    generic: -1,
    number: -1,
    paper: -1,
    question: -0.3,
    'lines: role header': -2,
    'letter: role header': -2,
    'lines: role letterhead': -1.5,
    'letter: role letterhead': -1.5,
    'picture: role letterhead': -1.5,
    'lines: role person': -2,
    'letter: role person': -2,
    'lines: role signature': -2,
    'letter: role signature': -2,
    'picture: role header': -2,
    'picture: role person': -2,
    'picture: role signature': -2,
  },
  place: {
    'no evidence': -2,
    'origin of a journey': 3,
    'found as origin': -1,
    'found as room': 1,
    'after label': 2,
    'other label': -1.5,
    'seat or fare': -1.5,
    notice: -1,
    verb: -1,
    'after at': 1,
    'after field': -2,
    aside: -1.5,
    address: 1,
    'street with number': 1,
    'address is one': 1,
    room: 1,
    practice: 0.5,
    'venue with a name': 0.5,
    'kind, no venue': -1,
    clause: -1.5,
    organisation: -1.5,
    sign: -1,
    dated: -0.5,
    'end of a sentence': -1,
    'number alone': -3,
    'long number': -2,
    'is the title': -1.5,
    'is the title, another after at': -2,
    'within the title': -0.5,
    'overlaps the title': -0.5,
    'none: online': 0.5,
    'none: an address': -1,
    'lines: role person': -2,
    'lines: role seat': -2,
    'lines: role signature': -1,
    'picture: role person': -2,
    'picture: role seat': -2,
  },
}

type Row = {
  readonly weight: number
  readonly options: readonly {
    readonly isRight: boolean
    readonly pairs: readonly [number, number][]
  }[]
}

/**
 * Fits a log-linear model: the right candidates of every case shall have a large share of the
 * probability. Gradient ascent with Adam's step sizes; the result is the same in every run.
 */
export function fitWeights(field: Field, lessons: readonly Lesson[]): Weights {
  const usable = lessons.filter(({ options }) => options.some(({ isRight }) => isRight))
  const names = nameFeatures(usable)
  const index = new Map(names.map((name, at) => [name, at]))
  const expected = names.map((name) => EXPECTED[field][name] ?? 0)
  const rows = usable.map(({ options, weight }) => ({
    weight,
    options: options.map((one) => toRow(one, index)),
  }))
  const total = rows.reduce((sum, { weight }) => sum + weight, 0)
  const weights = Float64Array.from(expected)
  const [mean, spread] = [new Float64Array(names.length), new Float64Array(names.length)]
  for (let round = 1; round <= ROUNDS; round++) {
    const slopes = gradient(rows, weights)
    for (const [at, weight] of weights.entries()) {
      const slope = (slopes[at] ?? 0) / total - HOLD * (weight - (expected[at] ?? 0))
      const [first, second] = [
        0.9 * (mean[at] ?? 0) + 0.1 * slope,
        0.999 * (spread[at] ?? 0) + 0.001 * slope * slope,
      ]
      mean[at] = first
      spread[at] = second
      const size = Math.sqrt(second / (1 - 0.999 ** round)) + 1e-8
      weights[at] = weight + (STEP * first) / (1 - 0.9 ** round) / size
    }
  }
  const rare = Object.entries(EXPECTED[field]).filter(([name]) => !index.has(name))
  const fitted = names.map(
    (name, at) => [name, Math.round((weights[at] ?? 0) * 100) / 100] as const,
  )
  return Object.fromEntries(
    [...fitted, ...rare].toSorted(([one], [other]) => (one < other ? -1 : 1)),
  )
}

function nameFeatures(lessons: readonly Lesson[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const { options } of lessons)
    for (const name of new Set(options.flatMap(({ features }) => [...features.keys()])))
      counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].flatMap(([name, count]) => (count >= LEAST_CASES ? [name] : [])).toSorted()
}

function toRow(
  { features, isRight }: Option,
  index: ReadonlyMap<string, number>,
): Row['options'][number] {
  const pairs = [...features].flatMap(([name, value]): [number, number][] => {
    const at = index.get(name)
    return at === undefined ? [] : [[at, value]]
  })
  return { isRight, pairs }
}

function gradient(rows: readonly Row[], weights: Float64Array): Float64Array {
  const slopes = new Float64Array(weights.length)
  for (const { options, weight } of rows) {
    const scores = options.map(({ pairs }) =>
      pairs.reduce((sum, [at, value]) => sum + (weights[at] ?? 0) * value, 0),
    )
    const best = Math.max(...scores)
    const shares = scores.map((score) => Math.exp(score - best))
    const total = shares.reduce((sum, one) => sum + one, 0)
    const right = shares.reduce((sum, one, at) => sum + (options[at]?.isRight ? one : 0), 0)
    for (const [nth, { isRight, pairs }] of options.entries()) {
      const share = shares[nth] ?? 0
      const push = weight * ((isRight ? share / right : 0) - share / total)
      for (const [at, value] of pairs) slopes[at] = (slopes[at] ?? 0) + push * value
    }
  }
  return slopes
}

/** The first of the candidates by these weights, with its probability. */
export function chooseOption(
  options: readonly Option[],
  weights: Weights,
): { readonly option: Option; readonly probability: number } | undefined {
  const described = options.map((value): { value: Option; features: Features } => ({
    value,
    features: value.features,
  }))
  const [best] = rank(described, weights)
  return best === undefined ? undefined : { option: best.value, probability: best.probability }
}
