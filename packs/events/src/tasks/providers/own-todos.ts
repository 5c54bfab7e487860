import { sha256 } from '@surehand/core/internal'
import type { ValueStore } from '@surehand/core/ports'
import { z } from 'zod'
import type { TodosPort, TodosToWrite } from '../todos-port.ts'

const StoredTodos = z.object({ taskIds: z.array(z.string()) })

/** The local to-do list, stored under the idempotency key, so that one key writes once. */
export function ownTodos(values: ValueStore): TodosPort {
  const keyOf = ({ principal, idempotencyKey }: TodosToWrite): string =>
    `events/todos/${encodeURIComponent(principal)}/${idempotencyKey}`
  return {
    async write(request) {
      const { tenant, eventId, todos, idempotencyKey } = request
      const taskIds = todos.map(
        (_, index) => `todo_${sha256(`${idempotencyKey}/${index}`).slice(0, 24)}`,
      )
      await values.set(tenant, keyOf(request), JSON.stringify({ taskIds, eventId, todos }))
      return { taskIds }
    },
    async written({ args }) {
      const stored = await values.get(args.tenant, keyOf(args))
      return stored === undefined ? null : StoredTodos.parse(JSON.parse(stored))
    },
  }
}
