import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { aLocalRun } from '../fixtures/a-local-run.ts'
import { addHalf, addNote, answerOddly, notesOf } from '../fixtures/fixture-steps.ts'
import { openFixture } from '../fixtures/open-fixture.ts'

const openHere = (file?: string) =>
  openFixture({ writer: 'calling-thread', ...(file === undefined ? {} : { file }) })
const note = (id: string) => ({ id, text: 'text' })

test('without a thread, one that breaks takes none of its neighbours with it', async () => {
  const { step, transact } = await openHere()
  const all = await Promise.allSettled([
    step(addNote, note('a')),
    step(addHalf, note('b')),
    transact(aLocalRun('add', { id: 'c' })),
    transact(aLocalRun('refuse', { id: 'd' })),
    // nobody waits for the statement it breaks on, and the process goes on
    transact(aLocalRun('carryOn', { id: 'e' })),
  ])
  expect(all.map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
    'rejected',
    'rejected',
  ])
  await expect(step(answerOddly, undefined)).rejects.toMatchObject({ code: 'TOOL_STORAGE_ERROR' })
  expect(await step(addNote, note('z'))).toEqual({ id: 'z' })
  expect((await step(notesOf, '')).ids).toEqual(['a', 'c', 'z'])
})

test('without a thread, what waits for something else is given up at its time', async () => {
  const { step, transact } = await openHere()
  const slow = transact(aLocalRun('dawdle', { id: 'slow', forMs: 3_600_000 }, { timeoutMs: 50 }))
  await expect(slow).rejects.toMatchObject({ code: 'TOOL_EXECUTION_TIMEOUT', effect: 'none' })
  await step(addNote, note('after'))
  expect((await step(notesOf, '')).ids).toEqual(['after'])
})

test('without a thread, a deadline holds while another process locks the file', async () => {
  const { step, transact, file } = await openHere()
  await step(addNote, note('before'))
  const holder = new DatabaseSync(file)
  holder.exec('BEGIN IMMEDIATE')
  const late = transact(aLocalRun('add', { id: 'late' }, { timeoutMs: 100 }))
  await expect(late).rejects.toMatchObject({ code: 'TOOL_EXECUTION_TIMEOUT', effect: 'none' })
  holder.exec('ROLLBACK')
  holder.close()
  await step(addNote, note('after'))
  expect((await step(notesOf, '')).ids).toEqual(['after', 'before'])
})

test('without a thread, two writers on one file take turns', async () => {
  const first = await openHere()
  const second = await openFixture({ file: first.file })
  await Promise.all(
    [first, second].flatMap(({ step }, writer) =>
      Array.from({ length: 50 }, (_, index) => step(addNote, note(`${writer}-${index}`))),
    ),
  )
  expect((await first.step(notesOf, '')).count).toBe(100)
})

test('without a thread, closing finishes what was asked for', async () => {
  const { step, close, file } = await openHere()
  const asked = Promise.all(
    Array.from({ length: 300 }, (_, index) => step(addNote, note(`n${index}`))),
  )
  await close()
  await asked
  expect((await (await openHere(file)).step(notesOf, '')).count).toBe(300)
})

test('without a thread, any number of writes listens for rejections once', async () => {
  const { step } = await openFixture({ writer: 'calling-thread', groupCommit: 'off' })
  const before = process.listenerCount('unhandledRejection')
  const listeners = await Promise.all(
    Array.from({ length: 30 }, async (_, index) => {
      await step(addNote, note(`n${index}`))
      return process.listenerCount('unhandledRejection') - before
    }),
  )
  expect(Math.max(...listeners)).toBe(1)
  await new Promise((resolve) => setImmediate(resolve))
  expect(process.listenerCount('unhandledRejection')).toBe(before)
})
