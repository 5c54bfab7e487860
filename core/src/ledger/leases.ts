import type { BootTime, CallRow } from '../call/call-row.ts'
import { hasLeaseExpired } from '../call/call-row.ts'
import { PassingMap } from '../call/passing-map.ts'
import type { CallStore, Fence } from '../ports/calls.ts'
import type { Clock } from '../ports/clock.ts'
import type { LedgerContext } from './context.ts'

/** What a row says about its lease. */
type LeaseRow = Pick<
  CallRow,
  'callId' | 'fence' | 'leaseUntil' | 'leaseBoot' | 'readAt' | 'effect' | 'state'
>

type Held = { readonly fence: Fence; renewedTicks: number }
type Watched = Pick<CallRow, 'fence' | 'leaseUntil'> & { readonly sinceTicks: number }

// How much faster than ours the store's clock may be between two sweeps, in parts of a lease. At
// this rate a lease still outlives its renewals.
const TOLERATED = 0.1

/**
 * Whose claims are alive. The store's clock may be set, and then every lease seems to be over, or
 * none ever. So a claim of this process is alive while it works; a claim made on this machine is
 * judged by the machine's monotonic clock; and of a machine's claim elsewhere the store's clock is
 * believed while it runs as fast as ours.
 */
export class Leases {
  private readonly held = new PassingMap<Held>()
  private readonly watched = new Map<string, Watched>()
  private readonly clock: Clock
  private readonly leaseMs: number
  /** The most that the store's clock can have been ahead of ours at the last look. */
  private aheadMs: number | undefined
  private steppedTicks = Number.NEGATIVE_INFINITY

  constructor(clock: Clock, leaseMs: number) {
    this.clock = clock
    this.leaseMs = leaseMs
  }

  /** This moment, for other processes of this machine. */
  bootTime(): BootTime | undefined {
    const { boot } = this.clock
    return boot === undefined ? undefined : { boot, ticks: Math.round(this.clock.ticks()) }
  }

  /** This process has claimed the row. The returned function is called when it works no more. */
  hold(row: CallRow): () => void {
    const { tenant, callId, fence } = row
    const held = { fence: { tenant, callId, fence }, renewedTicks: this.clock.ticks() }
    this.held.set(row.callId, held)
    return () => {
      if (this.held.get(row.callId) === held) this.held.delete(row.callId)
    }
  }

  renewed({ callId, fence }: Fence): void {
    const held = this.held.get(callId)
    if (held?.fence.fence === fence) held.renewedTicks = this.clock.ticks()
  }

  /** Is no process working on this claimed row any more? */
  isAbandoned(row: LeaseRow): boolean {
    if (row.leaseUntil === undefined || this.isHeld(row)) return false
    if (row.leaseUntil === 0) return true
    if (row.leaseBoot !== undefined && row.leaseBoot.boot === this.clock.boot)
      return row.leaseBoot.ticks <= this.clock.ticks()
    return hasLeaseExpired(row as CallRow) && this.believes(row)
  }

  /** Did this process claim the row, and does it still work on it under that claim? */
  isHeld({ callId, fence }: Pick<CallRow, 'callId' | 'fence'>): boolean {
    return this.held.get(callId)?.fence.fence === fence
  }

  /** Has this process worked on its claim for longer than a lease without renewing it? */
  isOver(row: LeaseRow): boolean {
    const held = this.held.get(row.callId)
    return held?.fence.fence !== row.fence || this.clock.ticks() - held.renewedTicks >= this.leaseMs
  }

  /**
   * How long ago the effect was sent for the last time. Never too long: a request that may still be
   * on its way must not count as lost.
   */
  youngestAgeMs({ effect, readAt }: LeaseRow): number {
    if (effect === undefined) return 0
    const { bootTimes } = effect
    if (bootTimes !== undefined && bootTimes.boot === this.clock.boot)
      return this.clock.ticks() - bootTimes.lastStartedTicks
    return Math.min(readAt - effect.lastStartedAt, this.clock.ticks() - this.steppedTicks)
  }

  /**
   * How long ago the effect was sent for the first time. Never too short: the provider may have
   * forgotten our key by then.
   */
  oldestAgeMs({ effect, readAt }: LeaseRow): number {
    if (effect === undefined) return 0
    const { bootTimes } = effect
    const startedTicks = bootTimes?.boot === this.clock.boot ? bootTimes?.startedTicks : undefined
    const byTicks = startedTicks === undefined ? 0 : this.clock.ticks() - startedTicks
    return Math.max(readAt - effect.startedAt, byTicks)
  }

  /**
   * Compares the store's clock with ours. After a step forwards, the claims of this process are
   * renewed, so that a node that has just started does not take them for dead.
   */
  async compareClocks(calls: Pick<CallStore, 'now' | 'renew'>): Promise<void> {
    const askedTicks = this.clock.ticks()
    const now = await calls.now()
    const hasStepped = this.noteTime(now)
    this.aheadMs = now - askedTicks
    if (!hasStepped) return
    await Promise.allSettled(
      this.held.values().map(({ fence }) => calls.renew(fence, this.leaseMs, this.bootTime())),
    )
  }

  // The answer may have taken long, so the store's clock is at least this far ahead of ours.
  private noteTime(storeNow: number): boolean {
    const ticks = this.clock.ticks()
    const tolerated = (this.aheadMs ?? Number.POSITIVE_INFINITY) + this.leaseMs * TOLERATED
    if (storeNow - ticks <= tolerated) return false
    this.steppedTicks = ticks
    return true
  }

  // For the length of a lease after a step, a claim is believed to be dead only if it was not
  // renewed while we watched.
  private believes(row: LeaseRow): boolean {
    const ticks = this.clock.ticks()
    this.noteTime(row.readAt)
    if (ticks - this.steppedTicks >= this.leaseMs) {
      this.watched.clear()
      return true
    }
    const known = this.watched.get(row.callId)
    if (known?.fence === row.fence && known.leaseUntil === row.leaseUntil)
      return ticks - known.sinceTicks >= this.leaseMs
    this.watched.set(row.callId, {
      fence: row.fence,
      leaseUntil: row.leaseUntil,
      sinceTicks: ticks,
    })
    return false
  }
}

// Ten minutes with the usual lease of 30 s.
const LONGEST_LEASE = 20

/**
 * How long a claim is held after so many deaths. Where a third try and more are allowed, the pause
 * before each grows: if it is this call that ends its process, the calls beside it have time to
 * finish.
 */
export function leaseAfter(deaths: number, leaseMs: number): number {
  return deaths < 2 ? leaseMs : leaseMs * Math.min(LONGEST_LEASE, 2 ** (deaths - 1))
}

/** Renews the lease of a claim while its work goes on, after every third of the lease's length. */
export function keepLease(row: CallRow, context: LedgerContext): { readonly stop: () => void } {
  const { tenant, callId } = row
  const fence: Fence = { tenant, callId, fence: row.fence }
  const leaseMs = leaseAfter(row.deaths, context.leaseMs)
  let cancel = schedule()

  function schedule(): () => void {
    return context.clock.after(context.leaseMs / 3, () => void renew())
  }

  // A failed renewal is not an error here: the fence refuses every later write, and the effect is
  // not started.
  async function renew(): Promise<void> {
    try {
      const { leases } = context
      if (!(await context.stores.calls.renew(fence, leaseMs, leases.bootTime()))) return
      leases.renewed(fence)
    } catch {
      // The store cannot be reached; the next third tries again.
    }
    if (!stopped) cancel = schedule()
  }

  let stopped = false
  return {
    stop() {
      stopped = true
      cancel()
    },
  }
}
