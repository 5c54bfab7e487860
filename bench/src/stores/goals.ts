import type { Verdict } from '../harness/goals.ts'
import type { Store } from './contenders.ts'
import { auditSummary, conversationOf, ratio } from './results.ts'
import type { Results } from './rounds.ts'

const NAMES: Record<Store, string> = { sqlite: 'SQLite', postgres: 'PostgreSQL' }
const LEAST_RATE = 0.8
const MOST_P99 = 1.5
const LEAST_VERIFIED = 100_000

/** The promises of PERFORMANCE.md "Durable writes", and the audit's. */
export function judge(results: Results): readonly Verdict[] {
  return [...verdictsOn('sqlite', results), ...verdictsOn('postgres', results), verified(results)]
}

function verdictsOn(store: Store, results: Results): readonly Verdict[] {
  const name = NAMES[store]
  const pair = { of: `${store}-local-32`, than: `${store}-bare-32` }
  const rate = ratio(results, 'rate', pair)
  const p99 = ratio(results, 'p99Ms', pair)
  return [
    verdict(`${name}: governed local ≥ 80 % of bare, 32 callers`, rate, (found) => [
      found >= LEAST_RATE,
      `${(found * 100).toFixed(0)} %`,
    ]),
    verdict(`${name}: p99 ≤ 1.5 × bare's, 32 callers`, p99, (found) => [
      found <= MOST_P99,
      `${found.toFixed(2)} ×`,
    ]),
    ...outsideOn(store, results),
  ]
}

function outsideOn(store: Store, results: Results): readonly Verdict[] {
  const [local, outside] = [
    conversationOf(results, `${store}-local-counts`),
    conversationOf(results, `${store}-outside-counts`),
  ]
  const more =
    local === undefined || outside === undefined
      ? undefined
      : outside.durableCommits - local.durableCommits
  const commits = verdict(
    `${NAMES[store]}: an outside effect costs exactly one more durable commit`,
    more,
    (found) => [Math.round(found * 10) === 10, `${found.toFixed(1)} more`],
  )
  if (store === 'sqlite') return [commits]
  const trips =
    local?.sent === undefined || outside?.sent === undefined
      ? undefined
      : ([outside.sent, local.sent] as const)
  return [
    commits,
    verdict(
      `${NAMES[store]}: and no more statements and round trips than the local conversation`,
      trips,
      ([theirs, ours]) => [
        theirs.statements <= ours.statements && theirs.roundTrips <= ours.roundTrips,
        `${theirs.statements} and ${theirs.roundTrips}, local ${ours.statements} and ${ours.roundTrips}`,
      ],
    ),
  ]
}

function verified(results: Results): Verdict {
  const rate = auditSummary(results, 'sqlite-audit', 'verified')?.median
  return verdict('audit: verification ≥ 100,000 records/s on one core', rate, (found) => [
    found >= LEAST_VERIFIED,
    `${Math.round(found).toLocaleString('en')}/s`,
  ])
}

function verdict<T>(
  promise: string,
  found: T | undefined,
  weigh: (found: T) => readonly [boolean, string],
): Verdict {
  if (found === undefined) return { promise, measured: '–', verdict: 'not measured' }
  const [isKept, measured] = weigh(found)
  return { promise, measured, verdict: isKept ? 'pass' : 'miss' }
}
