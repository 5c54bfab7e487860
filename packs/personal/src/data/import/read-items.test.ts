import type { SqlValue } from '@surehand/core/internal'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { taskLine } from '../data-export.ts'
import { readJson } from '../data-import.ts'
import { csvLine, readCsv, uncell } from '../export/csv.ts'
import { writeFeed } from '../feed.ts'
import { ROWS } from '../fixtures/rows.ts'
import { checkRow } from './check-row.ts'
import { readCalendarTasks, readSpreadsheet, readTaskList } from './read-lists.ts'

let ids = 0
const usual = {
  now: Date.UTC(2026, 0, 15, 8),
  today: '2026-01-15',
  newId: (prefix: string) => `${prefix}_${++ids}`,
}
const rowsOf = (read: {
  readonly items: readonly { readonly row: Readonly<Record<string, SqlValue>> }[]
}) => read.items.map(({ row }) => row)

describe('a spreadsheet', () => {
  test('with any cells is read as it was written, and no cell is a formula', () => {
    const cell = fc.string({ unit: 'grapheme', maxLength: 20 })
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 5 }), (rows) => {
        const text = rows.map(([a, b, c]) => csvLine(['x', a, b, c])).join('')
        expect(readCsv(text).map(({ cells }) => cells.map(uncell))).toEqual(
          rows.map((row) => ['x', ...row]),
        )
        for (const { cells } of readCsv(text))
          for (const one of cells) expect(one).not.toMatch(/^[=+\-@\t\r]/)
      }),
      { numRuns: 1_000 },
    )
  })

  test('keeps its valid lines and reports the invalid ones', () => {
    const read = readSpreadsheet(
      'name,frequency,reminder_time\nWalk,daily,07:30\nRun,hourly,\n"Sit,\nstill",weekly,25:99\nRead,monthly,\n',
      'habits',
      usual,
    )
    expect(rowsOf(read).map(({ name, frequency }) => [name, frequency])).toEqual([
      ['Walk', 'daily'],
      ['Read', 'monthly'],
    ])
    expect(read.problems).toEqual([
      { place: 'line 3', problem: 'frequency must be one of daily, weekly, monthly' },
      { place: 'line 4', problem: 'reminder_time must be a time such as 09:30' },
    ])
  })

  test('without the required column is refused', () => {
    expect(() => readSpreadsheet('a,b\n1,2\n', 'tasks', usual)).toThrow('it must contain "title"')
  })
})

describe('a list in Markdown', () => {
  test('is read line by line, with the marks of the Tasks plugin', () => {
    const text =
      '# Today\n- [ ] Call mum ⏫ 📅 2026-02-01\n- [x] Buy seeds ✅ 2026-01-10\n  * [ ] Nested due:2026-03-01 ^abc\nprose\n- [ ] Bad 📅 2026-13-01\n'
    const read = readTaskList(text, usual)
    expect(rowsOf(read)).toMatchObject([
      { title: 'Call mum', priority: 'high', due_day: '2026-02-01', state: 'inbox' },
      { title: 'Buy seeds', state: 'completed', completed_at: Date.UTC(2026, 0, 10, 12) },
      { title: 'Nested', due_day: '2026-03-01' },
    ])
    expect(read.problems).toEqual([
      { place: 'line 6', problem: 'due_day must be a day such as 2026-05-01' },
    ])
  })

  test('of an export is read back with the same content', () => {
    const [first] = ROWS.tasks ?? []
    expect(rowsOf(readTaskList(taskLine(first ?? {}), usual))).toMatchObject([
      { title: 'Dig', priority: 'high', due_day: '2026-02-01' },
    ])
  })
})

describe('a calendar', () => {
  const item = (lines: string) => `BEGIN:VTODO\r\n${lines}END:VTODO\r\n`
  const calendar = (...items: readonly string[]) =>
    `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//y\r\n${items.join('')}END:VCALENDAR\r\n`

  test('keeps its valid items when one is invalid', () => {
    const text = calendar(
      item('UID:1\r\nSUMMARY:Good\r\nDUE;VALUE=DATE:20260201\r\n'),
      item('SUMMARY:No id\r\n'),
      item('UID:3\r\nSUMMARY:Also good\r\nPRIORITY:1\r\n'),
    )
    const read = readCalendarTasks(text, usual)
    expect(rowsOf(read)).toMatchObject([
      { title: 'Good', due_day: '2026-02-01' },
      { title: 'Also good', priority: 'high' },
    ])
    expect(read.problems).toHaveLength(1)
  })

  test('of an export is recognised by its ids', () => {
    const tasks = (ROWS.tasks ?? []).map((row) => ({
      due_day: null,
      due_time: null,
      completed_at: null,
      ...row,
    }))
    const text = writeFeed(
      { tasks, habits: [], projects: [], sessions: [] },
      { timeZone: 'UTC', now: 0, tasksAs: 'todos' },
    )
    const read = readCalendarTasks(text, usual)
    expect(rowsOf(read).map(({ id }) => id)).toEqual(['task_1', 'task_2', 'task_3'])
    expect(rowsOf(read)[0]).toMatchObject({
      due_day: '2026-02-01',
      due_time: '09:00',
      due_zone: 'Europe/Berlin',
    })
  })
})

describe('an export of data.export', () => {
  test.each<[string, Readonly<Record<string, unknown>>, string]>([
    ['a state nobody knows', { state: 'banana' }, 'state must be one of'],
    ['half a character', { title: 'a\ud800' }, 'title is not whole text'],
    ['a NUL', { title: 'a\u0000b' }, 'title is not whole text'],
    ['no title', { title: null }, 'title is missing'],
    ['a number for a text', { title: 5 }, 'title must be a text'],
    ['a text for a number', { minutes: '5' }, 'minutes must be a number'],
    ['a day that is none', { due_day: '2026-02-30' }, 'due_day must be a day'],
    ['a zone that is none', { due_zone: 'Mars/Base' }, 'due_zone must be a time zone'],
  ])('with %s in a row loses only that row', (_what, change, problem) => {
    const [good] = ROWS.tasks ?? []
    const data = { tasks: [{ ...good, ...change }, good] }
    const read = readJson(JSON.stringify({ format: 'surehand.personal', version: 1, data }), usual)
    expect([read.items.length, read.problems]).toEqual([
      1,
      [{ place: 'tasks[0]', problem: expect.stringContaining(problem) }],
    ])
  })

  test('cannot set the owner of its rows or derived columns', () => {
    const checked = checkRow(
      'tasks',
      {
        ...ROWS.tasks?.[0],
        tenant: 'other',
        owner: 'bob',
        due_key: 'x',
        title_key: 'y',
        due_at: 1,
      },
      usual,
    )
    expect(checked.ok && Object.keys(checked.row)).not.toEqual(expect.arrayContaining(['tenant']))
    expect(
      checked.ok &&
        ['owner', 'due_key', 'title_key', 'due_at'].filter((name) => name in checked.row),
    ).toEqual([])
  })

  test.each([
    '{',
    '[]',
    '{"format":"other","version":1,"data":{}}',
    '{"format":"surehand.personal","version":2,"data":{}}',
  ])('is not %j', (text) => {
    expect(() => readJson(text, usual)).toThrow(/JSON|not an export of data.export/)
  })
})
