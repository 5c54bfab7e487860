import { setTimeout as pause } from 'node:timers/promises'
import { isToolError } from '@surehand/core'
import { expect, test } from 'vitest'
import type { Database } from '../../database.ts'
import { aLocalRun } from '../fixtures/a-local-run.ts'
import { addNote, notesOf } from '../fixtures/fixture-steps.ts'
import { openFixture } from '../fixtures/open-fixture.ts'

/** `done`, or the code it was refused with. */
async function resultOf(result: Promise<{ readonly kind: string }>): Promise<string> {
  return result.then(
    ({ kind }) => kind,
    (thrown: unknown) => (isToolError(thrown) ? thrown.code : String(thrown)),
  )
}

async function storedIds({ step }: Database): Promise<readonly string[]> {
  return (await step(notesOf, '')).ids
}

test('what is told as timed out is not there, and what is told as done is', async () => {
  const database = await openFixture()
  const result = new Map<string, string>()
  for (let wave = 0; wave < 40; wave++) {
    const runs = Array.from({ length: 50 }, async (_, index) => {
      const id = `${wave}-${index}`
      // in the middle of what a group takes, so that many end at the moment of the commit
      const timeoutMs = index % 10 === 0 ? 60_000 : 1 + ((wave + index) % 25)
      result.set(
        id,
        await resultOf(
          database.transact(
            aLocalRun(index % 3 === 0 ? 'toil' : 'add', { id, forMs: 0.4 }, { timeoutMs }),
          ),
        ),
      )
    })
    await Promise.all(runs)
  }
  const kinds = new Set(result.values())
  expect([...kinds].toSorted()).toEqual(['TOOL_EXECUTION_TIMEOUT', 'done'])
  // whatever was still under way has ended with this
  await database.step(addNote, { id: 'zzz', text: '' })
  const stored = new Set(await storedIds(database))
  const wrong = [...result].filter(([id, kind]) => stored.has(id) !== (kind === 'done'))
  expect(wrong).toEqual([])
})

test('one that waits for something else holds its neighbours only until its own time is over', async () => {
  const database = await openFixture()
  const all = await Promise.all([
    resultOf(database.transact(aLocalRun('add', { id: 'before' }))),
    resultOf(
      database.transact(aLocalRun('dawdle', { id: 'slow', forMs: 3_600_000 }, { timeoutMs: 50 })),
    ),
    resultOf(database.transact(aLocalRun('add', { id: 'after' }))),
  ])
  expect(all).toEqual(['done', 'TOOL_EXECUTION_TIMEOUT', 'done'])
  expect(await storedIds(database)).toEqual(['after', 'before'])
})

test("one that comes back after its time does not write into somebody else's transaction", async () => {
  const database = await openFixture()
  const late = resultOf(
    database.transact(aLocalRun('dawdle', { id: 'late', forMs: 150 }, { timeoutMs: 50 })),
  )
  expect(await late).toBe('TOOL_EXECUTION_TIMEOUT')
  // under way while the late one comes back
  const next = resultOf(database.transact(aLocalRun('dawdle', { id: 'next', forMs: 300 })))
  expect(await next).toBe('done')
  await pause(100)
  expect(await storedIds(database)).toEqual(['next', 'next-late'])
})

test('what is given up before its turn is never begun', async () => {
  const database = await openFixture()
  const first = resultOf(database.transact(aLocalRun('toil', { id: 'first', forMs: 300 })))
  await pause(50)
  const second = resultOf(database.transact(aLocalRun('add', { id: 'second' }, { timeoutMs: 20 })))
  expect([await second, await first]).toEqual(['TOOL_EXECUTION_TIMEOUT', 'done'])
  await database.step(addNote, { id: 'third', text: '' })
  expect(await storedIds(database)).toEqual(['first', 'third'])
})

test('its exception is passed on unchanged, and affects no other call', async () => {
  const database = await openFixture()
  const all = await Promise.allSettled([
    database.transact(aLocalRun('add', { id: 'a' })),
    database.transact(aLocalRun('refuse', { id: 'b' })),
    database.transact(aLocalRun('breakDown', { id: 'c' })),
    database.transact(aLocalRun('carryOn', { id: 'd' })),
  ])
  expect(all).toMatchObject([
    { status: 'fulfilled' },
    {
      reason: {
        code: 'TOOL_RESOURCE_NOT_FOUND',
        message: 'Refused.',
        details: { id: 'b' },
        effect: 'refused',
      },
    },
    { reason: { name: 'RangeError', message: 'a bug' } },
    {
      reason: { code: 'TOOL_STORAGE_ERROR', cause: { message: expect.stringContaining('UNIQUE') } },
    },
  ])
  expect(await storedIds(database)).toEqual(['a'])
})

const CONTROL = [
  'commit',
  ' /* x */ ROLLBACK',
  '-- x\nbegin',
  'savepoint x',
  'release item',
  "attach 'x' as y",
  'pragma user_version = 1',
  '; end',
]

test('a function cannot end, leave or divide the transaction it stands in', async () => {
  const database = await openFixture()
  for (const [index, text] of CONTROL.entries()) {
    const all = [
      aLocalRun('add', { id: `${index}` }),
      aLocalRun('control', { id: `${index}-control`, text }),
    ]
    expect(await Promise.all(all.map((run) => resultOf(database.transact(run)))), text).toEqual([
      'done',
      'TOOL_CONFIGURATION_ERROR',
    ])
  }
  expect(await storedIds(database)).toEqual([...CONTROL.keys()].map(String))
})

test('a transaction that no module exports is named, with what to do', async () => {
  const { transact } = await openFixture()
  await expect(transact(aLocalRun('nobody', { id: 'a' }))).rejects.toMatchObject({
    code: 'TOOL_CONFIGURATION_ERROR',
    message: expect.stringMatching(
      /fixture\.nobody.*export it from the pack's transactions module/,
    ),
  })
})
