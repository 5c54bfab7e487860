import { isRecord, type SqlValue } from '@surehand/core/internal'
import { isDay, isTimeZone } from '@surehand/dates'
import { isNotePath } from '../../knowledge/file-name.ts'
import { LONGEST_BODY } from '../../knowledge/note.ts'
import { TASK_STATES } from '../../task/task-state.ts'
import { type Family, tableOf } from '../families.ts'
import type { Column } from '../owned-tables.ts'
import { completeRow, DAY_MS, type When } from './complete-row.ts'

/** Columns that the import derives itself, whatever the file contains. */
const DERIVED = [
  'tenant',
  'owner',
  'name_key',
  'title_key',
  'search_key',
  'due_key',
  'due_at',
  'path_key',
  'file_key',
  'hash',
  'revision',
]
/** Columns of the streak, which is counted from the records when it is next read. */
const COUNTED = ['last_day', 'last_zone', 'run_length', 'run_best']

const LEVELS = ['high', 'medium', 'low']
const WORDS: Readonly<Record<string, readonly string[]>> = {
  'habits.category': [
    'health',
    'learning',
    'productivity',
    'mindfulness',
    'social',
    'creative',
    'other',
  ],
  'habits.frequency': ['daily', 'weekly', 'monthly'],
  'habits.difficulty': ['tiny', 'easy', 'medium', 'hard'],
  'habits.state': ['active', 'archived', 'deleted'],
  'tasks.state': TASK_STATES,
  'tasks.priority': LEVELS,
  'tasks.energy': LEVELS,
  'projects.priority': LEVELS,
  'project_log.kind': ['risk', 'blocked', 'completed_work'],
  'reviews.kind': ['daily', 'weekly'],
  'projects.state': ['active', 'on_hold', 'completed', 'archived', 'deleted'],
}
const RANGES: Readonly<Record<string, readonly [number, number]>> = {
  'habits.target_duration': [1, 480],
  'habit_records.quality': [1, 5],
  'projects.progress': [0, 100],
  'deep_work.focus': [1, 5],
}
const EARLIEST_MS = Date.UTC(2000, 0, 1)
const LARGEST = 1_000_000_000
const DAYS = /(?:^|_)day$|_on$|^defer_until$|^waiting_since$/
const LONG_TEXTS = ['body', 'text', 'notes', 'note', 'description', 'properties']
const NAMES = ['name', 'title', 'subject']

type Checked =
  | { readonly ok: true; readonly row: Readonly<Record<string, SqlValue>> }
  | { readonly ok: false; readonly problem: string }

/**
 * Checks a row of a file against its table: types, formats and bounds. Returns the row or the
 * problem.
 */
export function checkRow(
  family: Family,
  given: Readonly<Record<string, unknown>>,
  when: When,
): Checked {
  const row: Record<string, SqlValue> = {}
  for (const column of tableOf(family).columns) {
    if (DERIVED.includes(column.name) || COUNTED.includes(column.name)) continue
    const value = Object.hasOwn(given, column.name) ? given[column.name] : undefined
    if (value === undefined || value === null) {
      if (column.isRequired) return { ok: false, problem: `${column.name} is missing` }
      continue
    }
    const problem =
      column.type === 'text'
        ? checkText(family, column.name, value)
        : checkNumber(`${family}.${column.name}`, column, { value, when })
    if (problem !== undefined) return { ok: false, problem: `${column.name} ${problem}` }
    // Erased: the check above has established that it is a text or a number.
    row[column.name] = NAMES.includes(column.name) ? oneLine(String(value)) : (value as SqlValue)
  }
  return completeRow(family, row, when)
}

// A name appears in lists and in approval requests; control characters must not break it into two
// lines.
function oneLine(name: string): string {
  return name.replace(/\p{Cc}/gu, ' ')
}

type Held = { readonly value: unknown; readonly when: When }

function checkNumber(
  where: string,
  { name, type }: Column,
  { value, when }: Held,
): string | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return 'must be a number'
  if (type === 'whole' && !Number.isSafeInteger(value)) return 'must be a whole number'
  if (/(?:^|_)at$/.test(name))
    return value < EARLIEST_MS || value > when.now + DAY_MS
      ? 'must be an instant between the year 2000 and tomorrow'
      : undefined
  const [least, most] = RANGES[where] ?? [0, LARGEST]
  return value < least || value > most ? `must be between ${least} and ${most}` : undefined
}

function checkText(family: Family, name: string, value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be a text'
  if (!value.isWellFormed() || value.includes('\u0000')) return 'is not whole text'
  const words = WORDS[`${family}.${name}`]
  if (words !== undefined)
    return words.includes(value) ? undefined : `must be one of ${words.join(', ')}`
  if (value.length > (LONG_TEXTS.includes(name) ? LONGEST_BODY : 1_000)) return 'is too long'
  if (NAMES.includes(name) && oneLine(value).trim() === '') return 'is empty'
  if (DAYS.test(name)) return isDay(value) ? undefined : 'must be a day such as 2026-05-01'
  if (name.endsWith('_time'))
    return /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(value) ? undefined : 'must be a time such as 09:30'
  if (name === 'zone' || name.endsWith('_zone'))
    return isTimeZone(value) ? undefined : 'must be a time zone'
  return checkShape(`${family}.${name}`, value)
}

function checkShape(where: string, value: string): string | undefined {
  switch (where) {
    case 'tasks.tags':
    case 'notes.tags':
    case 'notes.aliases':
      return isListOfTexts(value) ? undefined : 'must be a list of texts'
    case 'notes.properties':
      return isObjectJson(value) ? undefined : 'must be an object in JSON'
    case 'notes.path':
      return isNotePath(value) ? undefined : 'must be a Markdown file below the folder of the notes'
    case 'reviews.body':
      return isReviewBody(value) ? undefined : 'must be the notes of a review'
    default:
      return undefined
  }
}

const DEEPEST = 32

const MOST_IN_LIST = 50

const LONGEST_IN_LIST = 200

/** Whether the text is the JSON of a short list of short texts. */
function isListOfTexts(json: string): boolean {
  const list = parseJson(json)
  if (!Array.isArray(list) || list.length > MOST_IN_LIST) return false
  return list.every(
    (one) => typeof one === 'string' && one.length <= LONGEST_IN_LIST && isStorableText(one),
  )
}

/** Whether the text is the JSON of an object that can be stored and hashed. */
function isObjectJson(json: string): boolean {
  const value = parseJson(json)
  return isRecord(value) && isStorable(value, DEEPEST)
}

/** Whether the text is a review as time.review_note stores it. */
function isReviewBody(json: string): boolean {
  const value = parseJson(json)
  return isRecord(value) && typeof value.notes === 'string' && isStorableText(value.notes)
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined // Not JSON.
  }
}

// Code that walks the value later must not overflow the stack, and an unpaired surrogate cannot be
// hashed.
function isStorable(value: unknown, depthLeft: number): boolean {
  if (typeof value === 'string') return isStorableText(value)
  if (typeof value !== 'object' || value === null) return true
  if (depthLeft === 0) return false
  return Object.entries(value).every(
    ([name, inner]) => isStorableText(name) && isStorable(inner, depthLeft - 1),
  )
}

function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\u0000')
}
