import { expect, test } from 'vitest'
import { defineStep } from '../../step.ts'
import {
  addBothHalves,
  addHalf,
  addLazily,
  addNote,
  answerOddly,
  endThread,
  leavePages,
  notesOf,
} from '../fixtures/fixture-steps.ts'
import { openFixture } from '../fixtures/open-fixture.ts'

const note = (id: string) => ({ id, text: 'text' })
const BIG = 'x'.repeat(50_000)

test('a step that breaks takes none of its neighbours with it, and nothing of it stays', async () => {
  const { step } = await openFixture()
  const all = await Promise.allSettled([
    step(addNote, note('a')),
    step(addHalf, note('b')),
    step(addNote, note('c')),
    step(addBothHalves, note('d')),
    step(addLazily, note('e')),
  ])
  expect(all.map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
    'rejected',
    'fulfilled',
  ])
  expect(all[1]).toMatchObject({
    reason: {
      code: 'TOOL_STORAGE_ERROR',
      cause: { message: expect.stringContaining('no_such_table') },
    },
  })
  expect(await step(notesOf, '')).toEqual({ ids: ['a', 'c', 'e'], count: 2 })
})

test('what was acknowledged is seen by the next read', async () => {
  const { step } = await openFixture()
  for (let index = 0; index < 100; index++) {
    await step(addNote, note(`n${index}`))
    expect((await step(notesOf, '')).count).toBe(index + 1)
  }
})

test('more than one group has room for are all done', async () => {
  const { step } = await openFixture()
  await Promise.all(Array.from({ length: 1_000 }, (_, index) => step(addNote, note(`n${index}`))))
  expect((await step(notesOf, '')).count).toBe(1_000)
})

test('arguments that cannot cross into another thread are refused alone', async () => {
  const { step } = await openFixture()
  const odd = { ...note('odd'), extra: () => undefined }
  const all = await Promise.allSettled([
    step(addNote, note('a')),
    step(addNote, odd),
    step(addNote, note('b')),
  ])
  expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect((await step(notesOf, '')).ids).toEqual(['a', 'b'])
})

test('an answer that cannot cross is an error, and the next step is served', async () => {
  const { step } = await openFixture()
  await expect(step(answerOddly, undefined)).rejects.toMatchObject({ code: 'TOOL_STORAGE_ERROR' })
  expect(await step(addNote, note('a'))).toEqual({ id: 'a' })
})

test('a step the writer does not know is an error of its own', async () => {
  const { step } = await openFixture()
  const unknown = defineStep(
    'fixture.unknown',
    { mode: 'durable', statements: 'one' },
    async () => undefined,
  )
  const all = await Promise.allSettled([step(unknown, undefined), step(addNote, note('a'))])
  expect(all.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
})

test('a full file refuses with TOOL_STORAGE_ERROR, keeps what was acknowledged, and takes more when there is room again', async () => {
  const { step } = await openFixture()
  await step(addNote, note('before'))
  await step(leavePages, 3)
  const all = await Promise.allSettled(
    Array.from({ length: 10 }, (_, index) => step(addNote, { id: `big${index}`, text: BIG })),
  )
  const refused = all.filter((one) => one.status === 'rejected')
  expect(refused.length).toBeGreaterThan(0)
  for (const { reason } of refused) expect(reason).toMatchObject({ code: 'TOOL_STORAGE_ERROR' })
  const result = all.flatMap((one) => (one.status === 'fulfilled' ? [one.value.id] : []))
  expect((await step(notesOf, '')).ids).toEqual(['before', ...result])
  await step(leavePages, 1_000)
  expect(await step(addNote, { id: 'after', text: BIG })).toEqual({ id: 'after' })
})

test('a writer that ends fails what it was at, and another takes its place', async () => {
  const { step } = await openFixture({ groupCommit: 'on' })
  await step(addNote, note('before'))
  const all = await Promise.allSettled([step(addNote, note('lost')), step(endThread, undefined)])
  for (const one of all)
    expect(one).toMatchObject({ status: 'rejected', reason: { code: 'TOOL_STORAGE_ERROR' } })
  expect(await step(addNote, note('after'))).toEqual({ id: 'after' })
  expect((await step(notesOf, '')).ids).toEqual(['after', 'before'])
})

test('closing finishes accepted calls, and refuses later ones', async () => {
  const { step, close, file } = await openFixture()
  const asked = Promise.all(
    Array.from({ length: 300 }, (_, index) => step(addNote, note(`n${index}`))),
  )
  await close()
  expect(await asked).toHaveLength(300)
  await expect(step(addNote, note('late'))).rejects.toMatchObject({ code: 'TOOL_STORAGE_ERROR' })
  const again = await openFixture({ file })
  expect((await again.step(notesOf, '')).count).toBe(300)
})
