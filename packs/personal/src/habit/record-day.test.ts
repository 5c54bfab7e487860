import { describe, expect, test } from 'vitest'
import { ANN } from '../../testing/personal-world.ts'
import { personOf } from '../person.ts'
import { openTx } from './fixtures/open-tx.ts'
import { readHabit, readRun } from './habit.ts'
import { createHabit } from './habit-create.ts'
import { updateHabit } from './habit-update.ts'
import { recordDay, recountRun } from './record-day.ts'

const person = personOf(ANN)
const now = Date.parse('2026-01-15T08:00:00Z')
const call = { person, caller: ANN, now }
const zone = 'Europe/Berlin'
const INSERT =
  "insert into pm_habit_records (tenant, habit_id, owner, day, recorded_at) values ('home', 'h1', 'ann', ?, 0)"

async function importRecords() {
  const tx = openTx()
  await createHabit.apply(tx, {
    ...call,
    id: 'h1',
    habit: { name: 'Run', category: 'health', frequency: 'daily', difficulty: 'easy' },
  })
  for (const day of ['2026-01-09', '2026-01-10', '2026-01-11', '2026-01-13', '2026-01-14'])
    await tx.run(INSERT, day)
  return tx
}

describe('a habit with imported records', () => {
  test('has the streak of all of them', async () => {
    const tx = await importRecords()
    expect(await readRun(tx.all, person, await readHabit(tx.all, person, 'h1'))).toMatchObject({
      length: 2,
      best: 3,
    })
  })

  test('has it stored once it is recounted', async () => {
    const tx = await importRecords()
    await recountRun(tx, 'home', await readHabit(tx.all, person, 'h1'))
    expect((await readHabit(tx.all, person, 'h1')).run).toMatchObject({
      last: { day: '2026-01-14' },
      length: 2,
      best: 3,
    })
  })

  test('continues with the next record', async () => {
    const tx = await importRecords()
    const { run } = await recordDay(
      tx,
      { person, habit: await readHabit(tx.all, person, 'h1') },
      { day: '2026-01-15', zone, recordedAt: now },
    )
    expect(run).toEqual({ last: { day: '2026-01-15', zone }, length: 3, best: 3 })
    expect((await readHabit(tx.all, person, 'h1')).run).toEqual(run)
  })
})

test('a habit begins no later than its first record', async () => {
  const tx = await importRecords()
  await recordDay(
    tx,
    { person, habit: await readHabit(tx.all, person, 'h1') },
    { day: '2026-01-02', zone, recordedAt: now },
  )
  expect(await readHabit(tx.all, person, 'h1')).toMatchObject({ startedOn: '2026-01-02' })
})

test('a habit that becomes weekly has a streak in weeks', async () => {
  const tx = await importRecords()
  await updateHabit.apply(tx, { ...call, query: 'Run', changes: { frequency: 'weekly' } })
  expect((await readHabit(tx.all, person, 'h1')).run).toMatchObject({ length: 2, best: 2 })
})
