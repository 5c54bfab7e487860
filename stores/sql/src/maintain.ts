import { randomInt } from 'node:crypto'
import type { Anchor } from './audit/anchors.ts'
import type { AuditKey } from './audit/audit-key.ts'
import { auditSequencer } from './audit/sequencer.ts'
import type { Database } from './database.ts'
import { SAMPLE_MS, takeSample } from './health.ts'
import { pruneStep } from './prune.ts'

export type Maintenance = {
  /** Without a key, audit records get no position and no signed head. */
  readonly audit?: { readonly key: AuditKey; readonly anchors: readonly Anchor[] }
}

const PRUNE_EVERY_MS = 3_600_000
// Nodes that are restarted every half hour prune too, and nodes that start together do not all
// prune at once.
const FIRST_PRUNE_WITHIN_MS = 60_000
const PRUNED_AT_ONCE = 1_000

/**
 * Prunes, sequences and takes samples regularly until it is stopped. Stopping returns how many audit records are
 * left without a place in the tree.
 */
export function maintain(
  database: Database,
  { audit }: Maintenance,
  onTrouble: (error: unknown) => void,
) {
  const sequencer =
    audit === undefined ? undefined : auditSequencer(database, { ...audit, onTrouble })
  sequencer?.start()
  let pruning: Promise<void> | undefined
  const prune = (): void => {
    pruning ??= pruneAll(database)
      .catch(onTrouble)
      .finally(() => {
        pruning = undefined
      })
  }
  let sampling: Promise<void> = Promise.resolve()
  const sample = (): void => {
    sampling = database.step(takeSample, { dialect: database.dialect }).catch(onTrouble)
  }
  sample()
  const timers = [
    setTimeout(prune, randomInt(FIRST_PRUNE_WITHIN_MS)),
    setInterval(prune, PRUNE_EVERY_MS),
    setInterval(sample, SAMPLE_MS),
  ]
  for (const timer of timers) timer.unref()
  return async (): Promise<number> => {
    for (const timer of timers) clearTimeout(timer)
    await Promise.all([pruning, sampling])
    return (await sequencer?.stop()) ?? 0
  }
}

// In portions: one long transaction would block all other writes.
export async function pruneAll(database: Pick<Database, 'step'>): Promise<void> {
  while ((await database.step(pruneStep, { limit: PRUNED_AT_ONCE })) >= PRUNED_AT_ONCE);
}
