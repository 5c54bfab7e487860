import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { publicKeyOf, readAnchors, readAuditKey, type SqlStores, verifyStored } from '@surehand/sql'
import { TENANTS } from '../clients/wish.ts'
import type { NodeSetup } from '../node/messages.ts'
import { maintenanceOf, openStores } from '../node/open-stores.ts'

// whoever gave records their places and died holds them for five seconds more
const TAKEN_OVER_MS = 6_000
// after a hundred thousand calls there may be some left to place
const PLACED_WITHIN_MS = 120_000

/** After all that dying: has every record its place, and does the tree stand under every head that was ever signed? */
export async function auditFlaws(setup: NodeSetup): Promise<readonly string[]> {
  const stores = await openStores(setup.place)
  try {
    const stop = stores.maintain(maintenanceOf(setup))
    const startedMs = performance.now()
    do await pause(TAKEN_OVER_MS)
    while (performance.now() - startedMs < PLACED_WITHIN_MS && (await hasUnplaced(stores)))
    await stop()
    return (await Promise.all(TENANTS.map((tenant) => flawsOf(tenant, stores, setup)))).flat()
  } finally {
    await stores.close()
  }
}

async function hasUnplaced({ database }: SqlStores): Promise<boolean> {
  return (
    (await database.query('select 1 from audit_records where position is null limit 1', []))
      .length > 0
  )
}

async function flawsOf(
  tenant: string,
  stores: SqlStores,
  { audit, place }: NodeSetup,
): Promise<readonly string[]> {
  const trust = {
    publicKeys: [publicKeyOf(readAuditKey(audit.key))],
    anchors: readAnchors(readFileSync(audit.anchorFile, 'utf8')),
  }
  const verdict = await verifyStored(stores.database, tenant, trust)
  if (verdict.kind === 'broken')
    return [`the audit of ${tenant}, record ${verdict.flaw.position}: ${verdict.flaw.what}`]
  const text = `select count(*) as number from audit_records where tenant = ${place.kind === 'sqlite' ? '?' : '$1'}`
  const [row] = await stores.database.query(text, [tenant])
  const isWhole = verdict.size === Number(row?.number) && verdict.anchoredSize === verdict.size
  return isWhole
    ? []
    : [
        `the audit of ${tenant}: of ${row?.number} records ${verdict.size} have a place and ${verdict.anchoredSize} an anchor`,
      ]
}
