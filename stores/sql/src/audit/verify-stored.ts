import type { Database } from '../database.ts'
import { inOrder, pagesOf } from './export-audit.ts'
import { leafText } from './leaf.ts'
import { readSummary, type TreeSummary } from './pages.ts'
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
    const verdict = addStoredFacts(
      await verifyOnce(database, auditVerifier(tenant, trust, before.head), tenant),
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
  tenant: string,
): Promise<Verdict> {
  for await (const page of pagesOf(database, tenant)) {
    const flaws = inOrder(page, {
      record: (record) =>
        verifier.record({ text: leafText(record, record), payload: record, leaf: record.leaf }),
      head: verifier.head,
    })
    for (const flaw of flaws) if (flaw !== undefined) return { kind: 'broken', tenant, flaw }
  }
  return verifier.end()
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
