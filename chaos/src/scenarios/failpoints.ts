import { setTimeout as pause } from 'node:timers/promises'
import {
  type ClientOptions,
  callUntilAnswered,
  type FinalAnswer,
  LONG_TIMEOUTS_MS,
} from '../clients/call-until-answered.ts'
import { withEdit } from '../clients/operator-action.ts'
import { createLedgerReader } from '../processes/ledger-reader.ts'
import { NodePool } from '../processes/node-pool.ts'
import { showProgress } from '../report/progress.ts'
import { type CallCase, type Faults, judge, type Verdict } from '../report/verdict.ts'
import {
  crashTogether,
  describeAnswer,
  groupCases,
  type Lane,
  type Missed,
  type Planned,
  planCase,
} from './crash-calls.ts'
import { crashCases, type ExpectedEnd, halfOf, nameOf } from './crash-cases.ts'
import { mapConcurrently } from './map-concurrently.ts'
import { createNodeSetup, type Scenario, type ScenarioContext } from './scenario.ts'
import { MAX_WAIT_MS, waitUntilSettled } from './settle.ts'

const LANES = 3
// With all at once, calls would time out on a slow machine after they were sent, and their outcome
// would be unknown.
const RESCUED_AT_ONCE = 6
// On a busy machine a process may get no time for so long that its call takes another way than to
// the failpoint. Then the case is tried again, alone and with a longer lease. A case that no try
// brings there is broken.
const MAX_TRIES = 4
const FINAL_STATES: ReadonlySet<string | undefined> = new Set(['succeeded', 'failed', 'unknown'])

type LaneResult = {
  readonly verdict: Verdict
  readonly entries: number
  readonly broken: readonly string[]
  readonly repeated: number
}
/** `hasCrashed`: its process died where it was meant to, so its end is known beforehand. */
type Tried = { readonly planned: Planned; readonly hasCrashed: boolean }

/**
 * Crashes a process once at every failpoint. Another node's sweep or the client's repetition brings
 * each call to its right end.
 */
export const failpoints: Scenario = async (context) => {
  const { half } = context.options
  const all = (half === undefined ? crashCases() : halfOf(crashCases(), half))
    .map((crashCase, number): Planned => planCase(crashCase, { number, tries: 1 }, context))
    .filter(({ crashCase }) => nameOf(crashCase).includes(context.options.only ?? ''))
  let crashed = 0
  const stopProgress = showProgress(() => `crashes ${crashed}/${all.length}`)
  // Each lane has a store of its own, so that no call is recovered before all its nodes have died.
  const lanes = await Promise.all(
    Array.from({ length: LANES }, (_, lane) => {
      const mine = all.filter((_one, index) => index % LANES === lane)
      return mine.length === 0 ? undefined : runLane(mine, context, () => void crashed++)
    }),
  )
  stopProgress()
  const found = lanes.filter((lane) => lane !== undefined)
  // The lanes share the vendor, but each has its own table of entries.
  const effects =
    context.vendor.made().length + found.reduce((sum, { entries }) => sum + entries, 0)
  return {
    figures: {
      cases: all.length,
      crashes: all.reduce((sum, { crashCase }) => sum + crashCase.crashes.length, 0),
      'cases tried again': found.reduce((sum, { repeated }) => sum + repeated, 0),
    },
    verdict: { ...found.map(({ verdict }) => verdict).reduce(mergeVerdicts), effects },
    broken: found.flatMap(({ broken }) => broken),
  }
}

async function runLane(
  cases: readonly Planned[],
  context: ScenarioContext,
  onCrashed: () => void,
): Promise<LaneResult> {
  const location = await context.backend.createStore()
  const lane: Lane = {
    setup: createNodeSetup(context, location),
    ledger: createLedgerReader(location),
    context,
    broken: [],
  }
  const tried: Tried[] = []
  for (const group of groupCases(cases)) {
    const missed = await crashTogether(group, lane)
    tried.push(...group.map((planned) => ({ planned, hasCrashed: !missed.has(planned) })))
    for (const planned of missed.keys()) tried.push(...(await tryAgain(planned, lane)))
    for (const _ of group) onCrashed()
  }
  // Long leases: on a busy machine these nodes must not be mistaken for dead ones.
  const rescuers = new NodePool(1, createNodeSetup(context, location, 'long'), context.random)
  await rescuers.waitUntilAllReady()
  const judged = await mapConcurrently(tried, RESCUED_AT_ONCE, (one) => rescue(one, rescuers, lane))
  await waitUntilSettled(lane.ledger)
  const verdict = await judge(judged, lane.ledger, context.vendor)
  await rescuers.close()
  for (const [index, { planned, hasCrashed }] of tried.entries()) {
    const { final } = judged[index] as CallCase
    const { crashCase } = planned
    if (hasCrashed && !isExpected(final, crashCase.end))
      lane.broken.push(
        `${nameOf(crashCase)}: ended as ${describeAnswer(final)}, not as ${crashCase.end}`,
      )
  }
  const entries = (await lane.ledger.entries()).length
  return { verdict, entries, broken: lane.broken, repeated: tried.length - cases.length }
}

/** Tries the case with new calls until a process dies where it is meant to. */
async function tryAgain({ number, crashCase }: Planned, lane: Lane): Promise<readonly Tried[]> {
  const tried: Tried[] = []
  let missed: Missed = new Map()
  for (let tries = 2; tries <= MAX_TRIES; tries++) {
    const planned = planCase(crashCase, { number, tries }, lane.context)
    const setup = { ...lane.setup, leaseMs: lane.setup.leaseMs * 2 ** (tries - 1) }
    missed = await crashTogether([planned], { ...lane, setup })
    tried.push({ planned, hasCrashed: missed.size === 0 })
    if (missed.size === 0) return tried
  }
  for (const why of missed.values()) lane.broken.push(`${nameOf(crashCase)}: ${why}`)
  return tried
}

/** A call whose process did not die where it was meant to is repeated, whatever it has left. */
async function rescue(
  { planned: { crashCase, call: first, rescue: by }, hasCrashed }: Tried,
  rescuers: NodePool,
  { ledger, context }: Lane,
): Promise<CallCase> {
  // An edited call is repeated with its edited input.
  const call =
    crashCase.action === 'edit' && crashCase.crashes[0].side === 'after' ? withEdit(first) : first
  const untilMs = rescuers.ranForMs + MAX_WAIT_MS
  const hasPatience = (): boolean => rescuers.ranForMs < untilMs
  if (by === 'sweep' && hasCrashed) {
    let state = await ledger.stateOf(call.key)
    for (; hasPatience() && !FINAL_STATES.has(state); state = await ledger.stateOf(call.key))
      await pause(200)
    if (!FINAL_STATES.has(state)) {
      const last = `the sweep left it ${state ?? 'without a row under its key'}`
      return { call, final: { end: 'no-answer', last }, repeated: [] }
    }
  }
  const client: ClientOptions = {
    random: context.random,
    nextNode: (last) => rescuers.pickNode(last),
    timeoutsMs: LONG_TIMEOUTS_MS,
    hasTimeLeft: hasPatience,
    onRetry: () => undefined,
  }
  return {
    call,
    final: await callUntilAnswered(call, client),
    repeated: [await callUntilAnswered(call, client)],
  }
}

function isExpected(final: FinalAnswer, expected: ExpectedEnd): boolean {
  const isQuarantined = final.end === 'unknown' && final.isQuarantined === true
  switch (expected) {
    case 'done':
    case 'unknown':
      return final.end === expected
    case 'quarantined':
      return isQuarantined
    case 'done or quarantined':
      return final.end === 'done' || isQuarantined
  }
}

export function mergeVerdicts(left: Verdict, right: Verdict): Verdict {
  const both = (name: keyof Faults): readonly string[] => [
    ...left.faults[name],
    ...right.faults[name],
  ]
  return {
    faults: {
      duplicated: both('duplicated'),
      missing: both('missing'),
      different: both('different'),
      stuck: both('stuck'),
      contradicted: both('contradicted'),
      needlesslyUnknown: both('needlesslyUnknown'),
      unrecorded: both('unrecorded'),
    },
    unknowns: left.unknowns + right.unknowns,
    effects: left.effects + right.effects,
  }
}
