import { copyFileSync, existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { migrateFile } from './database.ts'
import { addNote, notesOf } from './fixtures/fixture-steps.ts'
import { openFixture } from './fixtures/open-fixture.ts'

/** A store's file with a rollback journal, as a dump or `VACUUM INTO` leaves it. */
async function aFile(): Promise<string> {
  const { file, step, close } = await openFixture()
  await step(addNote, { id: 'before', text: 'text' })
  await close()
  const database = new DatabaseSync(file)
  database.exec('PRAGMA journal_mode = DELETE')
  database.close()
  return file
}

test('a file with another journal mode is switched back to WAL', async () => {
  const file = await aFile()
  ;(await migrateFile({ file })).close()
  const database = new DatabaseSync(file, { readOnly: true })
  expect(database.prepare('pragma journal_mode').get()).toMatchObject({ journal_mode: 'wal' })
  database.close()
})

test('the unfinished write of a process that died is rolled back, and the store opens', async () => {
  const file = await aFile()
  const dying = new DatabaseSync(file)
  dying.exec('PRAGMA cache_size = 1; BEGIN IMMEDIATE; CREATE TABLE half (text text)')
  const insert = dying.prepare('insert into half values (?)')
  for (let count = 0; count < 200; count++) insert.run('x'.repeat(4_000))
  // as the disk looks when its process is killed now
  const dead = `${file}.dead`
  copyFileSync(file, dead)
  copyFileSync(`${file}-journal`, `${dead}-journal`)
  dying.close()
  expect(existsSync(`${dead}-journal`)).toBe(true)
  const { step, close } = await openFixture({ file: dead })
  expect((await step(notesOf, '')).ids).toEqual(['before'])
  await close()
})
