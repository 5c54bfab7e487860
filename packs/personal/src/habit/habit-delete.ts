import { defineTool, transact } from '@surehand/core'
import { z } from 'zod'
import { type Writing, writeCall } from './moment.ts'
import { habitPermissions } from './permissions.ts'
import { HabitName } from './shapes.ts'
import { deleteHabit } from './writes/delete-habit.ts'

const input = z.object({ habit_name: HabitName })

export const habitDelete = defineTool({
  id: 'habit.delete',
  title: 'Delete Habit',
  category: 'habit_management',
  version: '2.0.0',
  author: 'PersonalManager Core Team',
  aliases: ['tools.habit.delete'],
  description:
    'Delete a habit: it is no longer listed, planned or reminded of. Its records are kept, and habit.update with status "active" brings it back. To pause a habit, archive it with habit.update instead.',
  input,
  output: z.object({
    habit_info: z.object({ id: z.string(), name: z.string() }),
    records_kept: z.int(),
    message: z.string(),
  }),
  sideEffects: [
    {
      type: 'delete',
      description: 'Puts a habit out of sight and keeps its records',
      reversible: true,
    },
  ],
  contract: {
    effect: 'writes.habit',
    reversible: true,
    idempotency: 'caller',
    permissions: habitPermissions('delete'),
    securityLevel: 'internal',
    limits: [
      { calls: 10, per: '1m' },
      { calls: 100, per: '1h' },
    ],
  },
  examples: [
    {
      name: 'by_name',
      description: 'Delete a habit by its name',
      input: { habit_name: 'Evening workout' },
    },
    {
      name: 'by_part_of_its_name',
      description: 'Delete a habit by a part of its name',
      input: { habit_name: 'meditation' },
    },
  ],
  transaction: transact(deleteHabit, (execution: Writing<z.output<typeof input>>) => ({
    ...writeCall(execution, 'habit.delete'),
    said: execution.input.habit_name,
  })),
})
