import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import type { PublishedTool } from '../../../apps/server/src/fixtures/tool-requests.ts'
import { FEATURES } from '../../../libraries/discovery/src/rank-features.ts'
import {
  fitWeights,
  type Lesson,
  rankOfRight,
  type Weights,
} from '../../../libraries/discovery/testing/fit-weights.ts'
import { collectPhrases, writePhrases } from './asked-phrases.ts'
import {
  type Asked,
  type Lessons,
  readAsked,
  readLessons,
  readTools,
  teach,
  withoutPhrases,
} from './lessons.ts'

// Fits the weights of the tool search on the requests of sources/documents/requests. It prints, for
// each set, how many requests find a right tool first and among five by weights and phrases that
// were made without that set, and writes the weights and the phrases of all sets. `--dry` writes
// nothing; `--set SET` measures one set only, `--misses SET` prints what it misses.
const { values } = parseArgs({
  options: {
    dry: { type: 'boolean', default: false },
    misses: { type: 'string' },
    set: { type: 'string' },
  },
})
const ROOT = join(import.meta.dirname, '../../..')
/** How much a search without phrases counts in the fit beside one with them. */
const BESIDE = 0.5

const forgetful = readForgetfulLessons()
const tools = readTools()
const asked = readAsked()
const { withPhrases, besideOthers } = readLessons(tools, asked)
const without = teach(withoutPhrases(tools), asked)
const lessons = await forgetful
for (const set of new Set(asked.map((one) => one.set))) {
  if (values.set !== undefined && values.set !== set) continue
  const weights = fit(({ set: from }) => from !== set)
  const ofSet = <T extends { readonly set: string }>(all: readonly T[]): readonly T[] =>
    all.filter((one) => one.set === set)
  const others = asked.filter((one) => one.set !== set)
  const learned = teach(addPhrases(tools, others), ofSet(asked))
  report(`${set}, phrases and other requests`, weights, learned)
  report(`${set}, phrases`, weights, ofSet(withPhrases))
  report(`${set}, no phrases for the vendor asked`, weights, ofSet(besideOthers))
  report(`${set}, no phrases`, weights, ofSet(without))
  if (values.misses === set) printMisses(learned, weights)
}
const weights = fit(() => true)
report('fitted on, phrases', weights, withPhrases)
report('fitted on, no phrases', weights, without)
if (!values.dry) {
  writeWeights(weights)
  writePhrases(join(ROOT, 'sources/openapi/src/phrases/asked-phrases.ts'), collect(tools, asked))
}

async function readForgetfulLessons(): Promise<Lessons> {
  const preload = new URL('./forget-words.ts', import.meta.url).href
  const worker = new Worker(new URL('./lesson-thread.ts', import.meta.url), {
    execArgv: ['--import', preload],
  })
  // Type erased: the thread sends nothing else.
  const [message] = (await once(worker, 'message')) as [Lessons]
  return message
}

function fit(isUsed: (lesson: Lesson) => boolean): Weights {
  const beside = lessons.besideOthers.map((lesson) => ({ ...lesson, weight: BESIDE }))
  return fitWeights([...lessons.withPhrases, ...beside].filter(isUsed))
}

function collect(tools: readonly PublishedTool[], requests: readonly Asked[]) {
  return collectPhrases(
    tools,
    requests.map(({ one }) => one),
  )
}

function addPhrases(
  tools: readonly PublishedTool[],
  requests: readonly Asked[],
): readonly PublishedTool[] {
  const more = collect(tools, requests)
  return tools.map((tool) => {
    const phrases = [tool.fields.phrases ?? '', ...(more.get(tool) ?? [])].filter(Boolean)
    return { ...tool, fields: { ...tool.fields, phrases: phrases.join('\n') } }
  })
}

function report(name: string, weights: Weights, lessons: readonly Lesson[]): void {
  const ranks = lessons.map((lesson) => rankOfRight(lesson, weights))
  const share = (most: number): string =>
    ((100 * ranks.filter((rank) => rank < most).length) / ranks.length).toFixed(1)
  console.log(`${name}: ${ranks.length} requests, first ${share(1)} %, in five ${share(5)} %`)
}

function printMisses(lessons: readonly Lesson[], weights: Weights): void {
  for (const lesson of lessons) {
    const rank = rankOfRight(lesson, weights)
    if (rank > 0) console.log(`  ${rank + 1}. ${lesson.request}`)
  }
}

function writeWeights(weights: Weights): void {
  writeFileSync(
    join(ROOT, 'libraries/discovery/src/rank-weights.ts'),
    [
      "import type { Feature } from './rank-features.ts'",
      '',
      '/** Fitted by `node bench/src/tool-search/fit-ranking.ts`; not edited by hand. */',
      'export const RANK_WEIGHTS: Readonly<Record<Feature, number>> = {',
      ...FEATURES.map((feature, at) => {
        const name = /^[a-z]+$/.test(feature) ? feature : `'${feature}'`
        return `  ${name}: ${Number((weights[at] ?? 0).toFixed(3))},`
      }),
      '}',
      '',
    ].join('\n'),
  )
}
