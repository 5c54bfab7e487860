import { ToolError } from '@surehand/core'

export const TASK_STATES = [
  'inbox',
  'next_action',
  'project',
  'waiting_for',
  'someday_maybe',
  'reference',
  'completed',
  'deleted',
] as const
export type TaskState = (typeof TASK_STATES)[number]

/** The states that a task can be clarified to. */
export const CLARIFIED_STATES = [
  'next_action',
  'project',
  'waiting_for',
  'someday_maybe',
  'reference',
] as const satisfies readonly TaskState[]

/**
 * The allowed transitions. No task returns to the inbox; completed and deleted tasks are restored
 * by task.clarify.
 */
export const TRANSITIONS: Readonly<Record<TaskState, readonly TaskState[]>> = {
  inbox: [...CLARIFIED_STATES, 'completed', 'deleted'],
  next_action: [...CLARIFIED_STATES, 'completed', 'deleted'],
  project: [...CLARIFIED_STATES, 'completed', 'deleted'],
  waiting_for: [...CLARIFIED_STATES, 'completed', 'deleted'],
  someday_maybe: [...CLARIFIED_STATES, 'completed', 'deleted'],
  reference: [...CLARIFIED_STATES, 'deleted'],
  completed: ['next_action', 'deleted'],
  deleted: CLARIFIED_STATES,
}

/** The states that can be deferred; reference material has no date on which it is needed. */
export const DEFERRABLE_STATES: readonly TaskState[] = [
  'inbox',
  'next_action',
  'project',
  'waiting_for',
  'someday_maybe',
]

export function mayBecome(from: TaskState, to: TaskState): boolean {
  return TRANSITIONS[from].includes(to)
}

type TitledState = { readonly title: string; readonly state: TaskState }

/** Refuses a transition that the table does not allow. */
export function requireTransition({ title, state: from }: TitledState, to: TaskState): void {
  if (mayBecome(from, to)) return
  const allowed = TRANSITIONS[from]
  const message =
    from === to
      ? `"${title}" is already ${describeState(to)}.`
      : `"${title}" is ${describeState(from)} and cannot become ${describeState(to)}.`
  throw new ToolError(
    'TOOL_INVALID_FIELD_VALUE',
    `${message} It may become ${allowed.join(', ')}.`,
    { details: { from, to, allowed } },
  )
}

export function requireDeferrable({ title, state }: TitledState): void {
  if (DEFERRABLE_STATES.includes(state)) return
  throw new ToolError(
    'TOOL_INVALID_FIELD_VALUE',
    `"${title}" is ${describeState(state)} and cannot be deferred. Clarify it first.`,
    {
      details: { from: state, to: state, allowed: TRANSITIONS[state] },
    },
  )
}

const WORDS: Readonly<Record<TaskState, string>> = {
  inbox: 'in the inbox',
  next_action: 'a next action',
  project: 'a project',
  waiting_for: 'waiting for a person',
  someday_maybe: 'something for someday',
  reference: 'kept for reference',
  completed: 'completed',
  deleted: 'deleted',
}

/** The state in words. */
export function describeState(state: TaskState): string {
  return WORDS[state]
}
