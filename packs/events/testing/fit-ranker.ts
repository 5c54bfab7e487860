import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Weights } from '../src/extract/rank.ts'
import { TITLE_WEIGHTS } from '../src/extract/title-weights.ts'
import { chooseOption, fitWeights } from './fit-weights.ts'
import { type CaseSet, type Field, type Lesson, readLessons } from './ranking-lessons.ts'

// Fits the weights of titles, then of places, which know the title. It prints, for each set of cases,
// the share of right answers by weights that were fitted without that set, and writes the weights
// that are fitted on all of them. `--misses` prints the wrong answers; `--dry` writes nothing.
const { values } = parseArgs({
  options: {
    field: { type: 'string' },
    misses: { type: 'string' },
    dry: { type: 'boolean', default: false },
  },
})
const FIELDS: readonly Field[] = ['title', 'place']
const SETS: readonly CaseSet[] = [
  'own',
  'training author',
  'training author, 250 more',
  'first outsider',
  'second outsider',
  'third outsider',
  'fifth outsider',
]

let titleWeights = TITLE_WEIGHTS
for (const field of FIELDS.filter((one) => values.field === undefined || values.field === one)) {
  const weights = await fitField(field)
  if (field === 'title') titleWeights = weights
}

async function fitField(field: Field): Promise<Weights> {
  const { written, made } = await readLessons(field, titleWeights)
  console.log(`\n${field}s: ${written.length} written cases, ${made.length} sentences of our own`)
  const seen = SETS.flatMap((set) => {
    const others = written.filter((lesson) => lesson.set !== set)
    const tested = written.filter((lesson) => lesson.set === set)
    const weights = fitWeights(field, [...others, ...made])
    const answers = tested.map((lesson) => answer(lesson, weights))
    console.log(
      `  ${set}, not fitted on: ${percent(answers)} of ${tested.length} right; among the candidates in ${percent(tested.map(({ options }) => ({ isRight: options.some(({ isRight }) => isRight) })))}`,
    )
    if (values.misses === set || values.misses === 'all')
      console.log(tested.flatMap((lesson) => describeMiss(lesson, weights)).join('\n'))
    return answers
  })
  for (const least of [0.5, 0.7, 0.8, 0.9, 0.94, 0.95, 0.98]) {
    const sure = seen.filter(({ probability }) => probability >= least)
    console.log(
      `  probability ≥ ${least}: ${sure.length} of ${seen.length}, ${percent(sure)} right`,
    )
  }
  const weights = fitWeights(field, [...written, ...made])
  console.log(`  fitted on all: ${percent(written.map((lesson) => answer(lesson, weights)))} right`)
  if (!values.dry) writeWeights(field, weights)
  return weights
}

type Answer = { readonly isRight: boolean; readonly probability: number }

function answer({ options }: Lesson, weights: Weights): Answer {
  const best = chooseOption(options, weights)
  return { isRight: best?.option.isRight ?? false, probability: best?.probability ?? 0 }
}

function percent(answers: readonly { readonly isRight: boolean }[]): string {
  return `${((100 * answers.filter(({ isRight }) => isRight).length) / answers.length).toFixed(1)} %`
}

function describeMiss({ one, options }: Lesson, weights: Weights): readonly string[] {
  const got = chooseOption(options, weights)?.option
  if (got === undefined || got.isRight) return []
  const right = chooseOption(
    options.filter(({ isRight }) => isRight),
    weights,
  )?.option
  const names = new Set([...got.features.keys(), ...(right?.features.keys() ?? [])])
  const why = [...names]
    .map((name) => {
      const more = (got.features.get(name) ?? 0) - (right?.features.get(name) ?? 0)
      return { name, more: more * (weights[name] ?? 0) }
    })
    .filter(({ more }) => Math.abs(more) >= 0.2)
    .toSorted((one, other) => other.more - one.more)
  const text = one.text ?? one.lines?.map((line) => line.text).join('\n') ?? ''
  return [
    `${one.id} ${one.kind} ${JSON.stringify(text.slice(0, 250))}`,
    `  answered ${got.text}`,
    `  right    ${right?.text ?? `not among the candidates: ${one.expect.title}, ${one.expect.place}`}`,
    ...(right === undefined
      ? []
      : [`  because  ${why.map(({ name, more }) => `${name} ${more.toFixed(1)}`).join(', ')}`]),
  ]
}

function writeWeights(field: Field, weights: Weights): void {
  const rows = Object.entries(weights).flatMap(([name, weight]) =>
    weight === 0 ? [] : [`  ${/^[a-z]+$/.test(name) ? name : `'${name}'`}: ${weight},`],
  )
  writeFileSync(
    join(import.meta.dirname, `../src/extract/${field}-weights.ts`),
    [
      "import type { Weights } from './rank.ts'",
      '',
      '/** Fitted by `node packs/events/testing/fit-ranker.ts`; not edited by hand. */',
      `export const ${field.toUpperCase()}_WEIGHTS: Weights = {`,
      ...rows,
      '}',
      '',
    ].join('\n'),
  )
}
