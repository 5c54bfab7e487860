import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { doErrand, type Errand, edited } from '../clients/errand.ts'
import { CALMLY_MS, type Final, HASTY_MS, type Journey, pursue } from '../clients/pursue.ts'
import { plainWish, type Wish } from '../clients/wish.ts'
import { type LedgerReader, ledgerReader } from '../house/ledger-reader.ts'
import { NodePool } from '../house/node-pool.ts'
import { NodeProcess } from '../house/node-process.ts'
import type { NodeSetup } from '../node/messages.ts'
import { UNANSWERED } from '../pack/run-tools.ts'
import { showProgress } from '../report/progress.ts'
import { type Case, type Faults, judge, type Verdict } from '../report/verdict.ts'
import { type Crash, type CrashCase, crashCases, nameOf } from './crash-cases.ts'
import { inTurn } from './in-turn.ts'
import { CALM_MS, settle } from './settle.ts'
import { type Scenario, setupOf, type World } from './world.ts'

const LANES = 4
// all at once, a slow machine would give up what it has sent, and nobody could know any more whether it was done
const RESCUED_AT_ONCE = 6
// a node that has not come by its failpoint by then never will
const CRASH_WITHIN_MS = 20_000
// what is written beside an answer is written within this of it
const DIES_WITHIN_MS = 2_000
const FINAL_STATES: ReadonlySet<string | undefined> = new Set(['succeeded', 'failed', 'unknown'])

type Planned = {
  readonly planned: CrashCase
  readonly wish: Wish
  readonly rescue: 'sweep' | 'client'
}
type Walked = {
  readonly verdict: Verdict
  readonly entries: number
  readonly broken: readonly string[]
}
type Lane = {
  readonly setup: NodeSetup
  readonly ledger: LedgerReader
  readonly world: World
  readonly broken: string[]
}

/** Every failpoint crashed once. Somebody else's sweep or the client's coming again brings each call to its right end. */
export const failpoints: Scenario = async (world) => {
  const all = crashCases()
    .map((planned, number): Planned => toWish(planned, number, world))
    .filter(({ planned }) => nameOf(planned).includes(world.options.only ?? ''))
  let crashed = 0
  const stopProgress = showProgress(() => `crashes ${crashed}/${all.length}`)
  // a lane has a store of its own: nobody recovers a call before all its nodes have died
  const lanes = await Promise.all(
    Array.from({ length: LANES }, (_, lane) => {
      const mine = all.filter((_one, index) => index % LANES === lane)
      return mine.length === 0 ? undefined : walk(mine, world, () => void crashed++)
    }),
  )
  stopProgress()
  const found = lanes.filter((lane) => lane !== undefined)
  // the vendor is the same for every lane, the entries are each lane's own
  const effects = world.vendor.made().length + found.reduce((sum, { entries }) => sum + entries, 0)
  return {
    figures: {
      cases: all.length,
      crashes: all.reduce((sum, { planned }) => sum + planned.crashes.length, 0),
    },
    verdict: { ...found.map(({ verdict }) => verdict).reduce(together), effects },
    broken: found.flatMap(({ broken }) => broken),
  }
}

function toWish(planned: CrashCase, number: number, { folder }: World): Planned {
  const inside = planned.crashes.find(({ at }) => at === 'inside the transaction')
  const trap =
    inside === undefined ? undefined : { file: join(folder, `trap-${number}`), side: inside.side }
  const wish = plainWish(number, {
    item: `crash-${number}-`,
    key: `key-crash-${number}-`,
    kind: planned.kind,
    manner: planned.manner,
    faults: planned.faults,
    trap,
    ...(planned.unanswered === undefined ? {} : { note: UNANSWERED }),
  })
  return {
    planned,
    wish,
    rescue: planned.leaves === 'a row' && number % 2 === 0 ? 'sweep' : 'client',
  }
}

async function walk(
  cases: readonly Planned[],
  world: World,
  onCrashed: () => void,
): Promise<Walked> {
  const place = await world.ground.newPlace()
  const lane: Lane = {
    setup: setupOf(world, place),
    ledger: ledgerReader(place),
    world,
    broken: [],
  }
  for (const one of cases) {
    await crash(one, lane)
    onCrashed()
  }
  // they don't die: a busy machine must not make them look as if they had
  const rescuers = new NodePool(1, setupOf(world, place, 'patient'), world.random)
  await rescuers.allReady()
  const judged = await inTurn(cases, RESCUED_AT_ONCE, (one) => rescue(one, rescuers, lane))
  await settle(lane.ledger)
  const verdict = await judge(judged, lane.ledger, world.vendor)
  await rescuers.close()
  for (const [index, { planned }] of cases.entries()) {
    const { final } = judged[index] as Case
    if (final.end !== planned.end)
      lane.broken.push(`${nameOf(planned)}: ended as ${wordsOf(final)}, not as ${planned.end}`)
  }
  return { verdict, entries: (await lane.ledger.entries()).length, broken: lane.broken }
}

/** Lets one node after the other die with this call. */
async function crash({ planned, wish }: Planned, lane: Lane): Promise<void> {
  for (const fault of wish.faults) await lane.world.vendor.fail(`/${wish.kind}/${wish.item}`, fault)
  for (const one of planned.crashes) {
    const node = new NodeProcess({ ...lane.setup, failpoint: failpointOf(one, wish) })
    if (!(await node.started))
      lane.broken.push(`${nameOf(planned)}: the node did not start: ${node.complaint}`)
    if (one.at === 'inside the transaction' && wish.trap !== undefined)
      writeFileSync(wish.trap.file, '')
    const said =
      planned.errand === undefined
        ? await pursued(wish, node, lane.world)
        : await errandOf(planned.errand, wish, node, lane.world)
    // who was told something may have been told it a moment before the node dies
    await Promise.race([node.ended, pause(DIES_WITHIN_MS)])
    if (node.state !== 'dead')
      lane.broken.push(`${nameOf(planned)}: never came by ${one.side} ${one.at}, was told ${said}`)
    else if (said !== undefined && planned.mayTell === undefined)
      lane.broken.push(`${nameOf(planned)}: was told ${said} before it was so`)
    node.kill()
    await node.ended
  }
  if (planned.found === undefined) return
  const found =
    planned.errand === 'pin' ? await pinOf(wish, lane) : await lane.ledger.stateOf(wish.key)
  if (found !== planned.found)
    lane.broken.push(`${nameOf(planned)}: left it ${found}, not ${planned.found}`)
}

/** What the client was told; undefined: nothing, as it should be. */
async function pursued(wish: Wish, node: NodeProcess, world: World): Promise<string | undefined> {
  const final = await pursue(wish, untilDead(node, world))
  return final.end === 'nothing' ? undefined : wordsOf(final)
}

async function errandOf(
  errand: Errand,
  wish: Wish,
  node: NodeProcess,
  { vendor, random }: World,
): Promise<string | undefined> {
  const made = (item: string): unknown => {
    const { receipt } = vendor.made().find((one) => one.item === item) ?? { receipt: '' }
    return { receipt, item }
  }
  const heard = await doErrand(errand, { wish, made }, { node, random })
  return heard.status === 'silent' ? undefined : JSON.stringify(heard)
}

async function pinOf({ item }: Wish, { ledger }: Lane): Promise<string> {
  return (await ledger.isPinned(item)) ? 'pinned' : 'not pinned'
}

function failpointOf({ at, side }: Crash, { item }: Wish): NodeSetup['failpoint'] {
  return at === 'inside the transaction'
    ? undefined
    : { name: at, side, does: { kind: 'die' }, item }
}

function untilDead(node: NodeProcess, { random }: World): Journey {
  const untilMs = performance.now() + CRASH_WITHIN_MS
  return {
    random,
    nextNode: async () => (node.state === 'ready' ? node : undefined),
    listensMs: HASTY_MS,
    hasPatience: () => performance.now() < untilMs,
    onDetour: () => undefined,
  }
}

async function rescue(
  { planned, wish: first, rescue: by }: Planned,
  rescuers: NodePool,
  { ledger, world }: Lane,
): Promise<Case> {
  // what was edited is asked for as it was edited
  const wish =
    planned.errand === 'edit' && planned.crashes[0].side === 'after' ? edited(first) : first
  const untilMs = performance.now() + CALM_MS
  const hasPatience = (): boolean => performance.now() < untilMs
  if (by === 'sweep')
    while (hasPatience() && !FINAL_STATES.has(await ledger.stateOf(wish.key))) await pause(200)
  const journey: Journey = {
    random: world.random,
    nextNode: (last) => rescuers.any(last),
    listensMs: CALMLY_MS,
    hasPatience,
    onDetour: () => undefined,
  }
  return { wish, final: await pursue(wish, journey), repeated: [await pursue(wish, journey)] }
}

function wordsOf(final: Final): string {
  return final.end === 'nothing' ? `nothing (${final.last})` : final.end
}

function together(left: Verdict, right: Verdict): Verdict {
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
