import type { Row } from '@surehand/core/internal'
import { findOneNamed } from '../match-name.ts'
import { nameKey } from '../name-key.ts'
import type { Person } from '../person.ts'
import type { Reader } from '../personal-data.ts'
import { SELECT_TASKS, type Task, toTask } from './task.ts'

// Written as two inequalities, so that the index of titles is used: the index of open tasks does
// not contain titles.
const OPEN = "t.state <> 'completed' and t.state <> 'deleted'"
const DONE = "t.state = 'completed'"
// Enough to report that several tasks match.
const MOST_FOUND = 11
// A misspelt title is looked for among the latest tasks only, because every title has to be loaded
// for the comparison.
const MOST_CHECKED_FOR_MISSPELLING = 300
const MOST_WORDS = 8

/**
 * Finds a task by id or title: open tasks first, then completed ones. Deleted tasks are found by id
 * only.
 */
export async function findTask(read: Reader, person: Person, query: string): Promise<Task> {
  const [byId] = await read(
    `${SELECT_TASKS} where t.tenant = ? and t.owner = ? and t.id = ?`,
    person.tenant,
    person.owner,
    query,
  )
  if (byId !== undefined) return toTask(byId)
  for (const among of [OPEN, DONE]) {
    const found = (await findByTitle(read, person, { query, among })).map(toNamed)
    if (found.length > 0) return findOneNamed(query, found, 'task').task
  }
  const latest = (await latestOpen(read, person)).map(toNamed)
  return findOneNamed(query, latest, 'task').task
}

type Named = { readonly id: string; readonly name: string; readonly task: Task }

function toNamed(row: Row): Named {
  const task = toTask(row)
  return { id: task.id, name: task.title, task }
}

async function findByTitle(
  read: Reader,
  { tenant, owner }: Person,
  { query, among }: { query: string; among: string },
): Promise<readonly Row[]> {
  const key = nameKey(query)
  if (key === '') return []
  const own = `t.tenant = ? and t.owner = ? and ${among}`
  const exact = await read(
    `${SELECT_TASKS} where ${own} and t.title_key = ? order by t.due_key limit ${MOST_FOUND}`,
    tenant,
    owner,
    key,
  )
  if (exact.length > 0) return exact
  const words = key.split(' ').slice(0, MOST_WORDS)
  const holds = words.map(() => "t.title_key like ? escape '!'").join(' and ')
  const order =
    "order by case when t.title_key like ? escape '!' then 0 when t.title_key like ? escape '!' then 1 else 2 end, t.title_key"
  const patterns = [
    ...words.map((word) => `%${escapeLike(word)}%`),
    `${escapeLike(key)}%`,
    `%${escapeLike(key)}%`,
  ]
  // The index of titles answers the inner query; full rows are read only for the matches.
  const found = `select t.id from pm_tasks t where ${own} and ${holds} ${order} limit ${MOST_FOUND}`
  return read(
    `${SELECT_TASKS} where t.tenant = ? and t.id in (${found})`,
    tenant,
    tenant,
    owner,
    ...patterns,
  )
}

function latestOpen(read: Reader, { tenant, owner }: Person): Promise<readonly Row[]> {
  return read(
    `${SELECT_TASKS} where t.tenant = ? and t.owner = ? and ${OPEN} order by t.created_at desc limit ${MOST_CHECKED_FOR_MISSPELLING}`,
    tenant,
    owner,
  )
}

/** Escapes `%` and `_` for a `like … escape '!'`. */
export function escapeLike(text: string): string {
  return text.replace(/[!%_]/g, (sign) => `!${sign}`)
}
