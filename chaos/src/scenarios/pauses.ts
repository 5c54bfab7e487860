import { setTimeout as pause } from 'node:timers/promises'
import { callOf, type Final, HASTY_MS, type Journey, pursue } from '../clients/pursue.ts'
import { plainWish } from '../clients/wish.ts'
import { ledgerReader } from '../house/ledger-reader.ts'
import { NodePool } from '../house/node-pool.ts'
import { NodeProcess } from '../house/node-process.ts'
import type { FailpointName, Side } from '../node/failpoint.ts'
import type { NodeSetup } from '../node/messages.ts'
import type { RecoveryKind } from '../pack/recovery-kind.ts'
import { SETTLE_MS } from '../pack/vendor-port.ts'
import { showProgress } from '../report/progress.ts'
import { type Case, judge } from '../report/verdict.ts'
import { inTurn } from './in-turn.ts'
import { CALM_MS, settle } from './settle.ts'
import { LEASE_MS, type Scenario, setupOf, type World } from './world.ts'

/** Where a node stands still, and for how long: others take over meanwhile, and then it goes on as if nothing were. */
type Pause = {
  readonly kind: RecoveryKind
  readonly at: FailpointName
  readonly side: Side
  readonly forMs: number
}

const AT_ONCE = 4
const LONGER_THAN_LEASE_MS = LEASE_MS * 2
const LONGER_THAN_SETTLING_MS = LEASE_MS + SETTLE_MS + 4_000
const OUTSIDE: readonly RecoveryKind[] = ['sameKey', 'lookUp', 'none']
const POINTS: readonly (readonly [FailpointName, Side])[] = [
  ['calls.claim', 'after'],
  ['calls.startEffect', 'before'],
  ['calls.startEffect', 'after'],
  ['vendor.make', 'after'],
  ['calls.finish', 'before'],
]

/** A node that stands still holding a claim is a zombie when it goes on: it may do nothing that its successor has done. */
export const pauses: Scenario = async (world) => {
  const place = await world.ground.newPlace()
  const setup = setupOf(world, place)
  // only who stands still may be taken for dead
  const pool = new NodePool(world.options.nodes, setupOf(world, place, 'patient'), world.random)
  const ledger = ledgerReader(place)
  await pool.allReady()
  const planned = allPauses().filter((one) => nameOf(one).includes(world.options.only ?? ''))
  let past = 0
  const stopProgress = showProgress(() => `pauses ${past}/${planned.length}`)
  const broken: string[] = []
  const cases = await inTurn([...planned.entries()], AT_ONCE, async ([number, one]) => {
    const seen = await standStill(one, number, { setup, pool, world })
    past++
    if (!seen.wasStopped) broken.push(`${nameOf(one)}: never came by`)
    const isRight =
      seen.case.final.end === 'done' || (one.kind === 'none' && seen.case.final.end === 'unknown')
    if (!isRight) broken.push(`${nameOf(one)}: ended as ${wordsOf(seen.case.final)}`)
    return seen.case
  })
  await settle(ledger)
  stopProgress()
  const verdict = await judge(cases, ledger, world.vendor)
  await pool.close()
  return { figures: { pauses: planned.length }, verdict, broken }
}

function allPauses(): readonly Pause[] {
  const short = OUTSIDE.flatMap((kind) =>
    POINTS.map(([at, side]) => ({ kind, at, side, forMs: LONGER_THAN_LEASE_MS })),
  )
  return [
    ...short,
    { kind: 'transaction', at: 'calls.transact', side: 'before', forMs: LONGER_THAN_LEASE_MS },
    { kind: 'transaction', at: 'calls.transact', side: 'after', forMs: LONGER_THAN_LEASE_MS },
    // so long that whoever looks it up finds nothing and sends it anew: what was announced then must not leave any more
    { kind: 'lookUp', at: 'calls.startEffect', side: 'after', forMs: LONGER_THAN_SETTLING_MS },
  ]
}

type Stage = { readonly setup: NodeSetup; readonly pool: NodePool; readonly world: World }

async function standStill(
  { kind, at, side, forMs }: Pause,
  number: number,
  { setup, pool, world }: Stage,
): Promise<{ readonly case: Case; readonly wasStopped: boolean }> {
  const wish = plainWish(number, {
    item: `pause-${number}-`,
    key: `key-pause-${number}-`,
    kind,
    manner: forMs > LONGER_THAN_LEASE_MS ? 'patient' : 'plain',
  })
  const node = new NodeProcess({
    ...setup,
    failpoint: { name: at, side, does: { kind: 'stand-still', forMs }, item: wish.item },
  })
  await node.started
  const untilMs = performance.now() + CALM_MS
  const journey: Journey = {
    random: world.random,
    nextNode: (last) => pool.any(last),
    listensMs: HASTY_MS,
    hasPatience: () => performance.now() < untilMs,
    onDetour: () => undefined,
  }
  const first = node.ask({ ...callOf(wish, world.random), whenRunning: 'answer' }, CALM_MS)
  // it is asked first, and stands there by the time the others are
  const wasStopped =
    (await Promise.race([first, pause(LEASE_MS / 2, 'stopped' as const)])) === 'stopped'
  const final = await pursue(wish, journey)
  await first
  const repeated = [await pursue(wish, journey)]
  node.kill()
  await node.ended
  return { case: { wish, final, repeated }, wasStopped }
}

function nameOf({ kind, at, side, forMs }: Pause): string {
  return `${kind}: ${forMs} ms ${side} ${at}`
}

function wordsOf(final: Final): string {
  return final.end === 'nothing' ? `nothing (${final.last})` : final.end
}
