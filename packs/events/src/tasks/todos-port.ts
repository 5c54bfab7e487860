import { definePort, lookUp } from '@surehand/core'

export type Todo = {
  readonly title: string
  readonly dueDate?: string | undefined
  readonly notes?: string | undefined
}

export type TodosToWrite = {
  readonly tenant: string
  readonly principal: string
  readonly eventId: string
  readonly todos: readonly Todo[]
  readonly idempotencyKey: string
}

export type Written = { readonly taskIds: readonly string[] }

/**
 * A to-do list. A list that assigns its own ids cannot recognise a key: after a failure it is
 * searched for entries with the marker of the key.
 */
export type TodosPort = {
  readonly write: (todos: TodosToWrite, signal: AbortSignal) => Promise<Written>
  readonly written: (
    query: { readonly idempotencyKey: string; readonly args: TodosToWrite },
    signal: AbortSignal,
  ) => Promise<Written | null>
}

export const todosPort = definePort<TodosPort>('todos', {
  write: lookUp({ method: 'written', settle: '30s' }),
  written: 'read',
})
