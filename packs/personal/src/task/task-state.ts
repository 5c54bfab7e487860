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

/** What a thing can be decided to be. */
export const CLARIFIED_STATES = [
  'next_action',
  'project',
  'waiting_for',
  'someday_maybe',
  'reference',
] as const satisfies readonly TaskState[]

/** What may become what. Nothing goes back to the inbox; what was completed or deleted comes back by being clarified. */
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

/** Those that can be put off: what is kept for reference asks for nothing on any day. */
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

/** Refuses what the table of transitions does not know. */
export function requireTransition({ title, state: from }: TitledState, to: TaskState): void {
  if (mayBecome(from, to)) return
  const allowed = TRANSITIONS[from]
  const message =
    from === to
      ? `"${title}" is ${describeState(to)} already.`
      : `"${title}" is ${describeState(from)} and can not be ${describeState(to)}.`
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
    `"${title}" is ${describeState(state)}: there is nothing to put off. Clarify it first.`,
    {
      details: { from: state, to: state, allowed: TRANSITIONS[state] },
    },
  )
}

const WORDS: Readonly<Record<TaskState, string>> = {
  inbox: 'in the inbox',
  next_action: 'a next action',
  project: 'a project',
  waiting_for: 'waiting for somebody',
  someday_maybe: 'something for someday',
  reference: 'kept for reference',
  completed: 'completed',
  deleted: 'deleted',
}

/** How a person would say it. */
export function describeState(state: TaskState): string {
  return WORDS[state]
}
