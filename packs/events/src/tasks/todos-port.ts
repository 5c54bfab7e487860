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
 * A list of things to do. Lists that give their own ids are asked, after trouble, for what carries
 * the key's mark.
 */
export type TodosPort = {
  readonly write: (todos: TodosToWrite, signal: AbortSignal) => Promise<Written>
  readonly written: (
    asked: { readonly idempotencyKey: string; readonly args: TodosToWrite },
    signal: AbortSignal,
  ) => Promise<Written | null>
}

export const todosPort = definePort<TodosPort>('todos', {
  write: lookUp({ method: 'written', settle: '30s' }),
  written: 'read',
})
