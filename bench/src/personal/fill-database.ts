import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { Caller } from '../../../core/src/index.ts'
import { addDays, dayOf, dayOfWeek } from '../../../libraries/dates/src/civil.ts'

/** Ten years of one person's data. */
export const DATA_SIZE = { tasks: 100_000, habits: 12, years: 10, projects: 60, notes: 2_000 }

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

type Owner = { readonly tenant: string; readonly owner: string }
type Moment = { readonly now: number; readonly today: string }
type Row = Readonly<Record<string, string | number | null>>
type Insert = (table: string, row: Row) => void

/** Writes the rows straight into the tables: a hundred thousand calls would take minutes, mostly for the ledger of calls. */
export function fillDatabase(file: string, { tenant, principal }: Caller, now: number): void {
  const database = new DatabaseSync(file)
  const prepared = new Map<string, StatementSync>()
  const insert: Insert = (table, row) => {
    const names = Object.keys(row)
    const text = `insert into ${table} (${names.join(', ')}) values (${names.map(() => '?').join(', ')})`
    const statement = prepared.get(text) ?? database.prepare(text)
    prepared.set(text, statement)
    statement.run(...Object.values(row))
  }
  const mine = { tenant, owner: principal }
  const moment = { now, today: dayOf(now, 'Europe/Berlin') }
  database.exec('begin')
  for (let index = 0; index < DATA_SIZE.projects; index++)
    insert('pm_projects', projectRow(index, mine, moment))
  for (let index = 0; index < DATA_SIZE.tasks; index++)
    insert('pm_tasks', taskRow(index, mine, moment))
  for (let index = 0; index < DATA_SIZE.habits; index++) insertHabit(insert, index, mine, moment)
  for (let index = 0; index < DATA_SIZE.notes; index++)
    insert('pm_notes', noteRow(index, mine, moment))
  insert('pm_note_heads', { ...mine, revision: DATA_SIZE.notes })
  database.exec('commit')
  database.close()
}

function projectRow(index: number, mine: Owner, { now, today }: Moment): Row {
  const name = `Project ${index}`
  return {
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
  }
}

/** A habit with a record on most days of the whole period. */
function insertHabit(insert: Insert, index: number, mine: Owner, { now, today }: Moment): void {
  const name = `Habit ${index}`
  const days = 365 * DATA_SIZE.years
  const startedOn = addDays(today, -days)
  insert('pm_habits', {
    ...mine,
    id: `hab_${index}`,
    name,
    name_key: name.toLowerCase(),
    category: 'health',
    frequency: index % 4 === 3 ? 'weekly' : 'daily',
    difficulty: 'easy',
    state: 'active',
    created_at: now - days * DAY_MS,
    updated_at: now,
    started_on: startedOn,
  })
  for (let day = 1; day < days; day++) {
    const date = addDays(startedOn, day)
    if ((day * 7 + index) % 11 === 0 || (dayOfWeek(date) === 7 && index % 2 === 0)) continue
    insert('pm_habit_records', {
      ...mine,
      habit_id: `hab_${index}`,
      day: date,
      quality: 1 + ((day + index) % 5),
      minutes: 10,
      recorded_at: now - (days - day) * DAY_MS,
    })
  }
}

function noteRow(index: number, mine: Owner, { now }: Moment): Row {
  const title = `Note ${index} about the ${WORDS[index % WORDS.length]}`
  const body = Array.from(
    { length: 60 },
    (_, word) => WORDS[(index * 7 + word * 3) % WORDS.length],
  ).join(' ')
  return {
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
  }
}

function taskRow(index: number, mine: Owner, { now, today }: Moment): Row {
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
    project_id: index % 4 === 0 ? `prj_${index % DATA_SIZE.projects}` : null,
    waiting_for: state === 'waiting_for' ? 'Bob' : null,
    waiting_since: state === 'waiting_for' ? addDays(today, -(index % 90)) : null,
    created_at: createdAt,
    updated_at: createdAt,
    completed_at: isDone ? createdAt + DAY_MS : null,
  }
}
