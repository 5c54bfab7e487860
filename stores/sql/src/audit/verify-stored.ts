import type { Database } from '../database.ts'
import { inOrder, pagesOf } from './export-audit.ts'
import { leafText } from './leaf.ts'
import { readSummary, type TreeSummary } from './pages.ts'
import {
  type CheckedRecord,
  findLedgerFlaw,
  findStartFlaw,
  readSealStart,
  readUnsequenced,
  type SealCheck,
  sealCheck,
} from './seal-check.ts'
import { auditVerifier, type Trust, type Verdict, type Verifier } from './verifier.ts'

const MOST_TRIES = 5

/**
 * Verifies a tenant's audit in the database, page by page. It only reads: records without a place in
 * the tree are counted, and neither placed nor signed.
 */
export async function verifyStored(
  database: Pick<Database, 'step'>,
  tenant: string,
  trust: Trust,
): Promise<Verdict> {
  for (let attempt = 1; ; attempt++) {
    const before = await database.step(readSummary, { tenant })
    const verifier = auditVerifier(tenant, trust, before.head)
    const verdict = addStoredFacts(
      await withSeals(database, tenant, trust.sealKey, (seals) =>
        verifyOnce(database, verifier, { tenant, seals }),
      ),
      before,
    )
    const after = await database.step(readSummary, { tenant })
    // An erasure between two pages looks like tampering, so the verification is repeated.
    if (before.erasures === after.erasures || attempt === MOST_TRIES) return verdict
  }
}

async function verifyOnce(
  database: Pick<Database, 'step'>,
  verifier: Verifier,
  { tenant, seals }: { readonly tenant: string; readonly seals: SealCheck | undefined },
): Promise<Verdict> {
  for await (const page of pagesOf(database, tenant)) {
    const flaws = inOrder(page, {
      record: (record) =>
        verifier.record({ text: leafText(record, record), payload: record, leaf: record.leaf }) ??
        // erased: the same row, with the fields of the record as they are stored
        seals?.record(record as unknown as CheckedRecord, record.position),
      head: verifier.head,
    })
    for (const flaw of flaws) if (flaw !== undefined) return { kind: 'broken', tenant, flaw }
  }
  return verifier.end()
}

/** Adds what the seals prove: that this installation wrote the records, and each of them once. */
async function withSeals(
  database: Pick<Database, 'step'>,
  tenant: string,
  key: Uint8Array | undefined,
  verify: (seals: SealCheck | undefined) => Promise<Verdict>,
): Promise<Verdict> {
  if (key === undefined) return verify(undefined)
  const toBroken = (position: number, what: string): Verdict => {
    return { kind: 'broken', tenant, flaw: { position, what } }
  }
  const start = await database.step(readSealStart, null)
  const startFlaw = await findStartFlaw(database, key, start)
  if (start === undefined || startFlaw !== undefined) return toBroken(0, startFlaw ?? '')
  const seals = sealCheck(key, start)
  const verdict = await verify(seals)
  if (verdict.kind === 'broken') return verdict
  for (let after = 0; ; ) {
    const page = await database.step(readUnsequenced, { tenant, after })
    for (const record of page) {
      // Only records with a place are erased.
      const flaw = seals.record({ ...record, erasure: null }, verdict.size)
      if (flaw !== undefined) return { kind: 'broken', tenant, flaw }
      after = record.number
    }
    if (page.length === 0) break
  }
  const ledgerFlaw = await database.step(findLedgerFlaw, { tenant })
  return ledgerFlaw === undefined
    ? { ...verdict, unsealed: seals.unsealed() }
    : toBroken(verdict.size, ledgerFlaw)
}

// An audit that was deleted with its tree, its heads and its anchors looks like one that was never
// begun. The calls that it must describe are still there.
function addStoredFacts(verdict: Verdict, { unsequenced, endedCalls }: TreeSummary): Verdict {
  if (verdict.kind === 'broken') return verdict
  if (verdict.size === 0 && unsequenced === 0 && endedCalls > 0) {
    const what = `There is no record, although the ledger contains ended calls of "${verdict.tenant}".`
    return { kind: 'broken', tenant: verdict.tenant, flaw: { position: 0, what } }
  }
  return { ...verdict, unsequenced }
}
