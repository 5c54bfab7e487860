import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { knownMigrations } from '../migrate.ts'
import { migrateFile } from './database.ts'
import { startChild } from './fixtures/child.ts'
import { FIXTURE_PACK, NOTES } from './fixtures/fixture-pack.ts'
import { notesOf } from './fixtures/fixture-steps.ts'
import { aFile, openFixture } from './fixtures/open-fixture.ts'

function listApplied(file: string): readonly string[] {
  const database = new DatabaseSync(file)
  const rows = database.prepare('select owner, name from surehand_migrations order by rowid').all()
  database.close()
  return rows.map(({ owner, name }) => `${owner} ${name}`)
}

const ALL = knownMigrations([FIXTURE_PACK], 'sqlite').map(({ owner, name }) => `${owner} ${name}`)

test('a file is made with its folder, its tables and a log that others may read beside the writer', async () => {
  const file = await aFile()
  ;(await migrateFile({ file, packs: [FIXTURE_PACK] })).close()
  expect(listApplied(file)).toEqual(ALL)
  expect(new DatabaseSync(file).prepare('pragma journal_mode').get()).toMatchObject({
    journal_mode: 'wal',
  })
})

test('processes that open one new file at once apply each migration once', async () => {
  const file = await aFile()
  const children = Array.from({ length: 4 }, () => startChild(file, ['open']))
  expect(await Promise.all(children.map(({ ended }) => ended))).toEqual([0, 0, 0, 0])
  expect(listApplied(file)).toEqual(ALL)
})

test('a file that another process locks is waited for', async () => {
  const file = await aFile()
  await mkdir(dirname(file))
  const holder = new DatabaseSync(file)
  holder.exec('begin exclusive')
  const migrated = migrateFile({ file, packs: [FIXTURE_PACK] })
  await pause(50)
  holder.exec('commit')
  ;(await migrated).close()
  holder.close()
  expect(listApplied(file)).toEqual(ALL)
})

test('what is added later is applied to what is there', async () => {
  const file = await aFile()
  ;(await migrateFile({ file, packs: [FIXTURE_PACK] })).close()
  const later = {
    name: '0002-more',
    statements: ["insert into notes (id, text) values ('later', '{now}')"],
  }
  const data = { migrations: [NOTES, later], transactions: FIXTURE_PACK.data?.transactions ?? '' }
  const database = await openFixture({ file, packs: [{ name: 'fixture', data }] })
  expect((await database.step(notesOf, '')).ids).toEqual(['later'])
})

test('a file that a newer version wrote is not opened', async () => {
  const file = await aFile()
  ;(await migrateFile({ file, packs: [FIXTURE_PACK] })).close()
  const older = {
    name: 'fixture',
    data: { migrations: [{ name: '0000-first', statements: [] }], transactions: '' },
  }
  await expect(migrateFile({ file, packs: [older] })).rejects.toMatchObject({
    code: 'TOOL_CONFIGURATION_ERROR',
    message: expect.stringContaining('newer version'),
  })
})

test('a file opens without the packs that have tables in it', async () => {
  const file = await aFile()
  ;(await migrateFile({ file, packs: [FIXTURE_PACK] })).close()
  const reading = await migrateFile({ file })
  expect(reading.database.isOpen).toBe(true)
  reading.close()
})

test('a migration that breaks leaves nothing of itself', async () => {
  const file = await aFile()
  const broken = {
    name: '0002-broken',
    statements: ['create table half (id text)', 'create table half (id text)'],
  }
  const packs = [{ name: 'fixture', data: { migrations: [NOTES, broken], transactions: '' } }]
  await expect(migrateFile({ file, packs })).rejects.toThrow('half')
  ;(await migrateFile({ file, packs: [FIXTURE_PACK] })).close()
  expect(listApplied(file)).toEqual(ALL)
})

test('memory is no file', async () => {
  await expect(migrateFile({ file: ':memory:' })).rejects.toMatchObject({
    code: 'TOOL_CONFIGURATION_ERROR',
  })
})
