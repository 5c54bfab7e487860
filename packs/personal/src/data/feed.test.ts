import { readCalendar } from '@surehand/icalendar'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { writeFeed } from './feed.ts'
import { ROWS } from './fixtures/rows.ts'

const options = {
  timeZone: 'Europe/Berlin',
  now: Date.UTC(2026, 0, 15),
  tasksAs: 'events',
} as const
const rows = {
  tasks: (ROWS.tasks ?? []).slice(0, 2),
  habits: (ROWS.habits ?? []).slice(0, 1),
  projects: (ROWS.projects ?? []).slice(0, 1),
  sessions: ROWS.deep_work ?? [],
}

describe('a feed', () => {
  test('is read by other programs with the same content', () => {
    expect(readCalendar(writeFeed(rows, options))).toMatchObject([
      {
        kind: 'event',
        uid: 'task-task_1@surehand',
        summary: 'Dig',
        start: { kind: 'zoned', local: '2026-02-01T09:00:00', timeZone: 'Europe/Berlin' },
      },
      {
        kind: 'event',
        uid: 'task-task_2@surehand',
        start: { kind: 'date', date: '2026-02-01' },
        end: { kind: 'date', date: '2026-02-02' },
      },
      {
        uid: 'habit-hab_1@surehand',
        start: { local: '2026-01-01T07:30:00', timeZone: 'Europe/Berlin' },
        recurrence: { rules: ['FREQ=DAILY'] },
      },
      { uid: 'project-proj_1@surehand', start: { kind: 'date', date: '2026-05-01' } },
      { uid: 'session-dw_1@surehand', summary: 'Deep work: Write' },
    ])
  })

  test('has alarms for habits only', () => {
    const parts = writeFeed(rows, options).split('END:VEVENT')
    expect(parts.map((part) => part.includes('BEGIN:VALARM'))).toEqual([
      false,
      false,
      true,
      false,
      false,
      false,
    ])
    expect(parts[2]).toMatch(
      /BEGIN:VALARM\r\nACTION:DISPLAY\r\nDESCRIPTION:Reminder\r\nTRIGGER:PT0S\r\nEND:VALARM\r\n$/,
    )
  })

  test('of to-dos contains status and priority', () => {
    const done = { ...ROWS.tasks?.[2], due_day: '2026-01-01', completed_at: 0 }
    expect(
      readCalendar(writeFeed({ ...rows, tasks: [done] }, { ...options, tasksAs: 'todos' })),
    ).toContainEqual(
      expect.objectContaining({
        kind: 'task',
        status: 'completed',
        completed: '1970-01-01T00:00:00Z',
        due: { kind: 'date', date: '2026-01-01' },
      }),
    )
  })

  test('contains only our items, whatever a title contains', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 100 }), (title) => {
        const hostile = `${title}\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nUID:evil\r\nSUMMARY:${title}`
        const text = writeFeed(
          {
            tasks: [{ ...ROWS.tasks?.[1], title: hostile }],
            habits: [],
            projects: [],
            sessions: [],
          },
          options,
        )
        expect(readCalendar(text).map(({ uid }) => uid)).toEqual(['task-task_2@surehand'])
      }),
    )
  })
})
