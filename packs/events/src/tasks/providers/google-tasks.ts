import { sha256 } from '@surehand/core/internal'
import { sendJson, type VendorAccess } from '@surehand/vendors'
import { z } from 'zod'
import type { Todo, TodosPort, TodosToWrite } from '../todos-port.ts'

const Task = z.object({ id: z.string(), notes: z.string().optional() })
const List = z.object({ items: z.array(Task).default([]), nextPageToken: z.string().optional() })
const LIST = '/tasks/v1/lists/@default/tasks'
const MOST_PAGES = 20

/**
 * Google Tasks v1. It gives ids of its own and takes no key, so every task carries a mark in its
 * notes; a repeat with the key looks for the marks first, and writes what is missing.
 */
export function googleTasks({ baseUrl, key, fetchFor }: VendorAccess): TodosPort {
  const headers = { authorization: `Bearer ${key}` }

  async function listMarked(
    { tenant }: TodosToWrite,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>()
    let pageToken: string | undefined
    for (let page = 0; page < MOST_PAGES; page++) {
      const query = new URLSearchParams({
        maxResults: '100',
        showCompleted: 'true',
        showHidden: 'true',
        ...(pageToken === undefined ? {} : { pageToken }),
      })
      const list = await sendJson(
        fetchFor(tenant),
        { vendor: 'Google Tasks', url: `${baseUrl}${LIST}?${query}`, headers, signal },
        List,
      )
      for (const { id, notes = '' } of list.items)
        for (const [mark] of notes.matchAll(MARK)) found.set(mark, id)
      pageToken = list.nextPageToken
      if (pageToken === undefined) break
    }
    return found
  }

  async function insert(
    { tenant }: TodosToWrite,
    body: object,
    signal: AbortSignal,
  ): Promise<string> {
    const request = {
      vendor: 'Google Tasks',
      url: `${baseUrl}${LIST}`,
      method: 'POST',
      headers,
      body,
      signal,
    } as const
    return (await sendJson(fetchFor(tenant), request, Task)).id
  }

  return {
    async write(wanted, signal) {
      const known = await listMarked(wanted, signal)
      const taskIds: string[] = []
      for (const [index, todo] of wanted.todos.entries()) {
        const mark = markOf(wanted, index)
        taskIds.push(known.get(mark) ?? (await insert(wanted, bodyOf(todo, mark), signal)))
      }
      return { taskIds }
    },
    async written({ args }, signal) {
      const known = await listMarked(args, signal)
      const taskIds = args.todos.map((_, index) => known.get(markOf(args, index)))
      return taskIds.every((id) => id !== undefined) ? { taskIds } : null
    },
  }
}

const MARK = /\[surehand:[0-9a-f]{24}\]/g

function markOf({ idempotencyKey }: TodosToWrite, index: number): string {
  return `[surehand:${sha256(`${idempotencyKey}/${index}`).slice(0, 24)}]`
}

// it keeps the day alone and wants it as midnight of UTC: the day as it was written, whatever its
// offset
function bodyOf({ title, dueDate, notes }: Todo, mark: string): object {
  return {
    title,
    notes: notes === undefined ? mark : `${notes}\n\n${mark}`,
    ...(dueDate === undefined ? {} : { due: `${dueDate.slice(0, 10)}T00:00:00.000Z` }),
  }
}
