import { goalsSection } from '../harness/goals.ts'
import { count, formatRatio, type Report, type Section } from '../harness/report.ts'
import { ChildTimeout, TIMEOUT_MS } from '../harness/run-child.ts'
import { BASELINE, type Contender, nothing } from './contenders.ts'
import { DOCUMENT_IDS, DOCUMENTS, type DocumentId } from './documents.ts'
import type { Files } from './files.ts'
import { judgeGoals } from './goals.ts'
import { figureRatio, type Results, summarizeFigure } from './results.ts'

export type Run = {
  readonly contenders: readonly Contender[]
  readonly results: Results
  readonly files: Files
  /** Why contenders are missing from the tables. */
  readonly missing: readonly string[]
  readonly rounds: number
}

export function createReport(run: Run): Report {
  const { contenders, results, missing } = run
  return {
    sections: [
      ...DOCUMENT_IDS.map((document) => documentSection(document, run)),
      goalsSection(judgeGoals(results), 'by CPU time'),
    ],
    notes: [...missing, describeMethod(run)],
    // A peer that cannot read a document is a result; that we cannot read it is an error.
    hasFailed: contenders.some(({ id, whose }) => whose === 'ours' && results.failures.has(id)),
  }
}

function documentSection(document: DocumentId, { contenders, results, files }: Run): Section {
  const { title, sample } = DOCUMENTS[document]
  const listed = contenders.filter(
    (contender) => contender.document === document && contender.id !== nothing.id,
  )
  const order = ({ id }: Contender): number =>
    summarizeFigure(results, id, 'makeMs')?.median ?? Number.POSITIVE_INFINITY
  const counts = [...new Set(listed.map((contender) => files.inputFor(contender)?.operations))].map(
    (operations) => operations?.toLocaleString('en'),
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
        sample.operationId,
        'what it does',
      ],
      rows: listed
        .toSorted((left, right) => order(left) - order(right))
        .map((contender) => contenderRow(contender, results)),
      right: [1, 2, 3, 4, 5, 6, 7, 8, 9],
    },
    notes: listed.flatMap(({ id, label }) => {
      const failure = results.failures.get(id)
      return failure === undefined || failure instanceof ChildTimeout
        ? []
        : [`${label} failed: ${failure.message.trim().slice(0, 300)}`]
    }),
  }
}

function contenderRow(
  { id, document, label, does }: Contender,
  results: Results,
): readonly string[] {
  const [first] = results.figuresOf(id)
  if (first === undefined) {
    const failure = results.failures.get(id)
    const what = failure instanceof ChildTimeout ? failure.message : 'failed'
    return [label, what, '', '', '', '', '', '', '', '', '', does]
  }
  const make = summarizeFigure(results, id, 'makeMs')
  const isBaseline = first.check === 'no tools'
  return [
    label,
    formatNumber(make?.median),
    `${formatNumber(make?.least)}–${formatNumber(make?.most)}`,
    formatRatio(figureRatio(results, 'makeMs', { of: id, than: BASELINE[document] })),
    ...(['makeCpuMs', 'importMs', 'wholeMs', 'beyondMs', 'peakMb'] as const).map((figure) =>
      formatNumber(summarizeFigure(results, id, figure)?.median),
    ),
    isBaseline ? '' : first.tools.toLocaleString('en'),
    isBaseline ? '' : first.check,
    does,
  ]
}

function formatNumber(value: number | undefined): string {
  if (value === undefined) return ''
  return value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString('en')
}

function describeMethod({ rounds, results }: Run): string {
  const start = formatNumber(summarizeFigure(results, nothing.id, 'wholeMs')?.median)
  return `Median and range of ${count(rounds, 'interleaved round')}, each in a new process in which the work is done once, cold. "ms" is from the document's text in memory to the tools (for mcp-openapi it includes reading the file), after the imports; "CPU ms" is its CPU time, all threads; "beyond Node" is imports, reading the file and the work; "whole process" is from the start of the process until the tools exist, and a process that does nothing takes ${start} ms. Surehand is bundled (rolldown, one file) unless the row says "from sources"; peers are as npm installs them. A ratio is the median of the ratios of each round. In the warm-up and in each round the tools were counted, and the tool of the operation named in the table's head was checked for its parameters and its body. A contender that takes more than ${TIMEOUT_MS / 1000} s is ended. Surehand reads a tool's texts and schemas when they are first used, which only its row "everything read" includes, and compiles them at the tool's first call, which no row includes.`
}
