import { SUBSCRIPTION_ID_META_KEY } from '@modelcontextprotocol/server'
import { isRecord } from '@surehand/core/internal'
import { sleep } from '@surehand/core/ports'
import type { Surface } from './options.ts'
import { invalid, type Notify } from './request.ts'
import { type DetailedTask, getTask, type TaskViewer } from './task.ts'

const LOOK_EVERY_MS = 1_000
const MOST_TASKS = 100

export type TaskSubscription = TaskViewer & {
  readonly id: string | number
  readonly notify: Notify
  /** The client has left, or the door is closed. */
  readonly over: AbortSignal
}

/** The tasks that a subscriptions/listen wants to hear of; undefined where it is about something else. */
export function readSubscribedTasks({
  notifications,
}: Readonly<Record<string, unknown>>): readonly string[] | undefined {
  const taskIds = isRecord(notifications) ? notifications.taskIds : undefined
  if (!Array.isArray(taskIds) || taskIds.length === 0) return undefined
  return taskIds.map(String)
}

/** Tells how tasks stand whenever one stands otherwise, whichever node works on it, until all have ended. */
export async function listenToTasks(
  taskIds: readonly string[],
  listening: TaskSubscription,
  surface: Surface,
): Promise<object> {
  if (taskIds.length > MOST_TASKS)
    throw invalid(`At most ${MOST_TASKS} tasks are listened to at once.`)
  const { id, over } = listening
  const _meta = { [SUBSCRIPTION_ID_META_KEY]: id }
  const notify = (method: string, params: object): void =>
    listening.notify(method, { ...params, _meta })
  const found = await Promise.all(taskIds.map((taskId) => look(taskId, listening, surface)))
  const known = new Map(found.filter((task) => task !== undefined))
  notify('notifications/subscriptions/acknowledged', {
    notifications: { taskIds: [...known.keys()] },
  })
  for (const [, task] of known) notify('notifications/tasks', told(task))
  while (!over.aborted && [...known.values()].some(isOpen)) {
    await sleep(surface.clock, LOOK_EVERY_MS, over).catch(() => undefined)
    for (const [taskId, before] of [...known].filter(([, task]) => isOpen(task))) {
      const [, now] = over.aborted ? [] : ((await look(taskId, listening, surface)) ?? [])
      if (now === undefined || JSON.stringify(now) === JSON.stringify(before)) continue
      known.set(taskId, now)
      notify('notifications/tasks', told(now))
    }
  }
  return { _meta }
}

// another's task looks like a missing one: neither is listened to
async function look(
  taskId: string,
  asker: TaskViewer,
  surface: Surface,
): Promise<readonly [string, DetailedTask] | undefined> {
  try {
    return [taskId, await getTask(taskId, asker, surface)]
  } catch {
    return undefined
  }
}

function isOpen({ status }: DetailedTask): boolean {
  return status === 'working' || status === 'input_required'
}

// what is told is a task, and no result of a request
function told({ resultType: _, ...task }: DetailedTask): object {
  return task
}
