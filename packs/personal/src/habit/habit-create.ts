import { defineTool, defineTransaction, type Tx, transact } from '@surehand/core'
import { z } from 'zod'
import { readLocalTime } from '../local-time.ts'
import { nameKey } from '../name-key.ts'
import type { WriteExecution } from '../person.ts'
import { readHabit } from './habit.ts'
import { buildHabitWrite, type HabitWrite } from './habit-context.ts'
import { habitInfo } from './habit-view.ts'
import { habitPermissions } from './permissions.ts'
import {
  HabitCategory,
  HabitDifficulty,
  HabitFrequency,
  HabitInfo,
  NewHabitName,
  ReminderTime,
  TargetDuration,
} from './shapes.ts'
import { duplicateNameError } from './write-habit.ts'

type NewHabit = {
  readonly name: string
  readonly category: string
  readonly frequency: string
  readonly difficulty: string
  readonly description?: string | undefined
  readonly cue?: string | undefined
  readonly routine?: string | undefined
  readonly reward?: string | undefined
  readonly target_duration?: number | undefined
  readonly reminder_time?: string | undefined
}

// When two habits with the same name are created at once, the unique index stops the second insert,
// which then changes no row.
const INSERT = `insert into pm_habits (tenant, id, owner, name, name_key, category, frequency, difficulty, description, cue, routine, reward,
  target_duration, reminder_time, state, created_at, updated_at, started_on)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'active', ?, ?, ?) on conflict do nothing`

export const createHabit = defineTransaction(
  'habit.create',
  async (
    tx: Tx,
    {
      person,
      caller,
      now,
      id,
      habit,
    }: HabitWrite & { readonly id: string; readonly habit: NewHabit },
  ) => {
    const { today } = await readLocalTime(caller, now, tx.all)
    const name = habit.name.trim()
    const { changes } = await tx.run(
      INSERT,
      ...[
        person.tenant,
        id,
        person.owner,
        name,
        nameKey(name),
        habit.category,
        habit.frequency,
        habit.difficulty,
      ],
      ...[
        habit.description ?? null,
        habit.cue ?? null,
        habit.routine ?? null,
        habit.reward ?? null,
      ],
      ...[habit.target_duration ?? null, habit.reminder_time ?? null, now, now, today],
    )
    if (changes === 0) throw await duplicateNameError(tx, person, name)
    return { habit_info: habitInfo(await readHabit(tx.all, person, id)) }
  },
)

const input = z.object({
  name: NewHabitName.describe(
    'What the habit is called; no two active habits of a person share a name',
  ),
  category: HabitCategory.default('other'),
  frequency: HabitFrequency.default('daily').describe('How often it wants to be done once'),
  difficulty: HabitDifficulty.default('easy'),
  description: z.string().max(1000).optional(),
  cue: z.string().max(500).optional().describe('What sets it off, such as "After dinner cleanup"'),
  routine: z.string().max(500).optional().describe('What exactly is done'),
  reward: z.string().max(500).optional(),
  target_duration: TargetDuration.optional().describe('Minutes it takes'),
  reminder_time: ReminderTime.optional().describe("HH:MM on the person's own clock"),
})

/** As defined by document 004, word for word. */
export const habitCreate = defineTool({
  id: 'habit.create',
  title: 'Create Habit',
  category: 'habit_management',
  version: '2.0.0',
  author: 'PersonalManager Core Team',
  aliases: ['tools.habit.create'],
  description: 'Create a new habit with specified parameters',
  detailedDescription:
    'Creates a new habit based on atomic habits principles, allowing specification of category, frequency, difficulty, cues, routines, and rewards.',
  input,
  output: z.object({ habit_info: HabitInfo }),
  errors: {
    TOOL_INVALID_INPUT: z.object({
      validation_errors: z.array(
        z.object({ field: z.string(), error: z.string(), provided_value: z.unknown() }),
      ),
    }),
    TOOL_RESOURCE_ALREADY_EXISTS: z.object({
      name: z.string(),
      existing_habit: z.object({ id: z.string().nullable(), name: z.string() }),
    }),
  },
  sideEffects: [
    { type: 'write', description: 'Creates new habit record in storage', reversible: true },
  ],
  contract: {
    effect: 'writes.habit',
    reversible: true,
    idempotency: 'caller',
    permissions: habitPermissions('create'),
    securityLevel: 'internal',
    limits: [
      { calls: 10, per: '1m' },
      { calls: 100, per: '1h' },
    ],
  },
  examples: [
    {
      name: 'simple_habit',
      description: 'Create a simple daily habit',
      input: {
        name: 'Morning meditation',
        category: 'mindfulness',
        frequency: 'daily',
        difficulty: 'easy',
      },
    },
    {
      name: 'complex_habit',
      description: 'Create a habit with all parameters',
      input: {
        name: 'Evening workout',
        category: 'health',
        frequency: 'daily',
        difficulty: 'medium',
        description: '30-minute strength training session',
        cue: 'After dinner cleanup',
        routine: '15 min strength + 15 min flexibility',
        reward: 'Listen to favorite podcast',
        target_duration: 30,
        reminder_time: '19:30',
      },
    },
  ],
  outputExamples: [
    {
      name: 'successful_creation',
      scenario: 'Habit created successfully',
      data: {
        habit_info: {
          id: 'hab_abc123',
          name: 'Morning meditation',
          category: 'mindfulness',
          frequency: 'daily',
          difficulty: 'easy',
          created_at: '2025-01-15T08:30:00Z',
        },
      },
    },
  ],
  transaction: transact(createHabit, (execution: WriteExecution<z.output<typeof input>>) => ({
    ...buildHabitWrite(execution, 'habit.write'),
    id: execution.newId('hab'),
    habit: execution.input,
  })),
})
