import { SUBSCRIPTION_ID_META_KEY } from '@modelcontextprotocol/server'
import { isRecord } from '@surehand/core/internal'
import { sleep } from '@surehand/core/ports'
import type { Surface } from './options.ts'
import { invalid, type Notify } from './request.ts'
import { type DetailedTask, getTask, readTaskId, type TaskViewer } from './task.ts'

// What another process does is found by looking; it is told within a second too.
const POLL_MS = 500
const MAX_TASKS = 100

export type TaskSubscription = TaskViewer & {
  readonly id: string | number
  readonly notify: Notify
  /** Aborts when the client has disconnected or the server shuts down. */
  readonly ended: AbortSignal
}

/** The tasks that a subscriptions/listen names; undefined where it subscribes to something else. */
export function readSubscribedTasks({
  notifications,
}: Readonly<Record<string, unknown>>): readonly string[] | undefined {
  const taskIds = isRecord(notifications) ? notifications.taskIds : undefined
  if (!Array.isArray(taskIds) || taskIds.length === 0) return undefined
  return taskIds.map(String)
}

/**
 * Notifies the client of each change of its tasks, whichever node runs them, until all have ended.
 */
export async function listenToTasks(
  taskIds: readonly string[],
  subscription: TaskSubscription,
  surface: Surface,
): Promise<object> {
  if (taskIds.length > MAX_TASKS) throw invalid(`Subscribe to at most ${MAX_TASKS} tasks at once.`)
  const { id, ended } = subscription
  const _meta = { [SUBSCRIPTION_ID_META_KEY]: id }
  const notify = (method: string, params: object): void =>
    subscription.notify(method, { ...params, _meta })
  const found = await Promise.all(taskIds.map((taskId) => readTask(taskId, subscription, surface)))
  const known = new Map(found.filter((task) => task !== undefined))
  notify('notifications/subscriptions/acknowledged', {
    notifications: { taskIds: [...known.keys()] },
  })
  for (const [, task] of known) notify('notifications/tasks', toNotification(task))
  let changed = new AbortController()
  const stops = [...known.keys()].map((taskId) =>
    surface.runtime.onChange(readTaskId(taskId).callId, () => changed.abort()),
  )
  try {
    while (!ended.aborted && [...known.values()].some(isOpen)) {
      const either = AbortSignal.any([ended, changed.signal])
      await sleep(surface.clock, POLL_MS, either).catch(() => undefined)
      // Renewed before the look: a change during it must not be missed.
      changed = new AbortController()
      for (const [taskId, before] of [...known].filter(([, task]) => isOpen(task))) {
        await surface.turn(subscription.caller, ended).catch(() => undefined)
        const [, now] = ended.aborted ? [] : ((await readTask(taskId, subscription, surface)) ?? [])
        if (now === undefined || JSON.stringify(now) === JSON.stringify(before)) continue
        known.set(taskId, now)
        notify('notifications/tasks', toNotification(now))
      }
    }
  } finally {
    for (const stop of stops) stop()
  }
  return { _meta }
}

// A task of another principal looks like a missing one.
async function readTask(
  taskId: string,
  viewer: TaskViewer,
  surface: Surface,
): Promise<readonly [string, DetailedTask] | undefined> {
  try {
    return [taskId, await getTask(taskId, viewer, surface)]
  } catch {
    return undefined
  }
}

function isOpen({ status }: DetailedTask): boolean {
  return status === 'working' || status === 'input_required'
}

// A notification carries the task without the `resultType` of a result.
function toNotification({ resultType: _, ...task }: DetailedTask): object {
  return task
}
