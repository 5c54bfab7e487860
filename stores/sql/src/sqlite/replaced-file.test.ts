import { copyFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test, vi } from 'vitest'
import { aLocalRun } from './fixtures/a-local-run.ts'
import { addNote, endThread, notesOf } from './fixtures/fixture-steps.ts'
import { openFixture } from './fixtures/open-fixture.ts'

const note = (id: string) => ({ id, text: 'text' })
const refused = {
  code: 'TOOL_STORAGE_ERROR',
  message: expect.stringContaining('deleted, replaced or overwritten'),
  details: { source_code: 'database_replaced' },
}

const accidents = {
  deleted: (file: string) => rmSync(file),
  replaced: (file: string) => {
    copyFileSync(file, `${file}.copy`)
    renameSync(`${file}.copy`, file)
  },
  'moved away': (file: string) => renameSync(file, `${file}.old`),
  'robbed of its write-ahead log': (file: string) => rmSync(`${file}-wal`),
}

describe.each(Object.entries(accidents))('a file that is %s under a running node', (_how, harm) => {
  test('is noticed before a write is acknowledged, and every write after it is refused', async () => {
    const { step, transact, file } = await openFixture()
    await step(addNote, note('before'))
    harm(file)
    await expect(step(addNote, note('lost'))).rejects.toMatchObject(refused)
    await expect(transact(aLocalRun('add', { id: 'late' }))).rejects.toMatchObject({
      ...refused,
      effect: 'none',
    })
  })
})

test('reads of a file that is gone are refused as well, so that the node is not ready', async () => {
  const { step, file } = await openFixture()
  await step(addNote, note('before'))
  rmSync(file)
  await vi.waitFor(() => expect(step(notesOf, '')).rejects.toMatchObject(refused), 30_000)
})

test('a write into a replaced file is in doubt, because it was committed somewhere', async () => {
  const { transact, file } = await openFixture()
  await transact(aLocalRun('add', { id: 'before' }))
  accidents.replaced(file)
  const lost = transact(aLocalRun('add', { id: 'lost' }))
  await expect(lost).rejects.toMatchObject({ ...refused, effect: undefined })
})

test('a writer that takes the place of another does not write into another file', async () => {
  const { step, file } = await openFixture({ writer: 'thread', groupCommit: 'on' })
  await step(addNote, note('before'))
  await step(endThread, undefined).catch(() => undefined)
  accidents.replaced(file)
  await expect(step(addNote, note('lost'))).rejects.toMatchObject(refused)
})

test('a file that is only copied, or checkpointed by another process, is the same', async () => {
  const { step, file } = await openFixture()
  await step(addNote, note('a'))
  copyFileSync(file, `${file}.copy`)
  const other = await openFixture({ file })
  await other.step(addNote, note('b'))
  await other.close()
  await step(addNote, note('c'))
  expect((await step(notesOf, '')).ids).toEqual(['a', 'b', 'c'])
})

test('a file that is overwritten in place by an older copy, or by anything else, is noticed', async () => {
  for (const overwrite of [
    copyFileSync,
    (_copy: string, file: string) => writeFileSync(file, 'x'),
  ]) {
    const { step, file } = await openFixture()
    await step(addNote, note('before'))
    checkpoint(file)
    copyFileSync(file, `${file}.copy`)
    raiseGeneration(file)
    await step(addNote, note('between'))
    overwrite(`${file}.copy`, file)
    // On some file systems two writes within four milliseconds have the same time.
    utimesSync(file, 1_000_000, 1_000_000)
    await expect(step(addNote, note('lost'))).rejects.toMatchObject(refused)
  }
})

test('the generation of a file grows with its writes', async () => {
  const { step, file } = await openFixture()
  await step(addNote, note('a'))
  expect(checkpoint(file)).toBeGreaterThan(0)
})

/** Writes the log into the file, as SQLite does from time to time; returns the generation. */
function checkpoint(file: string): number {
  const database = new DatabaseSync(file)
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  const generation = Number(database.prepare('PRAGMA user_version').get()?.user_version)
  database.close()
  return generation
}

/** What a write of another process does a second later, with the checkpoint after it. */
function raiseGeneration(file: string): void {
  const database = new DatabaseSync(file)
  const generation = Number(database.prepare('PRAGMA user_version').get()?.user_version)
  database.exec(`PRAGMA user_version = ${generation + 1}`)
  database.close()
  checkpoint(file)
}
