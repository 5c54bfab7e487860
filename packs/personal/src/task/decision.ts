import { ToolError, type Tx } from '@surehand/core'
import type { LocalTime } from '../local-time.ts'
import { nameKey } from '../name-key.ts'
import type { Person } from '../person.ts'
import { readDue } from './due.ts'
import { findProjectForTask } from './find-project.ts'
import { type Level, optionalField, type Task } from './task.ts'
import { requireTransition, type TaskState } from './task-state.ts'

/** A decision about a task. A field that is left out stays as it is; null clears it. */
export type Decision = {
  readonly to: TaskState
  readonly title?: string | undefined
  readonly notes?: string | undefined
  readonly priority?: Level | undefined
  readonly energy?: Level | undefined
  readonly context?: string | null | undefined
  readonly minutes?: number | undefined
  readonly tags?: readonly string[] | undefined
  readonly due?: string | null | undefined
  readonly project?: string | null | undefined
  readonly waiting_for?: string | undefined
}

/** Applies a decision to a task. */
export async function applyDecision(
  tx: Tx,
  task: Task,
  { decision, person, localTime }: { decision: Decision; person: Person; localTime: LocalTime },
): Promise<Task> {
  requireTransition(task, decision.to)
  const {
    due,
    project,
    context,
    deferUntil,
    waitingFor: _,
    waitingSince: __,
    completedAt: ___,
    deletedAt: ____,
    ...stays
  } = task
  const { title, notes, priority, energy, minutes, tags } = decision
  const where =
    decision.context === undefined
      ? context
      : decision.context === null
        ? undefined
        : contextKey(decision.context)
  const when =
    decision.due === undefined
      ? due
      : decision.due === null
        ? undefined
        : readDue(decision.due, localTime, 'due')
  const into =
    decision.project === undefined
      ? project
      : decision.project === null
        ? undefined
        : await findProjectForTask(tx.all, person, decision.project)
  return {
    ...stays,
    state: decision.to,
    updatedAt: localTime.now,
    ...optionalField('title', title),
    ...optionalField('notes', notes),
    ...optionalField('priority', priority),
    ...optionalField('energy', energy),
    ...optionalField('minutes', minutes),
    ...optionalField('tags', tags?.map(nameKey)),
    ...optionalField('context', where),
    ...optionalField('due', when),
    ...optionalField('project', into),
    // The follow-up day belonged to the wait. A task that no longer waits must not stay hidden
    // until then.
    ...optionalField(
      'deferUntil',
      task.state === 'waiting_for' && decision.to !== 'waiting_for' ? undefined : deferUntil,
    ),
    ...optionalField('deletedAt', decision.to === 'deleted' ? localTime.now : undefined),
    ...waitingFields(task, decision, localTime),
  }
}

/** `@Phone` and `phone` are the same context. */
export function contextKey(context: string): string {
  return nameKey(context.replace(/^@/, ''))
}

function waitingFields(
  task: Task,
  { to, waiting_for }: Decision,
  { today }: LocalTime,
): Pick<Task, 'waitingFor' | 'waitingSince'> {
  if (to !== 'waiting_for') return {}
  const who = waiting_for ?? task.waitingFor
  if (who === undefined)
    throw new ToolError(
      'TOOL_MISSING_REQUIRED_FIELD',
      `Name in waiting_for the person or thing that "${task.title}" waits for.`,
      {
        details: {
          validation_errors: [{ field: 'waiting_for', error: 'is required when a task waits' }],
        },
      },
    )
  // The wait for the same person continues.
  const since = who === task.waitingFor ? task.waitingSince : undefined
  return { waitingFor: who, waitingSince: since ?? today }
}
