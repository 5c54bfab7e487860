import type { Caller } from '@surehand/core'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ANN, BOB, openPersonalWorld, type PersonalWorld } from '../../testing/personal-world.ts'
import { consented } from './fixtures/consented.ts'
import { exportOf, ROWS, type Rows } from './fixtures/rows.ts'
import { ALL_TABLES } from './owned-tables.ts'

let world: PersonalWorld
beforeAll(async () => {
  world = await openPersonalWorld()
})
afterAll(() => world.close())

let turn = 0
// Each test has its own tenant: neither limits nor leftovers of another test affect it.
const person = (name = 'ann'): Caller => ({
  ...(name === 'bob' ? BOB : ANN),
  tenant: `home${turn}`,
  principal: name,
})

async function bringIn(data: Rows, caller: Caller): Promise<Record<string, unknown>> {
  const answer = await consented(world, {
    tool: 'data.import',
    input: { format: 'json', content: exportOf(data), dry_run: false },
    caller,
  })
  if (answer.status !== 'success') throw new Error(answer.error?.message)
  return answer.data as Record<string, unknown>
}

async function pages(caller: Caller, limit: number): Promise<readonly string[]> {
  const contents: string[] = []
  for (
    let cursor: string | undefined, isFirst = true;
    isFirst || cursor !== undefined;
    isFirst = false
  ) {
    const page = await world.data(
      'data.export',
      { limit, ...(cursor === undefined ? {} : { cursor }) },
      caller,
    )
    contents.push(String(page.content))
    cursor = page.next_cursor as string | undefined
  }
  return contents
}

/** All rows of a tenant without the revisions. */
async function everything({ tenant }: Caller): Promise<Record<string, readonly unknown[]>> {
  const found: Record<string, readonly unknown[]> = {}
  for (const { name, family } of ALL_TABLES) {
    const rows = await world.query(`select * from ${name} where tenant = ?`, tenant)
    if (family !== 'note_heads')
      found[family] = rows.map(({ revision, ...row }) => JSON.stringify(row)).toSorted()
  }
  return found
}

describe('export, delete all, import', () => {
  test('restores everything, including what was deleted before', async () => {
    turn++
    const ann = person()
    expect(await bringIn(ROWS, ann)).toMatchObject({
      problems: [],
      duplicates: [],
      added_total: 17,
    })
    const before = await everything(ann)
    const copies = await pages(ann, 5)
    expect(copies.length).toBeGreaterThan(3)
    const forgotten = await consented(world, {
      tool: 'data.delete_all',
      input: { shared_projects: 'delete' },
      caller: ann,
    })
    expect(forgotten.data).toMatchObject({
      deleted: { tasks: 3, habits: 2, habit_records: 2, notes: 3, note_links: 1 },
      projects_handed_over: 0,
    })
    expect(Object.values(await everything(ann)).flat()).toEqual([])
    for (const content of copies) {
      const back = await consented(world, {
        tool: 'data.import',
        input: { format: 'json', content, dry_run: false },
        caller: ann,
      })
      expect(back.data).toMatchObject({ problems: [] })
    }
    expect(await everything(ann)).toEqual(before)
  })

  // The page size is chosen so that one export needs fewer imports than the limit per minute.
  const word = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
    .filter((one) => one.trim() !== '' && !one.includes('\u0000'))
  const day = fc
    .integer({ min: 0, max: 2_190 })
    .map((days) => new Date(Date.UTC(2020, 0, 1) + days * 86_400_000).toISOString().slice(0, 10))
  const task = fc.record({
    title: word,
    state: fc.constantFrom('inbox', 'next_action', 'someday_maybe'),
    notes: word,
    due_day: day,
  })
  const habit = fc.record({
    name: word,
    frequency: fc.constantFrom('daily', 'weekly', 'monthly'),
    days: fc.uniqueArray(day, { maxLength: 4 }),
  })
  const note = fc.record({
    title: word.map((one) => one.trim()),
    body: fc.string({ unit: 'grapheme', maxLength: 60 }).filter((one) => !one.includes('\u0000')),
  })

  test('gives the same for any content, in pages of any size', async () => {
    const life = fc.record({
      tasks: fc.array(task, { maxLength: 4 }),
      habits: fc.array(habit, { maxLength: 3 }),
      notes: fc.array(note, { maxLength: 3 }),
    })
    await fc.assert(
      fc.asyncProperty(
        life,
        fc.integer({ min: 4, max: 9 }),
        async ({ tasks, habits, notes }, limit) => {
          turn++
          const ann = person()
          const stamps = { created_at: Date.UTC(2026, 0, 1), updated_at: Date.UTC(2026, 0, 2) }
          await bringIn(
            {
              tasks: tasks.map((one, index) => ({ ...one, id: `task_${index}`, ...stamps })),
              habits: habits.map(({ days, ...one }, index) => ({
                ...one,
                id: `hab_${index}`,
                category: 'other',
                difficulty: 'easy',
                state: 'active',
                started_on: '2020-01-01',
                ...stamps,
              })),
              habit_records: habits.flatMap(({ days }, index) =>
                days.map((one) => ({
                  habit_id: `hab_${index}`,
                  day: one,
                  recorded_at: Date.UTC(2026, 0, 3),
                })),
              ),
              notes: notes.map((one, index) => ({
                ...one,
                id: `note_${index}`,
                tags: '[]',
                aliases: '[]',
                properties: '{}',
                path: `${index}.md`,
                ...stamps,
              })),
            },
            ann,
          )
          const before = await everything(ann)
          const copies = await pages(ann, limit)
          await consented(world, { tool: 'data.delete_all', input: {}, caller: ann })
          expect(Object.values(await everything(ann)).flat()).toEqual([])
          for (const content of copies) {
            await consented(world, {
              tool: 'data.import',
              input: { format: 'json', content, dry_run: false },
              caller: ann,
            })
          }
          expect(await everything(ann)).toEqual(before)
        },
      ),
      { numRuns: 25 },
    )
  })
})

describe('an import', () => {
  test('repeated adds nothing; a preview writes nothing and reports the same as the import', async () => {
    turn++
    const ann = person()
    const preview = await world.data(
      'data.import',
      { format: 'json', content: exportOf(ROWS) },
      ann,
    )
    expect(Object.values(await everything(ann)).flat()).toEqual([])
    const { applied, ...done } = await bringIn(ROWS, ann)
    expect([preview.applied, applied]).toEqual([false, true])
    expect(preview).toMatchObject(done)
    expect(await bringIn(ROWS, ann)).toMatchObject({ added_total: 0, duplicates_total: 17 })
  })

  test("of another person's export belongs to the importer and changes none of the other's data", async () => {
    turn++
    const ann = person()
    await bringIn(ROWS, ann)
    const hers = await world.query(
      'select * from pm_tasks where tenant = ? and owner = ? order by id',
      ann.tenant,
      'ann',
    )
    expect(await bringIn(ROWS, person('bob'))).toMatchObject({ problems: [], added_total: 17 })
    expect(
      await world.query(
        'select * from pm_tasks where tenant = ? and owner = ? order by id',
        ann.tenant,
        'ann',
      ),
    ).toEqual(hers)
    const his = await world.query(
      "select t.id, p.owner from pm_tasks t join pm_projects p on p.tenant = t.tenant and p.id = t.project_id where t.tenant = ? and t.owner = 'bob'",
      ann.tenant,
    )
    expect(his.map(({ owner }) => owner)).toEqual(['bob'])
    const records = await world.query(
      "select h.owner from pm_habit_records r join pm_habits h on h.tenant = r.tenant and h.id = r.habit_id where r.tenant = ? and r.owner = 'bob'",
      ann.tenant,
    )
    expect(records.map(({ owner }) => owner)).toEqual(['bob', 'bob'])
  })

  test('cannot write into a habit or project log of another person', async () => {
    turn++
    await bringIn(ROWS, person())
    const { habit_records, project_log, project_members } = ROWS
    const answer = await bringIn(
      {
        habit_records: habit_records ?? [],
        project_log: project_log ?? [],
        project_members: project_members ?? [],
      },
      person('bob'),
    )
    expect(answer).toMatchObject({ added_total: 0, problems_total: 4 })
  })
})
