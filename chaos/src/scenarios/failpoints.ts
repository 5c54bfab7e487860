import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import {
  type ClientOptions,
  callUntilAnswered,
  type FinalAnswer,
  LONG_TIMEOUTS_MS,
  SHORT_TIMEOUTS_MS,
} from '../clients/call-until-answered.ts'
import { type OperatorAction, performAction, withEdit } from '../clients/operator-action.ts'
import { type PlannedCall, planSimpleCall } from '../clients/planned-call.ts'
import type { NodeSetup } from '../node/messages.ts'
import { UNANSWERED } from '../pack/run-tools.ts'
import { createLedgerReader, type LedgerReader } from '../processes/ledger-reader.ts'
import { NodePool } from '../processes/node-pool.ts'
import { NodeProcess } from '../processes/node-process.ts'
import { showProgress } from '../report/progress.ts'
import { type CallCase, type Faults, judge, type Verdict } from '../report/verdict.ts'
import {
  type Crash,
  type CrashCase,
  crashCases,
  type ExpectedEnd,
  halfOf,
  nameOf,
} from './crash-cases.ts'
import { mapConcurrently } from './map-concurrently.ts'
import { createNodeSetup, type Scenario, type ScenarioContext } from './scenario.ts'
import { MAX_WAIT_MS, waitUntilSettled } from './settle.ts'

const LANES = 3
// How many calls stop in one process before it dies, and how many of them may stop while a worker
// executes them: on PostgreSQL a node fetches jobs in four places, and one has to stay free.
const CALLS_PER_NODE = 8
const JOBS_PER_NODE = 3
// With all at once, calls would time out on a slow machine after they were sent, and their outcome
// would be unknown.
const RESCUED_AT_ONCE = 6
// Both in the node's own time (`NodeProcess.ranForMs`): a node that has not reached its failpoint by
// then never will, and what is written beside an answer is written within this time after it.
const CRASH_WITHIN_MS = 20_000
const DIES_WITHIN_MS = 2_000
const FINAL_STATES: ReadonlySet<string | undefined> = new Set(['succeeded', 'failed', 'unknown'])

type Planned = {
  readonly crashCase: CrashCase
  readonly call: PlannedCall
  readonly rescue: 'sweep' | 'client'
}
type LaneResult = {
  readonly verdict: Verdict
  readonly entries: number
  readonly broken: readonly string[]
}
type Lane = {
  readonly setup: NodeSetup
  readonly ledger: LedgerReader
  readonly context: ScenarioContext
  readonly broken: string[]
}

/**
 * Crashes a process once at every failpoint. Another node's sweep or the client's repetition brings
 * each call to its right end.
 */
export const failpoints: Scenario = async (context) => {
  const { half } = context.options
  const all = (half === undefined ? crashCases() : halfOf(crashCases(), half))
    .map((crashCase, number): Planned => planCase(crashCase, number, context))
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
    },
    verdict: { ...found.map(({ verdict }) => verdict).reduce(mergeVerdicts), effects },
    broken: found.flatMap(({ broken }) => broken),
  }
}

function planCase(crashCase: CrashCase, number: number, { folder }: ScenarioContext): Planned {
  const inside = crashCase.crashes.find(({ at }) => at === 'inside the transaction')
  const trap =
    inside === undefined ? undefined : { file: join(folder, `trap-${number}`), side: inside.side }
  const call = planSimpleCall(number, {
    item: `crash-${number}-`,
    key: `key-crash-${number}-`,
    kind: crashCase.kind,
    manner: crashCase.manner,
    faults: crashCase.faults,
    trap,
    ...(crashCase.unanswered === undefined ? {} : { note: UNANSWERED }),
  })
  return {
    crashCase,
    call,
    rescue: crashCase.leaves === 'a row' && number % 2 === 0 ? 'sweep' : 'client',
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
  for (const group of groupCases(cases)) {
    await crash(group, lane)
    for (const _ of group) onCrashed()
  }
  // Long leases: on a busy machine these nodes must not be mistaken for dead ones.
  const rescuers = new NodePool(1, createNodeSetup(context, location, 'long'), context.random)
  await rescuers.waitUntilAllReady()
  const judged = await mapConcurrently(cases, RESCUED_AT_ONCE, (one) => rescue(one, rescuers, lane))
  await waitUntilSettled(lane.ledger)
  const verdict = await judge(judged, lane.ledger, context.vendor)
  await rescuers.close()
  for (const [index, { crashCase }] of cases.entries()) {
    const { final } = judged[index] as CallCase
    if (!isExpected(final, crashCase.end))
      lane.broken.push(
        `${nameOf(crashCase)}: ended as ${describeAnswer(final)}, not as ${crashCase.end}`,
      )
  }
  return { verdict, entries: (await lane.ledger.entries()).length, broken: lane.broken }
}

/**
 * Which cases share a process. Alone are those that kill it at once, or that let it do nothing else,
 * and calls that have just been approved: a worker would begin them while the others are on their
 * way. Together are those with the same number of crashes, and those that hang.
 */
function groupCases(cases: readonly Planned[]): readonly (readonly Planned[])[] {
  const isAlone = ({ crashCase }: Planned): boolean =>
    crashCase.crashes.some(
      ({ at, side }) =>
        at === 'inside the transaction' ||
        at === 'runs.askToStop' ||
        (at === 'approvals.decide' && side === 'after'),
    ) || crashCase.unanswered === true
  const order = ({ crashCase: { crashes, faults } }: Planned): number =>
    crashes.length * 2 + Number(faults.some(({ kind }) => kind === 'hang'))
  const groups: Planned[][] = []
  for (const one of cases.toSorted((left, right) => order(left) - order(right))) {
    const fitting = groups.find(
      (group) =>
        !isAlone(one) &&
        group.length < CALLS_PER_NODE &&
        group.every((other) => !isAlone(other) && order(other) === order(one)) &&
        (!isJob(one) || group.filter(isJob).length < JOBS_PER_NODE),
    )
    if (fitting === undefined) groups.push([one])
    else fitting.push(one)
  }
  return groups
}

// Reached by the client's own request, also in calls that a worker continues later.
const BEFORE_THE_WORKER = /^(approvals|limits|admin|audit)\.|calls\.(queue|cancel)|runs\.ask/

function isJob({ crashCase: { manner, crashes } }: Planned): boolean {
  if (manner === 'plain' || manner === 'limited') return false
  return crashes.some(({ at }) => !BEFORE_THE_WORKER.test(at))
}

/** Lets one node after another die with these calls. */
async function crash(group: readonly Planned[], lane: Lane): Promise<void> {
  for (const { call } of group)
    for (const fault of call.faults)
      await lane.context.vendor.fail(`/${call.kind}/${call.item}`, fault)
  const deaths = group[0]?.crashCase.crashes.length ?? 0
  for (let death = 0; death < deaths; death++) await crashOnce(group, death, lane)
  for (const one of group) await checkFound(one, lane)
}

async function crashOnce(group: readonly Planned[], death: number, lane: Lane): Promise<void> {
  const failpoints = group.flatMap(({ crashCase: { crashes }, call }) => {
    const crash = crashes[death]
    return crash === undefined ? [] : failpointsOf(crash, call)
  })
  const node = new NodeProcess({ ...lane.setup, failpoints })
  if (!(await node.started)) lane.broken.push(`The node did not start: ${node.errorOutput}`)
  const answers = await Promise.all(group.map((one) => callOrAct(one, death, { node, lane })))
  // The node may die a moment after it has answered.
  await node.runsFor(DIES_WITHIN_MS)
  for (const [index, { crashCase, call }] of group.entries()) {
    const [answer, crash] = [answers[index], crashCase.crashes[death]]
    if (node.state !== 'dead' && !node.reached.has(call.item))
      lane.broken.push(
        `${nameOf(crashCase)}: did not reach the failpoint ${crash?.side} ${crash?.at}; the client got ${answer}`,
      )
    else if (answer !== undefined && crashCase.mayAnswerFirst === undefined)
      lane.broken.push(`${nameOf(crashCase)}: the client got ${answer} before it was true`)
  }
  node.kill()
  await node.exited
}

function callOrAct(
  { crashCase, call }: Planned,
  death: number,
  { node, lane }: { readonly node: NodeProcess; readonly lane: Lane },
): Promise<string | undefined> {
  if (crashCase.crashes[death]?.at === 'inside the transaction' && call.trap !== undefined)
    writeFileSync(call.trap.file, '')
  return crashCase.action === undefined
    ? callAndDescribe(call, node, lane.context)
    : performActionOn(crashCase.action, call, node, lane.context)
}

async function checkFound({ crashCase, call }: Planned, lane: Lane): Promise<void> {
  if (crashCase.found === undefined) return
  const found =
    crashCase.action === 'pin' ? await pinOf(call, lane) : await lane.ledger.stateOf(call.key)
  if (found !== crashCase.found)
    lane.broken.push(`${nameOf(crashCase)}: left it ${found}, not ${crashCase.found}`)
}

/** The answer the client received; undefined when there was none, as there should be. */
async function callAndDescribe(
  call: PlannedCall,
  node: NodeProcess,
  context: ScenarioContext,
): Promise<string | undefined> {
  const final = await callUntilAnswered(call, untilDead(node, context))
  return final.end === 'no-answer' ? undefined : describeAnswer(final)
}

async function performActionOn(
  action: OperatorAction,
  call: PlannedCall,
  node: NodeProcess,
  { vendor, random }: ScenarioContext,
): Promise<string | undefined> {
  const readReceipt = (item: string): unknown => {
    const { receipt } = vendor.made().find((one) => one.item === item) ?? { receipt: '' }
    return { receipt, item }
  }
  const reply = await performAction(action, { call, made: readReceipt }, { node, random })
  return reply.status === 'no-reply' ? undefined : JSON.stringify(reply)
}

async function pinOf({ item }: PlannedCall, { ledger }: Lane): Promise<string> {
  return (await ledger.isPinned(item)) ? 'pinned' : 'not pinned'
}

function failpointsOf({ at, side }: Crash, { item, who }: PlannedCall): NodeSetup['failpoints'] {
  return at === 'inside the transaction'
    ? []
    : [{ name: at, side, does: { kind: 'die' }, item, tenant: who.tenant }]
}

function untilDead(node: NodeProcess, { random }: ScenarioContext): ClientOptions {
  const untilMs = node.ranForMs + CRASH_WITHIN_MS
  return {
    random,
    nextNode: async () => (node.state === 'ready' ? node : undefined),
    timeoutsMs: SHORT_TIMEOUTS_MS,
    hasTimeLeft: () => node.ranForMs < untilMs,
    onRetry: () => undefined,
  }
}

async function rescue(
  { crashCase, call: first, rescue: by }: Planned,
  rescuers: NodePool,
  { ledger, context }: Lane,
): Promise<CallCase> {
  // An edited call is repeated with its edited input.
  const call =
    crashCase.action === 'edit' && crashCase.crashes[0].side === 'after' ? withEdit(first) : first
  const untilMs = rescuers.ranForMs + MAX_WAIT_MS
  const hasPatience = (): boolean => rescuers.ranForMs < untilMs
  if (by === 'sweep')
    while (hasPatience() && !FINAL_STATES.has(await ledger.stateOf(call.key))) await pause(200)
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

function describeAnswer(final: FinalAnswer): string {
  return final.end === 'no-answer' ? `nothing (${final.last})` : final.end
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
