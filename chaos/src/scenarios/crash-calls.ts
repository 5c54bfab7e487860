import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type ClientOptions,
  callUntilAnswered,
  type FinalAnswer,
  SHORT_TIMEOUTS_MS,
} from '../clients/call-until-answered.ts'
import { type OperatorAction, performAction } from '../clients/operator-action.ts'
import { type PlannedCall, planSimpleCall } from '../clients/planned-call.ts'
import type { NodeSetup } from '../node/messages.ts'
import { toPatient } from '../pack/recovery-kind.ts'
import { UNANSWERED } from '../pack/run-tools.ts'
import type { LedgerReader } from '../processes/ledger-reader.ts'
import { NodeProcess } from '../processes/node-process.ts'
import { type Crash, type CrashCase, nameOf } from './crash-cases.ts'
import type { ScenarioContext } from './scenario.ts'

// How many calls stop in one process before it dies, and how many of them may stop while a worker
// executes them: on PostgreSQL a node fetches jobs in four places, and one has to stay free.
const CALLS_PER_NODE = 8
const JOBS_PER_NODE = 3
// Both in the node's own time (`NodeProcess.ranForMs`): a node that has not reached its failpoint by
// then never will, and what is written beside an answer is written within this time after it.
const CRASH_WITHIN_MS = 20_000
const DIES_WITHIN_MS = 2_000
// A database that gets no time does not accept a connection in time.
const MAX_STARTS = 5

/** A case with the call it is tried with. */
export type Planned = {
  readonly number: number
  readonly crashCase: CrashCase
  readonly call: PlannedCall
  readonly rescue: 'sweep' | 'client'
}

export type Lane = {
  readonly setup: NodeSetup
  readonly ledger: LedgerReader
  readonly context: ScenarioContext
  readonly broken: string[]
}

/** Cases whose process did not die where it was meant to, and what happened instead. */
export type Missed = ReadonlyMap<Planned, string>

/** Each try has a call of its own, because the vendor's faults may have been used up. */
export function planCase(
  crashCase: CrashCase,
  { number, tries }: { readonly number: number; readonly tries: number },
  { folder }: ScenarioContext,
): Planned {
  const name = tries === 1 ? `crash-${number}-` : `crash-${number}-try-${tries}-`
  const inside = crashCase.crashes.find(({ at }) => at === 'inside the transaction')
  const trap =
    inside === undefined ? undefined : { file: join(folder, `trap-${name}`), side: inside.side }
  const call = planSimpleCall(number, {
    item: name,
    key: `key-${name}`,
    kind: crashCase.kind,
    manner: crashCase.hasShortTimeout ? crashCase.manner : toPatient(crashCase.manner),
    faults: crashCase.faults,
    trap,
    ...(crashCase.unanswered === undefined ? {} : { note: UNANSWERED }),
  })
  return {
    number,
    crashCase,
    call,
    rescue: crashCase.leaves === 'a row' && number % 2 === 0 ? 'sweep' : 'client',
  }
}

/**
 * Which cases share a process. Alone are those that kill it at once, or that let it do nothing else,
 * and calls that have just been approved: a worker would begin them while the others are on their
 * way. Together are those with the same number of crashes, and those with a short timeout.
 */
export function groupCases(cases: readonly Planned[]): readonly (readonly Planned[])[] {
  const isAlone = ({ crashCase }: Planned): boolean =>
    crashCase.crashes.some(
      ({ at, side }) =>
        at === 'inside the transaction' ||
        at === 'runs.askToStop' ||
        (at === 'approvals.decide' && side === 'after'),
    ) || crashCase.unanswered === true
  const order = ({ crashCase: { crashes, hasShortTimeout } }: Planned): number =>
    crashes.length * 2 + Number(hasShortTimeout === true)
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
  // A call that has just been queued stops its worker as well.
  return crashes.some(
    ({ at, side }) => !BEFORE_THE_WORKER.test(at) || (at === 'calls.queue' && side === 'after'),
  )
}

/** Lets one node after another die with these calls. */
export async function crashTogether(group: readonly Planned[], lane: Lane): Promise<Missed> {
  for (const { call } of group)
    for (const fault of call.faults)
      await lane.context.vendor.fail(`/${call.kind}/${call.item}`, fault)
  const deaths = group[0]?.crashCase.crashes.length ?? 0
  const missed = new Map<Planned, string>()
  for (let death = 0; death < deaths && missed.size < group.length; death++) {
    const left = group.filter((one) => !missed.has(one))
    for (const [one, why] of await crashOnce(left, death, lane)) missed.set(one, why)
  }
  for (const one of group.filter((other) => !missed.has(other))) {
    const { met } = one.crashCase
    const state = met === undefined ? undefined : await lane.ledger.stateOf(one.call.key)
    if (state === met) await checkFound(one, lane)
    else missed.set(one, `its process died when it was ${state}, not ${met}`)
  }
  return missed
}

async function crashOnce(group: readonly Planned[], death: number, lane: Lane): Promise<Missed> {
  const failpoints = group.flatMap(({ crashCase: { crashes }, call }) => {
    const crash = crashes[death]
    return crash === undefined ? [] : failpointsOf(crash, call)
  })
  const node = await startNode({ ...lane.setup, failpoints })
  if (node.state !== 'ready') lane.broken.push(`The node did not start: ${node.errorOutput}`)
  const answers = await Promise.all(group.map((one) => callOrAct(one, death, { node, lane })))
  // The node may die a moment after it has answered.
  await node.runsFor(DIES_WITHIN_MS)
  const missed = new Map<Planned, string>()
  for (const [index, one] of group.entries()) {
    const { crashCase, call } = one
    const [answer, crash] = [answers[index], crashCase.crashes[death]]
    if (node.state !== 'dead' && !node.reached.has(call.item))
      missed.set(
        one,
        `did not reach the failpoint ${crash?.side} ${crash?.at}; the client got ${answer}, and it is ${await lane.ledger.stateOf(call.key)}`,
      )
    else if (answer !== undefined && crashCase.mayAnswerFirst === undefined)
      lane.broken.push(`${nameOf(crashCase)}: the client got ${answer} before it was true`)
  }
  node.kill()
  await node.exited
  return missed
}

async function startNode(setup: NodeSetup): Promise<NodeProcess> {
  for (let starts = 1; ; starts++) {
    const node = new NodeProcess(setup)
    if ((await node.started) || starts === MAX_STARTS) return node
  }
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

export function describeAnswer(final: FinalAnswer): string {
  return final.end === 'no-answer' ? `nothing (${final.last})` : final.end
}
