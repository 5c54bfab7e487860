import { setTimeout as pause } from 'node:timers/promises'
import type { Ground } from '../house/ground.ts'
import type { NodePool } from '../house/node-pool.ts'
import type { NodeProcess } from '../house/node-process.ts'
import { FAILPOINTS, type FailpointName } from '../node/failpoint.ts'
import type { Random } from '../random.ts'

type Blow = { readonly at: number; readonly kind: 'kill' | 'trap' | 'stand-still' | 'plug' }

export type Weather = {
  readonly calls: number
  readonly kills: number
  readonly stops: number
  readonly restarts: number
  /** On the way of every call, so that whoever is armed comes by soon. */
  readonly traps?: Traps
}
type Traps = readonly [FailpointName, ...FailpointName[]]

const TRAPS: Traps = [
  'calls.claim',
  'calls.startEffect',
  'calls.finish',
  'calls.transact',
  'vendor.make',
]
const [FIRST_POINT = TRAPS[0], ...OTHER_POINTS] = FAILPOINTS
const TRAPPED_FOR_MS = 2_500
const POLL_MS = 8

/** Trouble, planned over the calls of a run: kills from outside and at failpoints, nodes that stand still, a server without power. */
export class Storm {
  kills = 0
  stops = 0
  restarts = 0
  private begun = 0
  private isOver = false
  private readonly blows: Blow[]
  private readonly armed = new Set<NodeProcess>()
  private readonly pool: NodePool
  private readonly ground: Ground
  private readonly random: Random
  private readonly traps: Traps

  constructor(weather: Weather, pool: NodePool, ground: Ground, random: Random) {
    this.pool = pool
    this.ground = ground
    this.random = random
    this.traps = weather.traps ?? TRAPS
    this.blows = planned(weather, random)
  }

  /** A call waits for the trouble planned before it: otherwise the calls would be over before the nodes are up again. */
  async turn(): Promise<void> {
    const number = this.begun++
    while ((this.blows[0]?.at ?? Number.POSITIVE_INFINITY) < number && !this.isOver)
      await pause(POLL_MS)
  }

  /** It has raged enough: what was planned for later does not come. */
  end(): void {
    this.isOver = true
  }

  async rage(): Promise<void> {
    for (let blow = this.blows[0]; blow !== undefined && !this.isOver; blow = this.blows[0]) {
      while (this.begun < blow.at && !this.isOver) await pause(POLL_MS)
      if (this.isOver) break
      await pause(this.random.between(0, 25))
      await this.strike(blow.kind)
      this.blows.shift()
    }
    // nobody is left with a trap under its feet: what follows is calm
    await Promise.all([...this.armed].map((node) => node.arm(undefined)))
  }

  private async strike(kind: Blow['kind']): Promise<void> {
    switch (kind) {
      case 'kill':
        this.kills++
        return (await this.victim()).kill()
      case 'trap':
        this.kills++
        return this.trap(await this.victim())
      case 'stand-still':
        this.stops++
        return this.hold(await this.victim())
      case 'plug': {
        const putBack = await this.ground.pullPlug?.()
        await pause(this.random.between(100, 600))
        await putBack?.()
        this.restarts++
      }
    }
  }

  /** Somebody who is up, as long as somebody else is too. */
  private async victim(): Promise<NodeProcess> {
    for (;;) {
      const free = this.pool.ready.filter((node) => !this.armed.has(node))
      const [first, ...rest] = free
      if (first !== undefined && (free.length > 1 || this.pool.all.length === 1))
        return this.random.pick([first, ...rest])
      await pause(POLL_MS)
    }
  }

  private async trap(node: NodeProcess): Promise<void> {
    this.armed.add(node)
    void node.ended.then(() => this.armed.delete(node))
    // the rarer ones too: whoever does not come by in time is killed where it is
    const name = this.random.isLikely(0.8)
      ? this.random.pick(this.traps)
      : this.random.pick([FIRST_POINT, ...OTHER_POINTS])
    await node.arm({ name, side: this.random.pick(['before', 'after']), does: { kind: 'die' } })
    setTimeout(() => node.kill(), TRAPPED_FOR_MS)
  }

  // longer than the lease, shorter than a request may be under way
  private async hold(node: NodeProcess): Promise<void> {
    const forMs = this.random.between(2_200, 3_500)
    if (this.ground.pullPlug !== undefined) return node.standStill(forMs)
    // on one file, whoever stops inside a transaction stops everybody
    await node.arm({
      name: this.random.pick(this.traps),
      side: this.random.pick(['before', 'after']),
      does: { kind: 'stand-still', forMs },
    })
  }
}

function planned({ calls, kills, stops, restarts }: Weather, random: Random): Blow[] {
  const spread = (count: number, kind: () => Blow['kind']): Blow[] =>
    Array.from({ length: count }, (_, index) => ({
      at: Math.floor(((index + random.next()) * calls) / count),
      kind: kind(),
    }))
  const blows = [
    ...spread(kills, () => random.pick(['kill', 'trap'])),
    ...spread(stops, () => 'stand-still'),
    ...spread(restarts, () => 'plug'),
  ]
  return blows.sort((left, right) => left.at - right.at)
}
