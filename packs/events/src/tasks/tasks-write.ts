import { defineTool } from '@surehand/core'
import { z } from 'zod'
import { todosPort } from './todos-port.ts'

const DAY_OR_MOMENT =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})?)?$/

export const tasksWrite = defineTool({
  id: 'tasks.write',
  title: 'Add to-dos for an event',
  category: 'integration',
  description:
    'Puts things to do for an event on the person\'s list: "buy tickets", "book a table". Each has a title, and may have a day by which it is due.',
  aliases: ['TasksWrite', 'tasks_write'],
  input: z.object({
    eventId: z.string().min(1).max(1_024),
    todos: z
      .array(
        z.object({
          title: z.string().trim().min(1).max(1_024),
          dueDate: z
            .string()
            .regex(DAY_OR_MOMENT, 'must be a day, as in 2026-05-12, or a moment')
            .optional()
            .describe('ISO 8601; only the date is stored.'),
          notes: z.string().max(8_000).optional(),
        }),
      )
      .min(1)
      .max(50),
  }),
  output: z.object({ taskIds: z.array(z.string()) }),
  contract: {
    effect: 'writes.task',
    reversible: true,
    idempotency: 'caller',
    auth: 'session',
    permissions: { roles: ['user'], capabilities: ['tasks.write'] },
    timeout: '10s',
    retries: 1,
  },
  ports: { todos: todosPort },
  examples: [
    {
      name: 'tickets',
      input: { eventId: 'evt_1', todos: [{ title: 'Buy tickets', dueDate: '2026-05-10' }] },
    },
    {
      name: 'two things',
      input: {
        eventId: 'evt_1',
        todos: [
          { title: 'Book a table' },
          { title: 'Charge the camera', notes: 'Both batteries.' },
        ],
      },
    },
  ],
  execute: async ({ input, caller, ports, idempotencyKey, signal }) => {
    const { taskIds } = await ports.todos.write(
      { tenant: caller.tenant, principal: caller.principal, ...input, idempotencyKey },
      signal,
    )
    return { taskIds: [...taskIds] }
  },
})
