import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { Caller } from '../../../core/src/index.ts'
import { addDays, dayOf, dayOfWeek } from '../../../libraries/dates/src/civil.ts'

/** A long life, kept carefully. */
export const LIFE = { tasks: 100_000, habits: 12, years: 10, projects: 60, notes: 2_000 }

const STATES = [
  'completed',
  'completed',
  'completed',
  'completed',
  'completed',
  'completed',
  'next_action',
  'someday_maybe',
  'waiting_for',
  'inbox',
]
const LEVELS = ['high', 'medium', 'low']
const WORDS = [
  'lighthouse',
  'garden',
  'harbour',
  'ledger',
  'compass',
  'orchard',
  'kettle',
  'window',
  'letter',
  'bicycle',
  'river',
  'clock',
]
const DAY_MS = 86_400_000

/** Written straight into the tables: a hundred thousand calls would only measure the ledger. */
export function fillLife(file: string, { tenant, principal }: Caller, now: number): void {
  const database = new DatabaseSync(file)
  const today = dayOf(now, 'Europe/Berlin')
  database.exec('begin')
  const prepared = new Map<string, StatementSync>()
  const put = (table: string, row: Readonly<Record<string, string | number | null>>): void => {
    const names = Object.keys(row)
    const text = `insert into ${table} (${names.join(', ')}) values (${names.map(() => '?').join(', ')})`
    const statement = prepared.get(text) ?? database.prepare(text)
    prepared.set(text, statement)
    statement.run(...Object.values(row))
  }
  const mine = { tenant, owner: principal }
  for (let index = 0; index < LIFE.projects; index++) {
    const name = `Project ${index}`
    put('pm_projects', {
      ...mine,
      id: `prj_${index}`,
      name,
      name_key: name.toLowerCase(),
      search_key: name.toLowerCase(),
      priority: LEVELS[index % 3] ?? 'low',
      state: 'active',
      created_at: now - 300 * DAY_MS,
      updated_at: now - index * DAY_MS,
      target_day: addDays(today, 10 + index),
    })
  }
  for (let index = 0; index < LIFE.tasks; index++)
    put('pm_tasks', taskRow(index, mine, { now, today }))
  for (let index = 0; index < LIFE.habits; index++) {
    const name = `Habit ${index}`
    const began = addDays(today, -365 * LIFE.years)
    put('pm_habits', {
      ...mine,
      id: `hab_${index}`,
      name,
      name_key: name.toLowerCase(),
      category: 'health',
      frequency: index % 4 === 3 ? 'weekly' : 'daily',
      difficulty: 'easy',
      state: 'active',
      created_at: now - 365 * LIFE.years * DAY_MS,
      updated_at: now,
      started_on: began,
    })
    for (let day = 1; day < 365 * LIFE.years; day++) {
      const date = addDays(began, day)
      if ((day * 7 + index) % 11 === 0 || (dayOfWeek(date) === 7 && index % 2 === 0)) continue
      put('pm_habit_records', {
        ...mine,
        habit_id: `hab_${index}`,
        day: date,
        quality: 1 + ((day + index) % 5),
        minutes: 10,
        recorded_at: now - (365 * LIFE.years - day) * DAY_MS,
      })
    }
  }
  for (let index = 0; index < LIFE.notes; index++) {
    const title = `Note ${index} about the ${WORDS[index % WORDS.length]}`
    const body = Array.from(
      { length: 60 },
      (_, word) => WORDS[(index * 7 + word * 3) % WORDS.length],
    ).join(' ')
    put('pm_notes', {
      ...mine,
      id: `not_${index}`,
      title,
      title_key: title.toLowerCase(),
      body,
      tags: '[]',
      aliases: '[]',
      properties: '{}',
      path: `Note ${index}.md`,
      path_key: `note ${index}.md`,
      file_key: `note ${index}`,
      hash: String(index),
      revision: index + 1,
      created_at: now - index * 1_000,
      updated_at: now - index * 1_000,
    })
  }
  put('pm_note_heads', { ...mine, revision: LIFE.notes })
  database.exec('commit')
  database.close()
}

type Moment = { readonly now: number; readonly today: string }

function taskRow(
  index: number,
  mine: { readonly tenant: string; readonly owner: string },
  { now, today }: Moment,
): Record<string, string | number | null> {
  const state = STATES[index % STATES.length] ?? 'inbox'
  const title = `Do the ${WORDS[index % WORDS.length]} number ${index}`
  const isDone = state === 'completed'
  const createdAt = now - (index % 3_650) * DAY_MS
  const due = index % 5 === 0 ? addDays(today, (index % 400) - (isDone ? 400 : 20)) : null
  return {
    ...mine,
    id: `tsk_${index}`,
    title,
    title_key: title.toLowerCase(),
    state,
    priority: LEVELS[index % 3] ?? 'low',
    energy: LEVELS[(index >> 2) % 3] ?? 'low',
    context: ['phone', 'home', 'computer'][index % 3] ?? null,
    minutes: 5 + (index % 12) * 10,
    due_day: due,
    due_key: due === null ? '9999-12-31 24:00' : `${due} 24:00`,
    project_id: index % 4 === 0 ? `prj_${index % LIFE.projects}` : null,
    waiting_for: state === 'waiting_for' ? 'Bob' : null,
    waiting_since: state === 'waiting_for' ? addDays(today, -(index % 90)) : null,
    created_at: createdAt,
    updated_at: createdAt,
    completed_at: isDone ? createdAt + DAY_MS : null,
  }
}
