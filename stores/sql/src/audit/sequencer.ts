import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../database.ts'
import type { Anchor } from './anchors.ts'
import type { AuditKey } from './audit-key.ts'
import {
  countUnsequenced,
  keepHead,
  markAnchored,
  pendingTenants,
  releaseTrees,
  type Sequenced,
  sequenceStep,
} from './sequence.ts'
import { type SignedHead, signHead } from './signed-head.ts'

export type SequencerOptions = {
  readonly key: AuditKey
  readonly anchors: readonly Anchor[]
  /**
   * Receives the errors of a tenant that could not be sequenced; it is tried again in the next
   * pass.
   */
  readonly onTrouble: (error: unknown) => void
  readonly everyMs?: number
  readonly leaseMs?: number
  /** Records per transaction. On SQLite other writes wait about 15 ms for each thousand. */
  readonly batchSize?: number
}

export type Sequencer = {
  /**
   * Sequences every tenant whose lease this node can get until nothing waits; returns how many
   * records got a position.
   */
  readonly pass: () => Promise<number>
  readonly start: () => void
  /**
   * Runs last passes until every record has its place, and releases the leases for other nodes.
   * Returns how many records are left without a place: their tree cannot be read, or another node
   * holds it and has not placed them within the time of a lease.
   */
  readonly stop: () => Promise<number>
}

type Ours = Extract<Sequenced, { kind: 'ours' }>

/**
 * Assigns positions to records, signs heads and anchors them. Any number of nodes may run one; each
 * tenant has one sequencer at a time.
 */
export function auditSequencer(
  database: Pick<Database, 'step'>,
  options: SequencerOptions,
): Sequencer {
  const { key, anchors, onTrouble, everyMs = 200, leaseMs = 5_000, batchSize = 500 } = options
  const holder = randomUUID()
  let timer: NodeJS.Timeout | undefined
  let passing: Promise<number> | undefined
  let isHeldElsewhere = false
  let state: 'idle' | 'running' | 'stopped' = 'idle'

  async function drive(tenant: string): Promise<number> {
    let added = 0
    while (true) {
      const batch = await database.step(sequenceStep, { tenant, holder, leaseMs, limit: batchSize })
      if (batch.kind === 'held') {
        isHeldElsewhere = true
        return added
      }
      added += batch.added
      if (batch.size > 0 && !batch.isAnchored && !(await publish(tenant, batch))) return added
      if (batch.added < batchSize) return added
    }
  }

  async function publish(tenant: string, batch: Ours): Promise<boolean> {
    const head = batch.head ?? (await signNewHead(tenant, batch))
    if (head === undefined) return false
    for (const anchor of anchors) await anchor(head)
    await database.step(markAnchored, { tenant, size: head.size })
    return true
  }

  async function signNewHead(
    tenant: string,
    { size, root, at, fence }: Ours,
  ): Promise<SignedHead | undefined> {
    const head = signHead({ tenant, size, root, signed_at: at }, key)
    return (await database.step(keepHead, { head, holder, fence })) ? head : undefined
  }

  async function passOver(): Promise<number> {
    let added = 0
    for (const tenant of await database.step(pendingTenants, undefined)) {
      try {
        added += await drive(tenant)
      } catch (error) {
        onTrouble(error)
      }
    }
    return added
  }

  function pass(): Promise<number> {
    passing ??= passOver().finally(() => {
      passing = undefined
    })
    return passing
  }

  function again(): void {
    if (state !== 'running') return
    timer = setTimeout(() => void pass().catch(onTrouble).finally(again), everyMs)
    timer.unref()
  }

  return {
    pass,
    start() {
      if (state !== 'idle') return
      state = 'running'
      again()
    },
    async stop() {
      state = 'stopped'
      clearTimeout(timer)
      await passing?.catch(onTrouble)
      // The lease of a node that was killed ends by itself; a node that is alive places the records.
      const left = await repeatWithin(leaseMs + everyMs, everyMs, async () => {
        isHeldElsewhere = false
        await pass().catch(onTrouble)
        const waiting = await database.step(countUnsequenced, undefined).catch(() => 0)
        return { left: waiting, isFinal: waiting === 0 || !isHeldElsewhere }
      })
      // An unavailable database must not fail the shutdown; the lease expires by itself.
      await database.step(releaseTrees, { holder }).catch(onTrouble)
      return left
    },
  }
}

async function repeatWithin(
  limitMs: number,
  everyMs: number,
  attempt: () => Promise<{ readonly left: number; readonly isFinal: boolean }>,
): Promise<number> {
  const untilTicks = performance.now() + limitMs
  while (true) {
    const { left, isFinal } = await attempt()
    if (isFinal || performance.now() >= untilTicks) return left
    await pause(everyMs)
  }
}
