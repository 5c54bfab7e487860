import { judgeFigure, type Verdict } from '../harness/goals.ts'
import type { Store } from './contenders.ts'
import { countsOf, type Results, summarizeAudit, writerRatio } from './results.ts'

const NAMES: Record<Store, string> = { sqlite: 'SQLite', postgres: 'PostgreSQL' }
const LEAST_RATE = 0.8
const MOST_P99 = 1.5
const LEAST_VERIFIED = 100_000

/** The goals for durable writes and for the audit. */
export function judgeGoals(results: Results): readonly Verdict[] {
  return [...judgeStore('sqlite', results), ...judgeStore('postgres', results), judgeAudit(results)]
}

function judgeStore(store: Store, results: Results): readonly Verdict[] {
  const name = NAMES[store]
  const pair = { of: `${store}-local-32`, than: `${store}-bare-32` }
  return [
    judgeFigure(
      `${name}: governed local ≥ 80 % of bare, 32 callers`,
      writerRatio(results, 'rate', pair),
      (ratio) => ({ isReached: ratio >= LEAST_RATE, measured: `${(ratio * 100).toFixed(0)} %` }),
    ),
    judgeFigure(
      `${name}: p99 ≤ 1.5 × bare's, 32 callers`,
      writerRatio(results, 'p99Ms', pair),
      (ratio) => ({ isReached: ratio <= MOST_P99, measured: `${ratio.toFixed(2)} ×` }),
    ),
    ...judgeOutsideEffect(store, results),
  ]
}

function judgeOutsideEffect(store: Store, results: Results): readonly Verdict[] {
  const local = countsOf(results, `${store}-local-counts`)
  const outside = countsOf(results, `${store}-outside-counts`)
  const commits = judgeFigure(
    `${NAMES[store]}: an outside effect costs exactly one more durable commit`,
    local === undefined || outside === undefined
      ? undefined
      : outside.durableCommits - local.durableCommits,
    (more) => ({ isReached: Math.round(more * 10) === 10, measured: `${more.toFixed(1)} more` }),
  )
  if (store === 'sqlite') return [commits]
  const sent =
    local?.sent === undefined || outside?.sent === undefined
      ? undefined
      : { local: local.sent, outside: outside.sent }
  const roundTrips = judgeFigure(
    `${NAMES[store]}: an outside effect needs no more statements and round trips than a local one`,
    sent,
    ({ local: ours, outside: theirs }) => ({
      isReached: theirs.statements <= ours.statements && theirs.roundTrips <= ours.roundTrips,
      measured: `${theirs.statements} and ${theirs.roundTrips}, local ${ours.statements} and ${ours.roundTrips}`,
    }),
  )
  return [commits, roundTrips]
}

function judgeAudit(results: Results): Verdict {
  return judgeFigure(
    'audit: verification ≥ 100,000 records/s on one core',
    summarizeAudit(results, 'sqlite-audit', 'verified')?.median,
    (rate) => ({
      isReached: rate >= LEAST_VERIFIED,
      measured: `${Math.round(rate).toLocaleString('en')}/s`,
    }),
  )
}
