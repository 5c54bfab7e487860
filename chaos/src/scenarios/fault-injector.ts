import { setTimeout as pause } from 'node:timers/promises'
import { FAILPOINTS, type FailpointName } from '../node/failpoint.ts'
import type { NodePool } from '../processes/node-pool.ts'
import type { NodeProcess } from '../processes/node-process.ts'
import type { StoreBackend } from '../processes/store-backend.ts'
import type { Random } from '../random.ts'

type PlannedFault = { readonly at: number; readonly kind: 'kill' | 'trap' | 'pause' | 'plug' }

export type FaultPlan = {
  readonly calls: number
  readonly kills: number
  readonly stops: number
  readonly restarts: number
  /** Failpoints that every call passes, so that an armed node reaches one soon. */
  readonly failpoints?: FailpointNames
}
type FailpointNames = readonly [FailpointName, ...FailpointName[]]

const COMMON_FAILPOINTS: FailpointNames = [
  'calls.claim',
  'calls.startEffect',
  'calls.finish',
  'calls.transact',
  'vendor.make',
]
const [FIRST_POINT = COMMON_FAILPOINTS[0], ...OTHER_POINTS] = FAILPOINTS
const ARMED_FOR_MS = 2_500
const POLL_MS = 8

/**
 * Injects faults that are planned over the calls of a scenario: kills from outside and at
 * failpoints, paused nodes, and power cuts of the database server.
 */
export class FaultInjector {
  kills = 0
  stops = 0
  restarts = 0
  private startedCalls = 0
  private isOver = false
  private readonly faults: PlannedFault[]
  private readonly armed = new Set<NodeProcess>()
  private readonly pool: NodePool
  private readonly ground: StoreBackend
  private readonly random: Random
  private readonly traps: FailpointNames

  constructor(weather: FaultPlan, pool: NodePool, ground: StoreBackend, random: Random) {
    this.pool = pool
    this.ground = ground
    this.random = random
    this.traps = weather.failpoints ?? COMMON_FAILPOINTS
    this.faults = planFaults(weather, random)
  }

  /**
   * Delays a call until the faults planned before it have been injected; otherwise the calls would
   * be over before the nodes are up again.
   */
  async waitForFaults(): Promise<void> {
    const number = this.startedCalls++
    while ((this.faults[0]?.at ?? Number.POSITIVE_INFINITY) < number && !this.isOver)
      await pause(POLL_MS)
  }

  /** Cancels the faults that have not been injected yet. */
  stop(): void {
    this.isOver = true
  }

  async run(): Promise<void> {
    for (let blow = this.faults[0]; blow !== undefined && !this.isOver; blow = this.faults[0]) {
      while (this.startedCalls < blow.at && !this.isOver) await pause(POLL_MS)
      if (this.isOver) break
      await pause(this.random.between(0, 25))
      await this.inject(blow.kind)
      this.faults.shift()
    }
    // Disarm every node, so that no fault happens after this point.
    await Promise.all([...this.armed].map((node) => node.arm(undefined)))
  }

  private async inject(kind: PlannedFault['kind']): Promise<void> {
    switch (kind) {
      case 'kill':
        this.kills++
        return (await this.chooseVictim()).kill()
      case 'trap':
        this.kills++
        return this.armFailpoint(await this.chooseVictim())
      case 'pause':
        this.stops++
        return this.pauseNode(await this.chooseVictim())
      case 'plug': {
        const putBack = await this.ground.cutPower?.()
        await pause(this.random.between(100, 600))
        await putBack?.()
        this.restarts++
      }
    }
  }

  /** A node that is up, provided that another one is up too. */
  private async chooseVictim(): Promise<NodeProcess> {
    for (;;) {
      const free = this.pool.ready.filter((node) => !this.armed.has(node))
      const [first, ...rest] = free
      if (first !== undefined && (free.length > 1 || this.pool.all.length === 1))
        return this.random.pick([first, ...rest])
      await pause(POLL_MS)
    }
  }

  private async armFailpoint(node: NodeProcess): Promise<void> {
    this.armed.add(node)
    void node.exited.then(() => this.armed.delete(node))
    // Sometimes a rarely reached failpoint; a node that does not reach it in time is killed from
    // outside.
    const name = this.random.isLikely(0.8)
      ? this.random.pick(this.traps)
      : this.random.pick([FIRST_POINT, ...OTHER_POINTS])
    await node.arm({ name, side: this.random.pick(['before', 'after']), does: { kind: 'die' } })
    setTimeout(() => node.kill(), ARMED_FOR_MS)
  }

  // Longer than the lease, shorter than a request may take.
  private async pauseNode(node: NodeProcess): Promise<void> {
    const forMs = this.random.between(2_200, 3_500)
    if (this.ground.cutPower !== undefined) return node.pauseFor(forMs)
    // With SQLite, a node that stops inside a transaction blocks all others, so it is paused at a
    // failpoint.
    await node.arm({
      name: this.random.pick(this.traps),
      side: this.random.pick(['before', 'after']),
      does: { kind: 'pause', forMs },
    })
  }
}

function planFaults({ calls, kills, stops, restarts }: FaultPlan, random: Random): PlannedFault[] {
  const spread = (count: number, kind: () => PlannedFault['kind']): PlannedFault[] =>
    Array.from({ length: count }, (_, index) => ({
      at: Math.floor(((index + random.next()) * calls) / count),
      kind: kind(),
    }))
  const blows = [
    ...spread(kills, () => random.pick(['kill', 'trap'])),
    ...spread(stops, () => 'pause'),
    ...spread(restarts, () => 'plug'),
  ]
  return blows.sort((left, right) => left.at - right.at)
}
