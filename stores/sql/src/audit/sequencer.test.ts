import { describe, expect, test } from 'vitest'
import { appendRecords } from './append-records.ts'
import { createAuditKey, publicKeyOf } from './audit-key.ts'
import { sampleRecord } from './fixtures/sample-record.ts'
import { type OpenDatabase, openInMemory } from './fixtures/sqlite-database.ts'
import { keepHead, pendingTenants, sequenceStep } from './sequence.ts'
import { auditSequencer, type SequencerOptions } from './sequencer.ts'
import { type SignedHead, signHead } from './signed-head.ts'
import { verifyStored } from './verify-stored.ts'
import { recordBatch } from './fixtures/record-batch.ts'

const key = createAuditKey()
const publicKeys = [publicKeyOf(key)]

function node(database: OpenDatabase, more: Partial<SequencerOptions> = {}) {
  const heads: SignedHead[] = []
  const troubles: unknown[] = []
  const anchor = async (head: SignedHead) => void heads.push(head)
  return {
    heads,
    troubles,
    ...auditSequencer(database, {
      key,
      anchors: [anchor],
      onTrouble: (error) => troubles.push(error),
      ...more,
    }),
  }
}

const write = (database: OpenDatabase, numbers: Iterable<number>, tenant = 'acme') =>
  database.step(
    appendRecords,
    recordBatch(Array.from(numbers, (number) => sampleRecord(number, { tenant }))),
  )
const range = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => from + index)
const places = ({ raw }: OpenDatabase, tenant = 'acme') =>
  raw
    .prepare('select id, position from audit_records where tenant = ? order by position')
    .all(tenant)
    .map(({ id, position }) => [id, position])

describe('a sequencer', () => {
  test('gives every record of every tenant its place, in batches, with a head after each', async () => {
    const database = openInMemory()
    await write(database, range(0, 25))
    await write(database, range(100, 103), 'globex')
    const { pass, heads } = node(database, { batchSize: 10 })
    expect(await pass()).toBe(28)
    expect(places(database)).toEqual(
      range(0, 25).map((number) => [sampleRecord(number).id, number]),
    )
    expect(heads.map(({ tenant, size }) => [tenant, size])).toEqual([
      ['acme', 10],
      ['acme', 20],
      ['acme', 25],
      ['globex', 3],
    ])
    expect(await verifyStored(database, 'acme', { publicKeys, anchors: heads })).toMatchObject({
      kind: 'intact',
      size: 25,
      anchoredSize: 25,
      signedSize: 25,
    })
    expect(await pass()).toBe(0)
    expect(heads).toHaveLength(4)
  })

  test('stops with every record in the tree, also after a node that was killed', async () => {
    const database = openInMemory()
    await write(database, range(0, 3))
    const killed = { tenant: 'acme', holder: 'killed', leaseMs: 300, limit: 1 }
    await database.step(sequenceStep, killed)
    const { stop, heads } = node(database, { everyMs: 20, leaseMs: 1_000 })
    expect(await stop()).toBe(0)
    expect(heads.map(({ size }) => size)).toEqual([3])
  })

  test('says when it stops how many records another node has not placed', async () => {
    const database = openInMemory()
    await write(database, range(0, 3))
    const living = { tenant: 'acme', holder: 'living', leaseMs: 60_000, limit: 1 }
    await database.step(sequenceStep, living)
    expect(await node(database, { everyMs: 10, leaseMs: 50 }).stop()).toBe(2)
  })

  test('is not replaced by a verification, which counts what waits and signs nothing', async () => {
    const database = openInMemory()
    await write(database, range(0, 3))
    const { pass, heads } = node(database)
    await pass()
    await write(database, range(3, 5))
    const readStored = () => [
      places(database),
      database.raw.prepare('select * from audit_heads').all(),
    ]
    const before = readStored()
    expect(await verifyStored(database, 'acme', { publicKeys, anchors: heads })).toMatchObject({
      kind: 'intact',
      size: 3,
      unsequenced: 2,
    })
    expect(readStored()).toEqual(before)
  })

  test('finds what was committed late under a lower number', async () => {
    const database = openInMemory()
    await write(database, range(0, 3))
    database.raw.exec('update audit_records set number = number + 100')
    const { pass, heads } = node(database)
    await pass()
    await write(database, [3])
    database.raw.exec('update audit_records set number = 1 where position is null')
    expect(await pass()).toBe(1)
    expect(places(database).at(-1)).toEqual([sampleRecord(3).id, 3])
    expect(await verifyStored(database, 'acme', { publicKeys, anchors: heads })).toMatchObject({
      kind: 'intact',
      size: 4,
    })
  })

  test('finds the tenants that wait without reading the records that do not', async () => {
    const database = openInMemory()
    await write(database, range(0, 5))
    await node(database).pass()
    await write(database, range(5, 8), 'globex')
    expect(await database.step(pendingTenants, undefined)).toEqual(['globex'])
    const plan = database.raw
      .prepare('explain query plan select min(tenant) from audit_records where position is null')
      .all()
    expect(JSON.stringify(plan)).toContain('audit_unsequenced')
  })

  test('reports a tenant that is in trouble and drives the others on', async () => {
    const database = openInMemory()
    await write(database, range(0, 2))
    await write(database, range(2, 4), 'globex')
    await write(database, range(4, 5))
    const anchors = [
      async ({ tenant }: SignedHead) => {
        if (tenant === 'acme') throw new Error('no room')
      },
    ]
    const { pass, troubles } = node(database, { anchors })
    await pass()
    expect(troubles).toEqual([new Error('no room')])
    expect(places(database, 'globex').map(([, position]) => position)).toEqual([0, 1])
  })

  test('anchors later what could not be anchored, and signs what was left unsigned', async () => {
    const database = openInMemory()
    await write(database, range(0, 2))
    await node(database, {
      anchors: [
        async () => {
          throw new Error('away')
        },
      ],
      leaseMs: 1,
    }).pass()
    await write(database, range(2, 4), 'globex')
    await database.step(sequenceStep, {
      tenant: 'globex',
      holder: 'who died at once',
      leaseMs: 1,
      limit: 10,
    })
    database.advance(10)
    const { pass, heads } = node(database)
    expect(await pass()).toBe(0)
    expect(heads.map(({ tenant, size }) => [tenant, size])).toEqual([
      ['acme', 2],
      ['globex', 2],
    ])
    expect(database.raw.prepare('select count(*) as heads from audit_heads').get()).toEqual({
      heads: 2,
    })
  })
})

describe('of several sequencers', () => {
  test('one holds a tenant, and another takes over when it is dead', async () => {
    const database = openInMemory()
    const [first, second] = [node(database, { leaseMs: 5_000 }), node(database)]
    await write(database, range(0, 2))
    await first.pass()
    await write(database, range(2, 4))
    expect(await second.pass()).toBe(0)
    database.advance(5_001)
    expect(await second.pass()).toBe(2)
    expect(second.heads.map(({ size }) => size)).toEqual([4])
  })

  test('one that stops leaves nothing unsigned and lets the next take over at once', async () => {
    const database = openInMemory()
    const [first, second] = [node(database), node(database)]
    await write(database, range(0, 2))
    await first.stop()
    expect(first.heads.map(({ size }) => size)).toEqual([2])
    await write(database, range(2, 4))
    expect(await second.pass()).toBe(2)
  })

  test('one that stops with its database gone says so, and comes to its end', async () => {
    const gone = { step: () => Promise.reject(new Error('gone')) }
    const troubles: unknown[] = []
    const { stop } = auditSequencer(gone, {
      key,
      anchors: [],
      onTrouble: (error) => troubles.push(error),
    })
    await stop()
    expect(troubles).toEqual([new Error('gone'), new Error('gone')])
  })

  test('a sequencer that has lost its lease changes nothing', async () => {
    const database = openInMemory()
    await write(database, range(0, 2))
    const taken = await database.step(sequenceStep, {
      tenant: 'acme',
      holder: 'previous-holder',
      leaseMs: 1_000,
      limit: 10,
    })
    if (taken.kind === 'held') throw new Error('nobody else is here')
    database.advance(1_001)
    await write(database, range(2, 4))
    const alive = node(database)
    await alive.pass()
    const dump = () =>
      ['audit_records', 'audit_trees', 'audit_heads'].map((table) =>
        database.raw.prepare(`select * from ${table}`).all(),
      )
    const before = dump()
    const head = signHead(
      { tenant: 'acme', size: 1_000, root: taken.root, signed_at: taken.at },
      key,
    )
    expect(
      await database.step(keepHead, { head, holder: 'previous-holder', fence: taken.fence }),
    ).toBe(false)
    await write(database, range(4, 6), 'acme')
    expect(
      await database.step(sequenceStep, {
        tenant: 'acme',
        holder: 'previous-holder',
        leaseMs: 1_000,
        limit: 10,
      }),
    ).toEqual({ kind: 'held' })
    database.raw.exec('delete from audit_records where position is null')
    expect(dump()).toEqual(before)
  })

  test('no place is given twice and none is left out, however they take turns', async () => {
    const database = openInMemory()
    const heads: SignedHead[] = []
    const nodes = range(0, 4).map(() =>
      node(database, {
        leaseMs: 50,
        batchSize: 7,
        anchors: [async (head) => void heads.push(head)],
      }),
    )
    for (let round = 0; round < 40; round++) {
      await write(database, range(round * 10, round * 10 + (round % 11)))
      await Promise.all(nodes.map(({ pass }) => pass()))
      database.advance(round % 3 === 0 ? 60 : 10)
    }
    database.advance(60)
    await nodes[0]?.pass()
    const given = places(database).map(([, position]) => position)
    expect(given).toEqual(range(0, given.length))
    expect(given.length).toBeGreaterThan(150)
    expect(await verifyStored(database, 'acme', { publicKeys, anchors: heads })).toMatchObject({
      kind: 'intact',
      anchoredSize: given.length,
    })
  })

  test('a batch whose commit was not heard of is not given places again', async () => {
    const database = openInMemory()
    await write(database, range(0, 5))
    database.failNext('after')
    await expect(
      database.step(sequenceStep, { tenant: 'acme', holder: 'one', leaseMs: 1, limit: 10 }),
    ).rejects.toThrow('The line broke.')
    database.advance(10)
    const { pass, heads } = node(database)
    await pass()
    expect(places(database).map(([, position]) => position)).toEqual(range(0, 5))
    expect(await verifyStored(database, 'acme', { publicKeys, anchors: heads })).toMatchObject({
      kind: 'intact',
      size: 5,
    })
  })
})
