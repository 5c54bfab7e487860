import { sha256 } from '@surehand/core/internal'
import type { ValueStore } from '@surehand/core/ports'
import { z } from 'zod'
import type { TodosPort, TodosToWrite } from '../todos-port.ts'

const Kept = z.object({ taskIds: z.array(z.string()) })

/** The local task list: stored under the key it was written with, so that one key writes once. */
export function ownTodos(values: ValueStore): TodosPort {
  const keyOf = ({ principal, idempotencyKey }: TodosToWrite): string =>
    `events/todos/${encodeURIComponent(principal)}/${idempotencyKey}`
  return {
    async write(wanted) {
      const { tenant, eventId, todos, idempotencyKey } = wanted
      const taskIds = todos.map(
        (_, index) => `todo_${sha256(`${idempotencyKey}/${index}`).slice(0, 24)}`,
      )
      await values.set(tenant, keyOf(wanted), JSON.stringify({ taskIds, eventId, todos }))
      return { taskIds }
    },
    async written({ args }) {
      const kept = await values.get(args.tenant, keyOf(args))
      return kept === undefined ? null : Kept.parse(JSON.parse(kept))
    },
  }
}
