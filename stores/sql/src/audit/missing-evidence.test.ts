import { describe, expect, test } from 'vitest'
import { appendRecords } from './append-records.ts'
import { createAuditKey, publicKeyOf } from './audit-key.ts'
import { exportAudit } from './export-audit.ts'
import { sampleRecord } from './fixtures/sample-record.ts'
import { type OpenDatabase, openInMemory } from './fixtures/sqlite-database.ts'
import { auditSequencer } from './sequencer.ts'
import type { SignedHead } from './signed-head.ts'
import { verifyAudit } from './verify-audit.ts'
import { verifyStored } from './verify-stored.ts'
import { recordBatch } from './fixtures/record-batch.ts'

const key = createAuditKey()
const publicKeys = [publicKeyOf(key)]
const anchorsExpectedIn = 'heads.jsonl'

async function openSequenced(): Promise<{ database: OpenDatabase; heads: SignedHead[] }> {
  const database = openInMemory()
  const heads: SignedHead[] = []
  await database.step(appendRecords, recordBatch([0, 1].map((number) => sampleRecord(number))))
  const anchor = async (head: SignedHead) => void heads.push(head)
  await auditSequencer(database, { key, anchors: [anchor], onTrouble: failTest }).pass()
  return { database, heads }
}

function failTest(thrown: unknown): void {
  throw thrown
}

const DELETE_ALL = ['audit_records', 'audit_heads', 'audit_trees']

describe('an audit without its evidence is broken', () => {
  test('where no head is anchored, in the database and in an export', async () => {
    const { database, heads } = await openSequenced()
    const verdicts = async (anchors: readonly SignedHead[]) => {
      const trust = { publicKeys, anchors, anchorsExpectedIn }
      const exported = await verifyAudit(exportAudit(database, 'acme'), trust)
      return [(await verifyStored(database, 'acme', trust)).kind, exported.kind]
    }
    expect(await verdicts(heads)).toEqual(['intact', 'intact'])
    expect(await verdicts([])).toEqual(['broken', 'broken'])
    expect(await verdicts(heads.map((head) => ({ ...head, tenant: 'globex' })))).toEqual([
      'broken',
      'broken',
    ])
  })

  test('where everything was deleted but the anchors', async () => {
    const { database, heads } = await openSequenced()
    for (const table of DELETE_ALL) database.raw.exec(`delete from ${table}`)
    const trust = { publicKeys, anchors: heads, anchorsExpectedIn }
    expect(await verifyStored(database, 'acme', trust)).toMatchObject({ kind: 'broken' })
  })

  test('where everything was deleted with the anchors, but calls have ended', async () => {
    const { database } = await openSequenced()
    for (const table of DELETE_ALL) database.raw.exec(`delete from ${table}`)
    const trust = { publicKeys, anchors: [] }
    expect(await verifyStored(database, 'acme', trust)).toMatchObject({ kind: 'intact', size: 0 })
    insertCall(database, 'queued')
    expect(await verifyStored(database, 'acme', trust)).toMatchObject({ kind: 'intact' })
    insertCall(database, 'succeeded')
    expect(await verifyStored(database, 'acme', trust)).toEqual({
      kind: 'broken',
      tenant: 'acme',
      flaw: {
        position: 0,
        what: 'There is no record, although the ledger contains ended calls of "acme".',
      },
    })
  })
})

test('a flaw that is not about one record has no id', async () => {
  const { database, heads } = await openSequenced()
  database.raw.exec('delete from audit_records')
  const verdict = await verifyStored(database, 'acme', { publicKeys, anchors: heads })
  expect(verdict.kind === 'broken' && Object.keys(verdict.flaw)).toEqual(['position', 'what'])
})

/** A row of the ledger with a value in every column that needs one. */
function insertCall({ raw }: OpenDatabase, state: string): void {
  const columns = raw.prepare('pragma table_info(calls)').all() as unknown as readonly {
    name: string
    type: string
    notnull: number
    dflt_value: unknown
  }[]
  const needed = columns.filter(({ notnull, dflt_value }) => notnull === 1 && dflt_value === null)
  const given: Record<string, string> = { tenant: 'acme', state, call_id: state, key_hash: state }
  const values = needed.map(
    ({ name, type }) => given[name] ?? (/int/i.test(type) ? 0 : `${state}-${name}`),
  )
  raw
    .prepare(
      `insert into calls (${needed.map(({ name }) => name).join(', ')}) values (${needed.map(() => '?').join(', ')})`,
    )
    .run(...values)
}
