import { expect, test } from 'vitest'
import { aLocalRun } from '../fixtures/a-local-run.ts'
import { addNote, notesOf } from '../fixtures/fixture-steps.ts'
import { openFixture } from '../fixtures/open-fixture.ts'

const note = (id: string) => ({ id, text: 'text' })
const TIMED_OUT = { status: 'rejected', reason: { code: 'TOOL_EXECUTION_TIMEOUT', effect: 'none' } }

// asked for at once, twenty are two groups of ten: one is at work, the other lies ready
const HALF = 10
const ids = (name: string) => Array.from({ length: HALF }, (_, index) => `${name}${index}`)

test('what lies ready behind a group that ends its thread is done by the next thread', async () => {
  const { step, transact } = await openFixture({ groupCommit: 'on' })
  await step(addNote, note('before'))
  const [killed, spared] = await Promise.all([
    Promise.allSettled(
      ids('a').map((id, index) => transact(aLocalRun(index === 3 ? 'poison' : 'add', { id }))),
    ),
    Promise.allSettled(
      ids('b').map((id, index) =>
        index % 2 === 0 ? transact(aLocalRun('add', { id })) : step(addNote, note(id)),
      ),
    ),
  ])
  for (const one of killed)
    expect(one).toMatchObject({
      status: 'rejected',
      reason: { code: 'TOOL_STORAGE_ERROR', effect: 'none' },
    })
  expect(spared.map(({ status }) => status)).toEqual(spared.map(() => 'fulfilled'))
  expect((await step(notesOf, '')).ids).toEqual([...ids('b'), 'before'])
})

test('what lies ready behind a function that waits is given up at its own time, and never begun', async () => {
  const { step, transact } = await openFixture()
  const [slow, behind] = await Promise.all([
    Promise.allSettled(
      ids('a').map((id, index) =>
        transact(aLocalRun(index === 0 ? 'dawdle' : 'add', { id, forMs: 400 })),
      ),
    ),
    Promise.allSettled(
      ids('b').map((id, index) =>
        transact(aLocalRun('add', { id }, { timeoutMs: index < 5 ? 100 : 60_000 })),
      ),
    ),
  ])
  expect(slow.map(({ status }) => status)).toEqual(slow.map(() => 'fulfilled'))
  expect(behind.slice(0, 5)).toMatchObject(Array.from({ length: 5 }, () => TIMED_OUT))
  expect(behind.slice(5).map(({ status }) => status)).toEqual(
    Array.from({ length: 5 }, () => 'fulfilled'),
  )
  expect((await step(notesOf, '')).ids).toEqual(
    [...ids('a'), 'a0-late', ...ids('b').slice(5)].toSorted(),
  )
})

test('closing finishes both groups', async () => {
  const { step, close, file } = await openFixture()
  const asked = Promise.all([...ids('a'), ...ids('b')].map((id) => step(addNote, note(id))))
  await close()
  await asked
  expect((await (await openFixture({ file })).step(notesOf, '')).count).toBe(2 * HALF)
})
