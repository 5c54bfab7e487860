import { type AnyFaults, hasNoFaults, type Verdict } from './verdict.ts'

/** A scenario's figures, its verdict, and any further broken promises. */
export type Report = {
  readonly figures: Readonly<Record<string, number>>
  readonly verdict: Verdict<AnyFaults>
  /** Promises of this scenario alone that did not hold. */
  readonly broken: readonly string[]
  /** How far the scenario came, if it was interrupted. */
  readonly stoppedAt?: string
}

const SHOWN_LINES = 10
const LABELS: Readonly<Record<string, string>> = {
  duplicated: 'duplicated effects',
  missing: 'acknowledged but missing',
  different: 'replay differences',
  stuck: 'stuck keys',
  contradicted: 'refused but done',
  needlesslyUnknown: 'unknown though knowable',
  unrecorded: 'done without a record',
  state: "state other than the model's",
  answer: "answer other than the model's",
  doubled: 'doubled effects',
  stuckRuns: 'stuck runs',
  diverged: 'diverged runs',
  orphaned: 'steps left by ended runs',
}

export function isPassed(report: Report): boolean {
  return hasNoFaults(report.verdict) && report.broken.length === 0
}

/** The report as one JSON object. */
export function reportJson(report: Report): string {
  const { faults, unknowns, effects } = report.verdict
  const counts = Object.fromEntries(
    Object.entries(faults).map(([name, lines]) => [name, lines.length]),
  )
  const { broken, figures, stoppedAt } = report
  return JSON.stringify({
    passed: isPassed(report),
    faults: counts,
    unknowns,
    effects,
    broken,
    figures,
    stoppedAt,
  })
}

/** The report as a table, followed by the keys with faults. */
export function reportTable(title: string, report: Report): string {
  const { faults, unknowns, effects } = report.verdict
  const rows: [string, string][] = [
    ...Object.entries(report.figures).map(([name, figure]): [string, string] => [
      name,
      String(figure),
    ]),
    ['effects', String(effects)],
    ['unknown', String(unknowns)],
    ...Object.entries(faults).map(([name, lines]): [string, string] => [
      LABELS[name] ?? name,
      String(lines.length),
    ]),
    ['broken promises', String(report.broken.length)],
  ]
  const width = Math.max(...rows.map(([name]) => name.length))
  const lines = rows.map(([name, figure]) => `  ${name.padEnd(width)}  ${figure.padStart(9)}`)
  const wrong = [
    ...Object.entries(faults).flatMap(([name, found]) => listFaults(LABELS[name] ?? name, found)),
    ...listFaults('broken', report.broken),
  ]
  const stopped =
    report.stoppedAt === undefined
      ? []
      : [`  STOPPED EARLY, at ${report.stoppedAt}; the verdict is about what was done until then`]
  return [
    title,
    ...lines,
    ...stopped,
    `  ${isPassed(report) ? 'PASSED' : 'FAILED'}`,
    ...wrong,
  ].join('\n')
}

function listFaults(name: string, lines: readonly string[]): string[] {
  const rest = lines.length - SHOWN_LINES
  return [
    ...lines.slice(0, SHOWN_LINES).map((line) => `  ${name}: ${line}`),
    ...(rest > 0 ? [`  ${name}: and ${rest} more`] : []),
  ]
}
