import { existsSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, type TestContext, test } from 'vitest'
import { aLocalRun } from '../fixtures/a-local-run.ts'
import { addNote, endThread, notesOf } from '../fixtures/fixture-steps.ts'
import { openFixture } from '../fixtures/open-fixture.ts'

const note = (id: string) => ({ id, text: 'text' })
const STORAGE = { code: 'TOOL_STORAGE_ERROR' }

test('a call that kills its thread again and again does not close the store to others', async () => {
  const { step, transact } = await openFixture()
  // the first one ends a thread that has done nothing yet
  for (const id of ['a', 'b', 'c'])
    await expect(transact(aLocalRun('poison', { id }))).rejects.toMatchObject({
      ...STORAGE,
      effect: 'none',
    })
  expect(await step(addNote, note('after'))).toEqual({ id: 'after' })
  expect((await step(notesOf, '')).ids).toEqual(['after'])
})

test('after a thread has ended, the end of the next one affects no other call', async () => {
  const { step, transact } = await openFixture()
  await step(addNote, note('before'))
  await expect(step(endThread, undefined)).rejects.toMatchObject(STORAGE)
  const all = await Promise.allSettled([
    step(addNote, note('a')),
    transact(aLocalRun('poison', { id: 'b' })),
    step(addNote, note('c')),
    transact(aLocalRun('add', { id: 'd' })),
  ])
  expect(all.map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
    'fulfilled',
  ])
  expect((await step(notesOf, '')).ids).toEqual(['a', 'before', 'c', 'd'])
})

test('closing while a new thread is on its way leaves none behind', async () => {
  const threads = () =>
    process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length
  const before = threads()
  // while it pauses, and while it starts
  for (const afterMs of [0, 150]) {
    const { step, close } = await openFixture()
    await step(addNote, note('before'))
    await expect(step(endThread, undefined)).rejects.toMatchObject(STORAGE)
    await pause(afterMs)
    await close()
    expect(threads()).toBe(before)
  }
})

test('closing while a new thread starts leaves no call waiting', async () => {
  const { step, close } = await openFixture()
  await step(addNote, note('before'))
  await expect(step(endThread, undefined)).rejects.toMatchObject(STORAGE)
  const asked = step(addNote, note('after'))
  await Promise.all([expect(asked).rejects.toMatchObject(STORAGE), close()])
})

// The following tests wait for the watchdog, which counts seconds: they wait together.

test.concurrent('a function that never lets go loses its thread, and the file is free again', async ({
  onTestFinished,
}) => {
  const { step, transact, file } = await openFixture({ groupCommit: 'on' }, onTestFinished)
  await step(addNote, note('before'))
  const all = await Promise.allSettled([
    transact(aLocalRun('spin', { id: 'spin' }, { timeoutMs: 100 })),
    transact(aLocalRun('add', { id: 'neighbour' })),
    step(addNote, note('step')),
  ])
  expect(all).toMatchObject([
    { reason: { code: 'TOOL_EXECUTION_TIMEOUT' } },
    { reason: { ...STORAGE, effect: 'none' } },
    { reason: STORAGE },
  ])
  const other = await openFixture({ file }, onTestFinished)
  expect(await Promise.all([step(addNote, note('a')), other.step(addNote, note('b'))])).toEqual([
    { id: 'a' },
    { id: 'b' },
  ])
  expect((await step(notesOf, '')).ids).toEqual(['a', 'b', 'before'])
})

/** A store whose thread has been taken by a function that nobody waits for any more. */
async function openSpinning(onFinished: TestContext['onTestFinished']) {
  const fixture = await openFixture({}, onFinished)
  const sign = `${fixture.file}.spins`
  // the writer is up by then: what is given up before it has begun never begins
  await fixture.step(addNote, note('up'))
  const late = aLocalRun('spinLate', { id: 'a', forMs: 2_500, sign }, { timeoutMs: 1_500 })
  await expect(fixture.transact(late)).rejects.toMatchObject({ code: 'TOOL_EXECUTION_TIMEOUT' })
  await expect.poll(() => existsSync(sign)).toBe(true)
  return fixture
}

test.concurrent('one that comes back late and never lets go holds up neither the next group nor the end', async ({
  onTestFinished,
}) => {
  const [next, last] = await Promise.all([
    openSpinning(onTestFinished),
    openSpinning(onTestFinished),
  ])
  const closing = last.close()
  await expect(next.step(addNote, note('b'))).rejects.toMatchObject(STORAGE)
  expect(await next.step(addNote, note('c'))).toEqual({ id: 'c' })
  await closing
})

test.concurrent('closing ends a function that never lets go', async ({ onTestFinished }) => {
  const { transact, close } = await openFixture({}, onTestFinished)
  const spun = Promise.allSettled([transact(aLocalRun('spin', { id: 'spin' }, { timeoutMs: 100 }))])
  await pause(50)
  await close()
  expect(await spun).toMatchObject([{ reason: { code: 'TOOL_EXECUTION_TIMEOUT' } }])
})
