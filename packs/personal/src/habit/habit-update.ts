import { defineTool, transact } from '@surehand/core'
import { z } from 'zod'
import { type Writing, writeCall } from './moment.ts'
import { habitPermissions } from './permissions.ts'
import {
  HabitCategory,
  HabitDifficulty,
  HabitFrequency,
  HabitName,
  NewHabitName,
  ReminderTime,
  TargetDuration,
  WholeHabitInfo,
} from './shapes.ts'
import { updateHabit } from './writes/update-habit.ts'

const input = z.object({
  habit_name: HabitName,
  new_name: NewHabitName.optional(),
  category: HabitCategory.optional(),
  frequency: HabitFrequency.optional().describe('The streak is counted anew in the new unit'),
  difficulty: HabitDifficulty.optional(),
  description: z.string().max(1000).nullable().optional(),
  cue: z.string().max(500).nullable().optional(),
  routine: z.string().max(500).nullable().optional(),
  reward: z.string().max(500).nullable().optional(),
  target_duration: TargetDuration.nullable().optional().describe('Minutes it takes'),
  reminder_time: ReminderTime.nullable().optional().describe("HH:MM on the person's own clock"),
  status: z
    .enum(['active', 'archived'])
    .optional()
    .describe('archived puts it away; active brings an archived or deleted habit back'),
})

export const habitUpdate = defineTool({
  id: 'habit.update',
  title: 'Update Habit',
  category: 'habit_management',
  version: '2.0.0',
  author: 'PersonalManager Core Team',
  aliases: ['tools.habit.update'],
  description:
    'Change what is said of a habit: its name, category, frequency, difficulty, cue, routine, reward, duration or reminder. Archives a habit and brings an archived or deleted one back. Only the fields that are given change; null takes a text, duration or reminder away. Its records stay.',
  input,
  output: z.object({
    habit_info: WholeHabitInfo,
    changed: z.array(z.string()).describe('The fields that are other than before'),
  }),
  contract: {
    effect: 'writes.habit',
    reversible: true,
    idempotency: 'caller',
    permissions: habitPermissions('update'),
    securityLevel: 'internal',
    limits: [
      { calls: 30, per: '1m' },
      { calls: 300, per: '1h' },
    ],
  },
  examples: [
    {
      name: 'make_it_smaller',
      description: 'Make a habit easier to keep',
      input: { habit_name: 'Evening workout', difficulty: 'tiny', target_duration: 10 },
    },
    {
      name: 'rename',
      description: 'Give a habit another name and no reminder',
      input: { habit_name: 'meditation', new_name: 'Meditation', reminder_time: null },
    },
  ],
  transaction: transact(updateHabit, (execution: Writing<z.output<typeof input>>) => {
    const { habit_name: said, ...changes } = execution.input
    return { ...writeCall(execution, 'habit.write'), said, changes }
  }),
})
