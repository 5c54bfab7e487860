import { defineTool, defineTransaction, type Tx, transact } from '@surehand/core'
import { z } from 'zod'
import type { WriteExecution } from '../person.ts'
import { buildHabitWrite, type HabitWrite } from './habit-context.ts'
import { habitPermissions } from './permissions.ts'
import { HabitName } from './shapes.ts'
import { lockHabit } from './write-habit.ts'

const DELETE = "update pm_habits set state = 'deleted' where tenant = ? and id = ?"

const COUNT = 'select count(*) as n from pm_habit_records where tenant = ? and habit_id = ?'

/** Marks a habit as deleted. Its records stay, so that it can be restored completely. */
const deleteHabit = defineTransaction(
  'habit.delete',
  async (tx: Tx, { person, now, query }: HabitWrite & { readonly query: string }) => {
    const { id, name } = await lockHabit(tx, person, { query, now })
    await tx.run(DELETE, person.tenant, id)
    const row = await tx.get(COUNT, person.tenant, id)
    return {
      habit_info: { id, name },
      records_kept: Number(row?.n ?? 0),
      message: `"${name}" is deleted. To restore it with its records, call habit.update { "habit_name": "${id}", "status": "active" }.`,
    }
  },
)

const input = z.object({ habit_name: HabitName })

export const habitDelete = defineTool({
  id: 'habit.delete',
  title: 'Delete Habit',
  category: 'habit_management',
  version: '2.0.0',
  author: 'PersonalManager Core Team',
  aliases: ['tools.habit.delete'],
  description:
    'Delete a habit: it is no longer listed, planned or reminded of. Its records are kept, and habit.update with status "active" restores it. To pause a habit, archive it with habit.update instead.',
  input,
  output: z.object({
    habit_info: z.object({ id: z.string(), name: z.string() }),
    records_kept: z.int(),
    message: z.string(),
  }),
  sideEffects: [
    {
      type: 'delete',
      description: 'Hides a habit and keeps its records',
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
  transaction: transact(deleteHabit, (execution: WriteExecution<z.output<typeof input>>) => ({
    ...buildHabitWrite(execution, 'habit.delete'),
    query: execution.input.habit_name,
  })),
})
