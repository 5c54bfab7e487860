import { DatabaseSync } from 'node:sqlite'
import { aCall, anEntry, DONE, EFFECT, fenceOf, LEASE_MS } from '@surehand/conformance'
import pg from 'pg'
import { expect } from 'vitest'
import { sampleEntry } from '../src/audit/fixtures/sample-record.ts'
import { RECORD_COLUMN_LIST } from '../src/audit/record-row.ts'
import { verifyStored } from '../src/audit/verify-stored.ts'
import type { SqlStores } from '../src/sql-stores.ts'
import { app, auditKey } from './audit-promises.ts'
import type { Place } from './each-store.ts'

const sealKey = new Uint8Array(32).fill(7)
const COPIED = RECORD_COLUMN_LIST.filter((column) => column !== 'id' && column !== 'seal').join(
  ', ',
)

/** Runs statements as an intruder would, who can write to the database and has no key. */
async function intrude({ where }: Place, text: string): Promise<void> {
  if (where.store === 'sqlite') {
    const database = new DatabaseSync(where.at)
    database.exec(text)
    database.close()
    return
  }
  const client = new pg.Client({ connectionString: where.at })
  await client.connect()
  await client.query(text)
  await client.end()
}

async function performCall({ calls }: SqlStores, callId: string): Promise<void> {
  const call = { ...aCall(), callId, key: `key of ${callId}`, tenant: 'acme' }
  const claimed = await calls.claim({ call, leaseMs: LEASE_MS, resumes: false })
  if (claimed.kind !== 'claimed') throw new Error(claimed.kind)
  const fence = fenceOf(claimed.row)
  await calls.startEffect(fence, EFFECT, {
    ...anEntry(call, { phase: 'intent' }),
    id: `${callId}-1`,
  })
  await calls.finish(fence, DONE, { ...anEntry(call), id: `${callId}-2` })
}

async function openSealed(place: Place) {
  const stores = await place.open({ sealKey })
  const { sequencerOf, trust } = app()
  await performCall(stores, 'one')
  await stores.audit.append(sampleEntry(2), 'before-answer')
  const verify = () => verifyStored(stores.database, 'acme', { ...trust, sealKey })
  return { stores, sequencerOf, trust, verify }
}

/** What is promised of the seals of records on every database. */
export const sealPromises: Readonly<Record<string, (place: Place) => Promise<void>>> = {
  'a record that no call has written is found, also after it was signed': async (place) => {
    const { stores, sequencerOf, trust, verify } = await openSealed(place)
    expect(await verify()).toMatchObject({ kind: 'intact', unsequenced: 3, unsealed: 0 })
    await intrude(
      place,
      `insert into audit_records (id, ${COPIED}) select 'forged', ${COPIED} from audit_records where id = 'one-2'`,
    )
    const found = { kind: 'broken', flaw: { id: 'forged', what: expect.stringContaining('seal') } }
    expect(await verify()).toMatchObject(found)
    await sequencerOf(stores).stop()
    // The tree alone does not know who wrote a record.
    expect(await verifyStored(stores.database, 'acme', trust)).toMatchObject({ kind: 'intact' })
    expect(await verify()).toMatchObject(found)
    await stores.close()
  },
  'a seal belongs to its record: changed before it had its place, moved or copied, it is found':
    async (place) => {
      const { stores, verify } = await openSealed(place)
      for (const column of ['principal', 'output_hash', 'outcome', 'call_id']) {
        const set = `update audit_records set ${column} =`
        await intrude(place, `${set} ${column} || 'x' where id = 'one-2'`)
        expect(await verify()).toMatchObject({ kind: 'broken' })
        await intrude(
          place,
          `${set} substr(${column}, 1, length(${column}) - 1) where id = 'one-2'`,
        )
        expect(await verify()).toMatchObject({ kind: 'intact' })
      }
      await intrude(
        place,
        `insert into audit_records (id, seal, ${COPIED}) select id, seal, ${COPIED} from audit_records where id = 'one-2'`,
      )
      const flaw = { what: expect.stringContaining('twice') }
      expect(await verify()).toMatchObject({ kind: 'broken', flaw })
      await stores.close()
    },
  'records of reads are sealed, too: changed with their leaf, or stripped of their place, they are found':
    async (place) => {
      const { stores, sequencerOf, verify } = await openSealed(place)
      await sequencerOf(stores).stop()
      // Under the tree that there is now, and by name.
      for (const number of [10, 11, 12]) stores.audit.append(sampleEntry(number), 'batched')
      await stores.audit.flush()
      await sequencerOf(stores).stop()
      expect(await verify()).toMatchObject({ kind: 'intact', unsequenced: 0, unsealed: 0 })
      const its = `where id = '${sampleEntry(11).id}'`
      const [row] = await stores.database.query(`select seal from audit_records ${its}`, [])
      for (const seal of ['null', "'.'", `'.${'A'.repeat(22)}'`]) {
        await intrude(place, `update audit_records set seal = ${seal} ${its}`)
        const flaw = { what: expect.stringContaining('seal') }
        expect(await verify()).toMatchObject({ kind: 'broken', flaw })
      }
      await intrude(place, `update audit_records set seal = '${row?.seal}' ${its}`)
      expect(await verify()).toMatchObject({ kind: 'intact' })
      await intrude(place, `update audit_records set position = null, leaf = null ${its}`)
      expect(await verify()).toMatchObject({ kind: 'broken' })
      await stores.close()
    },
  'an ended call without a record of it is found': async (place) => {
    const { stores, verify } = await openSealed(place)
    const claim = { call: { ...aCall(), callId: 'two', key: 'two', tenant: 'acme' } }
    await stores.calls.claim({ ...claim, leaseMs: LEASE_MS, resumes: false })
    expect(await verify()).toMatchObject({ kind: 'intact' })
    await intrude(place, "update calls set state = 'succeeded' where call_id = 'two'")
    const flaw = { what: expect.stringContaining('two') }
    expect(await verify()).toMatchObject({ kind: 'broken', flaw })
    await stores.close()
  },
  'records from before the seals are counted, and none can be added to them': async (place) => {
    const old = await place.open()
    await performCall(old, 'zero')
    await old.close()
    const { stores, verify } = await openSealed(place)
    expect(await verify()).toMatchObject({ kind: 'intact', unsealed: 2 })
    await intrude(
      place,
      `insert into audit_records (number, id, ${COPIED}) select 0, 'forged', ${COPIED} from audit_records where id = 'one-2'`,
    )
    expect(await verify()).toMatchObject({ kind: 'broken' })
    await stores.close()
  },
  'without the mark from which on there are seals, or with another one, the audit is broken':
    async (place) => {
      const { stores, verify } = await openSealed(place)
      await intrude(place, 'update audit_seal_start set number = 100, records = 3')
      expect(await verify()).toMatchObject({ kind: 'broken' })
      await intrude(place, 'delete from audit_seal_start')
      expect(await verify()).toMatchObject({ kind: 'broken' })
      await (await place.open({ sealKey })).close()
      expect(await verify()).toMatchObject({ kind: 'broken' })
      await stores.close()
    },
  'sealed records are erased like others': async (place) => {
    const { stores, sequencerOf, verify } = await openSealed(place)
    const request = { tenant: 'acme', principal: 'ben', by: 'root', actor: 'user', id: 'erasure' }
    await stores.erase({ ...request, principal: aCall().principal }, auditKey)
    await sequencerOf(stores).stop()
    expect(await verify()).toMatchObject({ kind: 'intact', erasures: 1, unsealed: 0 })
    await stores.close()
  },
}
