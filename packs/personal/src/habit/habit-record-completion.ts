import { defineTool, transact } from '@surehand/core'
import { z } from 'zod'
import { type Writing, writeCall } from './moment.ts'
import { habitPermissions } from './permissions.ts'
import { CivilDay, HabitName, Streak } from './shapes.ts'
import { recordCompletion } from './writes/record-completion.ts'

const input = z.object({
  habit_name: HabitName,
  date: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe(
      "A day that is not in the future, in the person's own calendar: 2026-01-15, yesterday, last Monday. Today without it",
    ),
  completed: z.boolean().default(true).describe('false takes the record of that day back'),
  quality: z.int().min(1).max(5).optional().describe('How well it went, 1 to 5'),
  duration_minutes: z.int().min(1).max(1440).optional(),
  note: z.string().max(1000).optional(),
})

export const habitRecordCompletion = defineTool({
  id: 'habit.record_completion',
  title: 'Record Habit Completion',
  category: 'habit_management',
  version: '2.0.0',
  author: 'PersonalManager Core Team',
  aliases: ['tools.habit.record_completion'],
  description:
    'Record that a habit was done on a day: today unless a date is given. There is one record a day: recording a day again adds to its record and changes what is given anew. completed: false takes the record of that day back. Answers with the streak.',
  input,
  output: z.object({
    habit_info: z.object({ id: z.string(), name: z.string(), frequency: z.string() }),
    record: z.object({
      action: z.enum(['created', 'updated', 'removed']),
      date: CivilDay,
      quality: z.int().min(1).max(5).optional(),
      duration_minutes: z.int().optional(),
      note: z.string().optional(),
    }),
    streak: Streak,
    message: z.string(),
  }),
  contract: {
    effect: 'writes.habit',
    reversible: true,
    // not by habit and date: "today" is another day tomorrow, and a day whose quality is corrected is the same day with another input
    idempotency: 'caller',
    permissions: habitPermissions('update'),
    securityLevel: 'internal',
    limits: [
      { calls: 60, per: '1m' },
      { calls: 600, per: '1h' },
    ],
  },
  examples: [
    {
      name: 'done_today',
      description: 'Record that a habit was done today',
      input: { habit_name: 'Morning meditation', quality: 4, duration_minutes: 15 },
    },
    {
      name: 'done_yesterday',
      description: 'Record what was done on an earlier day',
      input: { habit_name: 'workout', date: 'yesterday', note: 'Only the flexibility part' },
    },
  ],
  transaction: transact(recordCompletion, (execution: Writing<z.output<typeof input>>) => ({
    ...writeCall(execution, 'habit.write'),
    completion: execution.input,
  })),
})
