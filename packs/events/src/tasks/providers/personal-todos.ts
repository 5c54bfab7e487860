import { type Outcome, ToolError } from '@surehand/core'
import type { PackGiven } from '@surehand/core/host'
import { z } from 'zod'
import type { Todo, TodosPort, TodosToWrite } from '../todos-port.ts'

/** The tool that puts a task on a person's list; the personal manager brings it. */
const CAPTURE = 'task.capture'
const Captured = z.object({ task: z.object({ id: z.string() }) })

/**
 * The task list of the person, where the app has one: to-dos then appear with all other tasks. Each
 * has an idempotency key of its own, so that a repeat adds only what is missing.
 */
export function personalTodos(
  { call, callerOf }: Pick<PackGiven, 'call' | 'callerOf'>,
  otherwise: TodosPort,
): TodosPort {
  return {
    async write(request, signal) {
      const { tenant, principal, idempotencyKey, eventId } = request
      const caller = await callerOf(tenant, principal)
      if (caller === undefined) return otherwise.write(request, signal)
      const taskIds: string[] = []
      for (const [index, todo] of request.todos.entries()) {
        const outcome = await call({
          tool: CAPTURE,
          input: toCapture(todo, eventId),
          caller,
          surface: 'events',
          idempotencyKey: `${idempotencyKey}/${index}`,
          signal,
        })
        if (isMissing(outcome)) return otherwise.write(request, signal)
        taskIds.push(taskIdIn(outcome))
      }
      return { taskIds }
    },
    // The keys of the captures tell a repeat, so nothing has to be looked up.
    written: (query, signal) => otherwise.written(query, signal),
  }
}

function toCapture({ title, dueDate, notes }: Todo, eventId: TodosToWrite['eventId']): object {
  const about = `For the event ${eventId}.`
  return {
    text: title,
    notes: notes === undefined ? about : `${notes}\n${about}`,
    // The day as it was written, without its offset; a day and no time, as the document has it.
    due: dueDate?.slice(0, 10) ?? 'none',
  }
}

function isMissing(outcome: Outcome): boolean {
  return outcome.status === 'failed' && outcome.error.code === 'TOOL_NOT_FOUND'
}

function taskIdIn(outcome: Outcome): string {
  if (outcome.status === 'done') return Captured.parse(outcome.data).task.id
  if (outcome.status === 'failed') throw outcome.error
  throw new ToolError(
    'TOOL_GATE_CLOSED',
    `A policy demands an approval for ${CAPTURE}, so that to-dos cannot be added for an event. Add them with ${CAPTURE}.`,
  )
}
