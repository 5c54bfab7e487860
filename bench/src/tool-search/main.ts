import { join, resolve } from 'node:path'
import { localEmbeddings } from '../../../libraries/discovery/src/index.ts'
import { goalsSection, judgeFigure } from '../harness/goals.ts'
import { readOptions, readWholeNumber } from '../harness/options.ts'
import { count } from '../harness/report.ts'
import { ROOT, runSuite } from '../harness/run-suite.ts'
import type { Table } from '../harness/table.ts'
import { openToolSearch, type RankedRequest, readRequests } from './requests.ts'

// Everyday requests over the tools of GitHub, Stripe, Slack, Kubernetes and Twilio, with and without
// embeddings. `--cases FILE` takes other requests than those that the ranking was developed with; of
// those, kept apart, nothing but sums is printed. `--misses N` prints requests of the others.
const DEVELOPMENT = join(ROOT, 'sources/documents/requests/development.tsv')
const FIRST = 0.7
const IN_FIVE = 0.92

const options = readOptions({ rounds: 1, texts: ['cases', 'misses'], flags: ['words-only'] })
const misses = readWholeNumber('misses', options.texts.misses, { fallback: 0, least: 0 })
const file = resolve(options.texts.cases ?? DEVELOPMENT)
const label = file === DEVELOPMENT ? 'tuned on' : 'kept apart'
type Run = { readonly name: string; readonly ranked: readonly RankedRequest[] }

await runSuite('tool-search', options, async ({ startNoiseWatch }) => {
  const cases = readRequests(file)
  startNoiseWatch()
  const words = openToolSearch()
  const runs: Run[] = [{ name: 'words', ranked: await Promise.all(cases.map(words.rank)) }]
  if (!options.flags['words-only']) {
    const both = openToolSearch(localEmbeddings())
    const ranked: RankedRequest[] = []
    for (const one of cases) ranked.push(await both.rank(one))
    runs.push({ name: 'words and embeddings', ranked })
  }
  if (label === 'tuned on') printMisses(runs.at(-1)?.ranked ?? [])
  const verdicts = runs.flatMap(({ name, ranked }) => [
    judge(`${name}: a right tool first ≥ ${FIRST * 100} %`, share(ranked, 1), FIRST),
    judge(`${name}: among the first five ≥ ${IN_FIVE * 100} %`, share(ranked, 5), IN_FIVE),
  ])
  const unanswerable = runs[0]?.ranked.filter(({ isAnswerable }) => !isAnswerable).length ?? 0
  return {
    sections: [
      ...runs.map(({ name, ranked }) => ({ title: `${name} (${label})`, table: table(ranked) })),
      goalsSection(verdicts),
    ],
    notes: [
      `${count(cases.length, 'request')} of ${file}, ${label}, over ${words.tools} tools; ${unanswerable} without a tool that would be right, counted as missed.`,
    ],
    hasFailed: verdicts.some(({ verdict }) => verdict === 'miss'),
  }
})

function judge(goal: string, measured: number, least: number) {
  return judgeFigure(goal, measured, () => ({
    isReached: measured >= least,
    measured: `${(measured * 100).toFixed(1)} %`,
  }))
}

function share(ranked: readonly RankedRequest[], most: number): number {
  return ranked.filter(({ rank }) => rank >= 0 && rank < most).length / ranked.length
}

function table(ranked: readonly RankedRequest[]): Table {
  const vendors = [...new Set(ranked.map(({ one }) => one.vendor))].toSorted()
  const row = (name: string, members: readonly RankedRequest[]): string[] => [
    name,
    String(members.length),
    ...[1, 5, 20].map((most) => `${(share(members, most) * 100).toFixed(1)} %`),
  ]
  return {
    head: ['', 'requests', 'first', 'in five', 'in twenty'],
    rows: [
      ...vendors.map((vendor) =>
        row(
          vendor,
          ranked.filter(({ one }) => one.vendor === vendor),
        ),
      ),
      row('all', ranked),
    ],
    right: [1, 2, 3, 4],
  }
}

function printMisses(ranked: readonly RankedRequest[]): void {
  for (const { one, rank, first } of ranked.filter((each) => each.rank !== 0).slice(0, misses))
    console.log(`${rank + 1}. of ${one.vendor}: ${one.request}; first is ${first}`)
}
