import { basename, resolve } from 'node:path'
import {
  DEVELOPMENT_SETS,
  openToolSearch,
  type PublishedTool,
  type RankedRequest,
  readPublishedTools,
  readRequests,
  withoutAskedPhrases,
} from '../../../apps/server/src/fixtures/tool-requests.ts'
import { localEmbeddings } from '../../../libraries/discovery/src/index.ts'
import { goalsSection, judgeFigure } from '../harness/goals.ts'
import { readOptions, readWholeNumber } from '../harness/options.ts'
import { count } from '../harness/report.ts'
import { runSuite } from '../harness/run-suite.ts'
import type { Table } from '../harness/table.ts'

// Everyday requests over the tools of GitHub, Stripe, Slack, Kubernetes and Twilio, with and without
// phrases, with and without embeddings. `--cases FILE` takes other requests than those of the
// repository; of requests that are kept apart nothing but sums is printed. `--misses N` prints
// requests of the others, which are searched without the phrases that were taken from them.
const FIRST = 0.7
const IN_FIVE = 0.92
const MANY_TOOLS = 10_000
const WORDS = 'words and phrases'

const options = readOptions({ rounds: 1, texts: ['cases', 'misses'], flags: ['words-only'] })
const misses = readWholeNumber('misses', options.texts.misses, { fallback: 0, least: 0 })
const files = options.texts.cases === undefined ? DEVELOPMENT_SETS : [resolve(options.texts.cases)]
const isKeptApart = (file: string): boolean => !DEVELOPMENT_SETS.includes(file)
type Run = { readonly name: string; readonly file: string; readonly ranked: RankedRequest[] }

await runSuite('tool-search', options, async ({ startNoiseWatch }) => {
  const all = readPublishedTools()
  const tools = files.some(isKeptApart) ? all : withoutAskedPhrases(all)
  startNoiseWatch()
  const runs = await rankFiles(WORDS, openToolSearch(tools))
  runs.push(...(await rankFiles('words without phrases', openToolSearch(withoutPhrases(tools)))))
  const notes = [describeSpeed(tools), describeSpeed(multiply(tools))]
  if (!options.flags['words-only']) {
    const both = openToolSearch(tools, localEmbeddings())
    const start = performance.now()
    await both.prepare()
    const seconds = (performance.now() - start) / 1000
    notes.push(
      `The vectors of ${count(tools.length, 'tool')} took ${seconds.toFixed(0)} s in a thread and ${((tools.length * 512) / 1e6).toFixed(1)} MB.`,
    )
    runs.push(...(await rankFiles(`${WORDS} and embeddings`, both)))
  }
  const verdicts = runs
    .filter(({ file, name }) => isKeptApart(file) && name.startsWith(WORDS))
    .flatMap(judgeRun)
  return {
    sections: [
      ...runs.map((run) => ({ title: titleOf(run), table: table(run.ranked) })),
      goalsSection(verdicts),
    ],
    notes: [...notes, ...runs.filter(({ name }) => name === WORDS).flatMap(noteUnanswerable)],
    hasFailed: verdicts.some(({ verdict }) => verdict === 'miss'),
  }
})

async function rankFiles(name: string, search: ReturnType<typeof openToolSearch>): Promise<Run[]> {
  const runs: Run[] = []
  for (const file of files) {
    const ranked: RankedRequest[] = []
    for (const one of readRequests(file)) ranked.push(await search.rank(one))
    if (!isKeptApart(file)) printMisses(name, ranked)
    runs.push({ name, file, ranked })
  }
  return runs
}

function titleOf({ name, file }: Run): string {
  return `${basename(file)}, ${isKeptApart(file) ? 'kept apart' : 'developed with'}, by ${name}`
}

function noteUnanswerable({ file, ranked }: Run): readonly string[] {
  const unanswerable = ranked.filter(({ isAnswerable }) => !isAnswerable).length
  return unanswerable === 0
    ? []
    : [
        `${basename(file)}: ${count(unanswerable, 'request')} without a tool that would be right, counted as missed.`,
      ]
}

function withoutPhrases(tools: readonly PublishedTool[]): readonly PublishedTool[] {
  return tools.map((tool) => ({ ...tool, fields: { ...tool.fields, phrases: '' } }))
}

/** The same tools under other names, until there are many. */
function multiply(tools: readonly PublishedTool[]): readonly PublishedTool[] {
  return Array.from({ length: MANY_TOOLS }, (_, at) => {
    const tool = tools[at % tools.length]
    if (tool === undefined) throw new Error('The documents have no tools.')
    const id = at < tools.length ? tool.id : `copy${Math.floor(at / tools.length)}-${tool.id}`
    return { ...tool, id, fields: { ...tool.fields, id } }
  })
}

function describeSpeed(tools: readonly PublishedTool[]): string {
  const { search } = openToolSearch(tools)
  const requests = files.flatMap(readRequests).map(({ request }) => request)
  const time = (request: string): number => {
    const start = performance.now()
    search(request)
    return performance.now() - start
  }
  const indexing = time('anything')
  for (const request of requests) search(request)
  const times = requests.map(time).toSorted((left, right) => left - right)
  const at = (share: number): string => (times[Math.floor(times.length * share)] ?? 0).toFixed(1)
  return `Words over ${count(tools.length, 'tool')}: indexed in ${indexing.toFixed(0)} ms, a search takes ${at(0.5)} ms (p95 ${at(0.95)} ms).`
}

function judgeRun(run: Run) {
  return [
    judge(`${titleOf(run)}: first ≥ ${FIRST * 100} %`, share(run.ranked, 1), FIRST),
    judge(`${titleOf(run)}: in five ≥ ${IN_FIVE * 100} %`, share(run.ranked, 5), IN_FIVE),
  ]
}

function judge(goal: string, measured: number, least: number) {
  return judgeFigure(goal, measured, () => ({
    isReached: measured >= least,
    measured: `${(measured * 100).toFixed(1)} %`,
  }))
}

type Place = 'rank' | 'ownRank'

function share(ranked: readonly RankedRequest[], most: number, place: Place = 'rank'): number {
  return ranked.filter((one) => one[place] >= 0 && one[place] < most).length / ranked.length
}

function table(ranked: readonly RankedRequest[]): Table {
  const vendors = [...new Set(ranked.map(({ one }) => one.vendor))].toSorted()
  const columns = [
    [1, 'rank'],
    [5, 'rank'],
    [20, 'rank'],
    [1, 'ownRank'],
    [5, 'ownRank'],
  ] as const
  const row = (name: string, members: readonly RankedRequest[]): string[] => [
    name,
    String(members.length),
    ...columns.map(([most, place]) => `${(share(members, most, place) * 100).toFixed(1)} %`),
  ]
  return {
    head: ['', 'requests', 'first', 'in five', 'in twenty', 'first of vendor', 'in five of vendor'],
    rows: [
      ...vendors.map((vendor) =>
        row(
          vendor,
          ranked.filter(({ one }) => one.vendor === vendor),
        ),
      ),
      row('all', ranked),
    ],
    right: [1, 2, 3, 4, 5, 6],
  }
}

function printMisses(name: string, ranked: readonly RankedRequest[]): void {
  for (const { one, rank, first } of ranked.filter((each) => each.rank !== 0).slice(0, misses))
    console.log(`${name}: ${rank + 1}. of ${one.vendor}: ${one.request}; first is ${first}`)
}
