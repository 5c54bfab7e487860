import { sha256 } from '@surehand/core/internal'
import { sendJson, type VendorAccess } from '@surehand/vendors'
import { z } from 'zod'
import type { Todo, TodosPort, TodosToWrite } from '../todos-port.ts'

const Task = z.object({ id: z.string(), notes: z.string().optional() })
const List = z.object({ items: z.array(Task).default([]), nextPageToken: z.string().optional() })
const LIST = '/tasks/v1/lists/@default/tasks'
const MAX_PAGES = 20

/**
 * Google Tasks v1. It assigns its own ids and accepts no idempotency key, so every task has a marker
 * in its notes; a repeat with the same key finds the markers and writes only the missing tasks.
 */
export function googleTasks({ baseUrl, key, fetchFor }: VendorAccess): TodosPort {
  const headers = { authorization: `Bearer ${key}` }

  async function listMarked(
    { tenant }: TodosToWrite,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>()
    let pageToken: string | undefined
    for (let page = 0; page < MAX_PAGES; page++) {
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
        for (const [marker] of notes.matchAll(MARKER)) found.set(marker, id)
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
    async write(request, signal) {
      const known = await listMarked(request, signal)
      const taskIds: string[] = []
      for (const [index, todo] of request.todos.entries()) {
        const marker = markerFor(request, index)
        taskIds.push(
          known.get(marker) ?? (await insert(request, toGoogleTask(todo, marker), signal)),
        )
      }
      return { taskIds }
    },
    async written({ args }, signal) {
      const known = await listMarked(args, signal)
      const taskIds = args.todos.map((_, index) => known.get(markerFor(args, index)))
      return taskIds.every((id) => id !== undefined) ? { taskIds } : null
    },
  }
}

const MARKER = /\[surehand:[0-9a-f]{24}\]/g

function markerFor({ idempotencyKey }: TodosToWrite, index: number): string {
  return `[surehand:${sha256(`${idempotencyKey}/${index}`).slice(0, 24)}]`
}

// Google stores only the date, as midnight UTC: the date as it was written, without its offset.
function toGoogleTask({ title, dueDate, notes }: Todo, marker: string): object {
  return {
    title,
    notes: notes === undefined ? marker : `${notes}\n\n${marker}`,
    ...(dueDate === undefined ? {} : { due: `${dueDate.slice(0, 10)}T00:00:00.000Z` }),
  }
}
