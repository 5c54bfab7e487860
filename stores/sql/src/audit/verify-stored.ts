import type { Database } from '../database.ts'
import { inOrder, pagesOf } from './export-audit.ts'
import { leafText } from './leaf.ts'
import { readSummary } from './pages.ts'
import { auditVerifier, type Trust, type Verdict, type Verifier } from './verifier.ts'

const MOST_TRIES = 5

/** Verifies a tenant's audit in the database, page by page. */
export async function verifyStored(
  database: Pick<Database, 'step'>,
  tenant: string,
  trust: Trust,
): Promise<Verdict> {
  for (let attempt = 1; ; attempt++) {
    const before = await database.step(readSummary, { tenant })
    const verdict = await verifyOnce(database, auditVerifier(tenant, trust, before.head), tenant)
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
