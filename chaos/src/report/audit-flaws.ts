import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { publicKeyOf, readAnchors, readAuditKey, type SqlStores, verifyStored } from '@surehand/sql'
import { TENANTS } from '../clients/planned-call.ts'
import type { NodeSetup } from '../node/messages.ts'
import { createMaintenance, openStores, readSealKey } from '../node/open-stores.ts'

// A sequencer that died keeps its lease for five more seconds, and after a hundred thousand calls
// many records may still be waiting for their position.
const SEQUENCED_WITHIN_MS = 120_000
const POLL_MS = 250

/**
 * Checks that after all crashes every record has its position in the tree, and that the tree
 * matches every signed head.
 */
export async function findAuditFlaws(setup: NodeSetup): Promise<readonly string[]> {
  const stores = await openStores(setup)
  try {
    const stop = stores.maintain(createMaintenance(setup))
    const startedMs = performance.now()
    while (performance.now() - startedMs < SEQUENCED_WITHIN_MS && (await isUnfinished(stores)))
      await pause(POLL_MS)
    await stop()
    return (await Promise.all(TENANTS.map((tenant) => findFlaws(tenant, stores, setup)))).flat()
  } finally {
    await stores.close()
  }
}

/** Whether a record has no position yet, or the last head of a tree is not anchored yet. */
async function isUnfinished({ database }: SqlStores): Promise<boolean> {
  const unplaced = 'select 1 from audit_records where position is null'
  const unanchored = 'select 1 from audit_trees where anchored_size < size'
  return (await database.query(`${unplaced} union all ${unanchored} limit 1`, [])).length > 0
}

async function findFlaws(
  tenant: string,
  stores: SqlStores,
  { audit, location }: NodeSetup,
): Promise<readonly string[]> {
  const trust = {
    publicKeys: [publicKeyOf(readAuditKey(audit.key))],
    anchors: readAnchors(readFileSync(audit.anchorFile, 'utf8')),
    sealKey: readSealKey(audit),
  }
  const verdict = await verifyStored(stores.database, tenant, trust)
  if (verdict.kind === 'broken')
    return [`the audit of ${tenant}, record ${verdict.flaw.position}: ${verdict.flaw.what}`]
  const parameter = location.kind === 'sqlite' ? '?' : '$1'
  const count = async (what: string, table: string): Promise<number> => {
    const text = `select ${what} as number from ${table} where tenant = ${parameter}`
    return Number((await stores.database.query(text, [tenant]))[0]?.number)
  }
  const written =
    (await count('count(*)', 'audit_records')) +
    (await count('coalesce(sum(count), 0)', 'audit_segments'))
  const isComplete = verdict.size === written && verdict.anchoredSize === verdict.size
  return isComplete
    ? []
    : [
        `the audit of ${tenant}: of ${written} records ${verdict.size} have a position and ${verdict.anchoredSize} an anchor`,
      ]
}
