import { type AnyFaults, isGood, type Verdict } from './verdict.ts'

/** What a scenario found: its figures, the verdict, and what else had to hold. */
export type Report = {
  readonly figures: Readonly<Record<string, number>>
  readonly verdict: Verdict<AnyFaults>
  /** What this scenario alone promises, and did not keep. */
  readonly broken: readonly string[]
  /** How far it came, where somebody stopped it before its end. */
  readonly stoppedAt?: string
}

const SHOWN_LINES = 10
const WORDS: Readonly<Record<string, string>> = {
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
  return isGood(report.verdict) && report.broken.length === 0
}

/** One object for a program to read. */
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

/** A table for a person, and under it the keys that went wrong. */
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
      WORDS[name] ?? name,
      String(lines.length),
    ]),
    ['broken promises', String(report.broken.length)],
  ]
  const width = Math.max(...rows.map(([name]) => name.length))
  const lines = rows.map(([name, figure]) => `  ${name.padEnd(width)}  ${figure.padStart(9)}`)
  const wrong = [
    ...Object.entries(faults).flatMap(([name, found]) => shown(WORDS[name] ?? name, found)),
    ...shown('broken', report.broken),
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

function shown(name: string, lines: readonly string[]): string[] {
  const rest = lines.length - SHOWN_LINES
  return [
    ...lines.slice(0, SHOWN_LINES).map((line) => `  ${name}: ${line}`),
    ...(rest > 0 ? [`  ${name}: and ${rest} more`] : []),
  ]
}
