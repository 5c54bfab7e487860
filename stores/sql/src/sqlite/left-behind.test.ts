import { copyFileSync, existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { addNote, notesOf } from './fixtures/fixture-steps.ts'
import { openFixture } from './fixtures/open-fixture.ts'
import { migrateFile } from './migrate-file.ts'

/** A house's file in the old way of journals, as a dump or `VACUUM INTO` leaves it. */
async function aFile(): Promise<string> {
  const { file, step, close } = await openFixture()
  await step(addNote, { id: 'before', text: 'text' })
  await close()
  const database = new DatabaseSync(file)
  database.exec('PRAGMA journal_mode = DELETE')
  database.close()
  return file
}

test('a file that went another way of journals is brought back to ours', async () => {
  const file = await aFile()
  ;(await migrateFile({ file })).close()
  const database = new DatabaseSync(file, { readOnly: true })
  expect(database.prepare('pragma journal_mode').get()).toMatchObject({ journal_mode: 'wal' })
  database.close()
})

test('what somebody who died has begun to write is taken back, and the house opens', async () => {
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
