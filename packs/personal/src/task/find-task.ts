import type { Row } from '@surehand/core/internal'
import { theOneNamed } from '../match-name.ts'
import { nameKey } from '../name-key.ts'
import type { Person } from '../person.ts'
import type { Reader } from '../personal-data.ts'
import { SELECT_TASKS, type Task, taskOf } from './task.ts'

// said so that the index of titles serves it: the one of what is open has no titles
const OPEN = "t.state <> 'completed' and t.state <> 'deleted'"
const DONE = "t.state = 'completed'"
// enough to tell that several are meant
const MOST_FOUND = 11
// a title that is misspelt is looked for among the latest alone: the whole list would have to be loaded
const MOST_SPELT = 300
const MOST_WORDS = 8

/** The task that is meant, by its id or its title: what is open first, then what is completed; what is deleted by its id alone. */
export async function findTask(read: Reader, person: Person, said: string): Promise<Task> {
  const [byId] = await read(
    `${SELECT_TASKS} where t.tenant = ? and t.owner = ? and t.id = ?`,
    person.tenant,
    person.owner,
    said,
  )
  if (byId !== undefined) return taskOf(byId)
  for (const among of [OPEN, DONE]) {
    const found = (await titled(read, person, { said, among })).map(named)
    if (found.length > 0) return theOneNamed(said, found, 'task').task
  }
  const latest = (await latestOpen(read, person)).map(named)
  return theOneNamed(said, latest, 'task').task
}

type Named = { readonly id: string; readonly name: string; readonly task: Task }

function named(row: Row): Named {
  const task = taskOf(row)
  return { id: task.id, name: task.title, task }
}

async function titled(
  read: Reader,
  { tenant, owner }: Person,
  { said, among }: { said: string; among: string },
): Promise<readonly Row[]> {
  const key = nameKey(said)
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
    ...words.map((word) => `%${escaped(word)}%`),
    `${escaped(key)}%`,
    `%${escaped(key)}%`,
  ]
  // the titles' index alone answers this; whole rows are read of those that are found
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
    `${SELECT_TASKS} where t.tenant = ? and t.owner = ? and ${OPEN} order by t.created_at desc limit ${MOST_SPELT}`,
    tenant,
    owner,
  )
}

/** A text in which `%` and `_` stand for themselves, in a `like … escape '!'`. */
export function escaped(text: string): string {
  return text.replace(/[!%_]/g, (sign) => `!${sign}`)
}
