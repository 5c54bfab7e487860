import type { Noise } from '../harness/noise.ts'
import { figure, machine, noiseLine } from '../harness/report.ts'
import { markdownTable, type Table, textTable } from '../harness/table.ts'
import { BASELINE, type Contender, nothing } from './contenders.ts'
import { DOCUMENT_IDS, DOCUMENTS, type DocumentId } from './documents.ts'
import { judge } from './goals.ts'
import type { Ground } from './ground.ts'
import { ratio, summaryOf } from './results.ts'
import type { Results } from './rounds.ts'
import { CAP_MS } from './run-child.ts'

export type Run = {
  readonly contenders: readonly Contender[]
  readonly results: Results
  readonly ground: Ground
  /** What is not in the tables, and why. */
  readonly missing: readonly string[]
  readonly noise: Noise
  readonly rounds: number
  readonly seconds: number
  readonly date: Date
  readonly command: string
}

type Part = { readonly title: string; readonly table: Table; readonly notes: readonly string[] }

export function textReport(run: Run): string {
  return [
    ...partsOf(run).flatMap(({ title, table, notes }) => [
      `\n${title}\n`,
      textTable(table),
      ...notes,
    ]),
    ...run.missing.map((one) => `\n${one}`),
    `\n${howMeasured(run)}`,
    `\n${machine()}; ${noiseLine(run.noise)}; ${Math.round(run.seconds)} s in all`,
  ].join('\n')
}

export function markdownReport(run: Run): string {
  return [
    `${run.date.toISOString().slice(0, 16).replace('T', ' ')}, ${machine()}, \`${run.command}\`. Noise: ${noiseLine(run.noise)}.`,
    ...partsOf(run).flatMap(({ title, table, notes }) => [
      `## ${title}`,
      markdownTable(table),
      ...(notes.length === 0 ? [] : [notes.map((note) => `- ${note}`).join('\n')]),
    ]),
    ...run.missing,
    `${howMeasured(run)}\n`,
  ].join('\n\n')
}

function partsOf(run: Run): readonly Part[] {
  const parts = DOCUMENT_IDS.map((document) => partOf(document, run)).filter(
    ({ table }) => table.rows.length > 0,
  )
  const goals = judge(run.results).map(({ promise, measured, byCpu, verdict }) => [
    verdict,
    measured,
    byCpu,
    promise,
  ])
  return [
    ...parts,
    {
      title: 'Goals',
      table: { head: ['', 'measured', 'by CPU time', 'goal'], rows: goals, right: [1, 2] },
      notes: [],
    },
  ]
}

function partOf(document: DocumentId, { contenders, results, ground }: Run): Part {
  const { title, named } = DOCUMENTS[document]
  const listed = contenders.filter(
    (contender) => contender.document === document && contender.id !== nothing.id,
  )
  const order = ({ id }: Contender): number =>
    summaryOf(results, id, 'makeMs')?.median ?? Number.POSITIVE_INFINITY
  const counts = [...new Set(listed.map((contender) => ground.givenTo(contender)?.operations))].map(
    (count) => count?.toLocaleString('en'),
  )
  return {
    title: `${title}, ${counts.join(' and ')} ${document === 'graphql' ? 'queries and mutations (introspection and SDL are of different days)' : 'operations'}`,
    table: {
      head: [
        'contender',
        'ms',
        'least–most',
        '× JSON.parse',
        'CPU ms',
        'import ms',
        'whole process',
        'beyond Node',
        'peak MB',
        'tools',
        named.operationId,
        'what it does',
      ],
      rows: listed
        .toSorted((left, right) => order(left) - order(right))
        .map((contender) => rowOf(contender, results)),
      right: [1, 2, 3, 4, 5, 6, 7, 8, 9],
    },
    notes: listed.flatMap(({ id, label }) => {
      const result = results.get(id)
      return result?.status === 'failed'
        ? [`${label} failed: ${result.error.trim().slice(0, 300)}`]
        : []
    }),
  }
}

function rowOf({ id, document, label, does }: Contender, results: Results): readonly string[] {
  const result = results.get(id)
  if (result?.status !== 'measured' || result.rounds.length === 0) {
    const what = result?.status === 'over' ? `over ${CAP_MS / 1000} s` : 'failed'
    return [label, what, '', '', '', '', '', '', '', '', '', does]
  }
  const make = summaryOf(results, id, 'makeMs')
  const times = ratio(results, 'makeMs', { of: id, than: BASELINE[document] })
  const isYardstick = result.verdict === 'no tools'
  return [
    label,
    shown(make?.median),
    `${shown(make?.least)}–${shown(make?.most)}`,
    times === undefined ? '' : `${figure(times)} ×`,
    shown(summaryOf(results, id, 'makeCpuMs')?.median),
    shown(summaryOf(results, id, 'importMs')?.median),
    shown(summaryOf(results, id, 'wholeMs')?.median),
    shown(summaryOf(results, id, 'beyondMs')?.median),
    shown(summaryOf(results, id, 'peakMb')?.median),
    isYardstick ? '' : result.tools.toLocaleString('en'),
    isYardstick ? '' : result.verdict,
    does,
  ]
}

function shown(value: number | undefined): string {
  if (value === undefined) return ''
  return value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString('en')
}

function howMeasured({ rounds, results }: Run): string {
  const start = shown(summaryOf(results, nothing.id, 'wholeMs')?.median)
  return `Median and range of ${rounds} interleaved ${rounds === 1 ? 'round' : 'rounds'}, a fresh process each in which the work is done once, cold. "ms" is from the document's text in memory to the tools (mcp-openapi reads its file in it), after the imports; "CPU ms" is the CPU time of it, all threads; "beyond Node" is imports, reading the file and building the tools; the whole process is from its start until the tools are there, and one that does nothing takes ${start} ms. Surehand is bundled (rolldown, one file) unless the row says "from sources"; peers are used as npm installs them. A ratio is the median of the rounds' own ratios. Before the rounds, and after each, the tools were counted, and the tool named in the heading was checked for its parameters and its body. A contender that takes over ${CAP_MS / 1000} s is stopped. Surehand reads a tool's texts and schemas when they are first used, which only the row "everything looked at" includes, and compiles them at the first call, which no row includes.`
}
