import { defineTool, defineTransaction, ToolError, type Tx, transact } from '@surehand/core'
import { z } from 'zod'
import { type LocalTime, readLocalTime } from '../local-time.ts'
import type { WriteExecution } from '../person.ts'
import type { Habit } from './habit.ts'
import { buildHabitWrite, type HabitWrite } from './habit-context.ts'
import { streakView, streakWords } from './habit-view.ts'
import { habitPermissions } from './permissions.ts'
import { readPastDay } from './read-day.ts'
import { deleteDay, recordDay, type StoredRecord } from './record-day.ts'
import { CivilDay, HabitName, Streak } from './shapes.ts'
import type { Run } from './streak.ts'
import { lockHabit } from './write-habit.ts'

type Completion = {
  readonly habit_name: string
  readonly date?: string | undefined
  readonly completed: boolean
  readonly quality?: number | undefined
  readonly duration_minutes?: number | undefined
  readonly note?: string | undefined
}

const recordCompletion = defineTransaction(
  'habit.record_completion',
  async (
    tx: Tx,
    { person, caller, now, completion }: HabitWrite & { readonly completion: Completion },
  ) => {
    const localTime = await readLocalTime(caller, now, tx.all)
    const day = readPastDay(completion.date, localTime)
    const habit = await lockHabit(tx, person, { query: completion.habit_name, now })
    if (!completion.completed) {
      const { run, wasThere } = await deleteDay(
        tx,
        { person, habit },
        { day, zone: localTime.zone },
      )
      if (!wasThere) throw noRecordError(habit, day)
      return buildAnswer(habit, { localTime, run }, { action: 'removed', date: day })
    }
    const { quality, duration_minutes: minutes, note } = completion
    const { kept, run, wasThere } = await recordDay(
      tx,
      { person, habit },
      { day, zone: localTime.zone, quality, minutes, note, recordedAt: now },
    )
    return buildAnswer(
      habit,
      { localTime, run },
      { action: wasThere ? 'updated' : 'created', ...recordView(kept) },
    )
  },
)

type RecordAnswer = { readonly action: 'created' | 'updated' | 'removed'; readonly date: string }

function buildAnswer(
  habit: Habit,
  { localTime, run }: { readonly localTime: LocalTime; readonly run: Run },
  record: RecordAnswer,
) {
  const streak = streakView(habit, run, localTime)
  const when = record.date === localTime.today ? 'today' : `on ${record.date}`
  const done = {
    created: `is done ${when}`,
    updated: `was already done ${when}; the record is updated`,
    removed: `is not done ${when}`,
  }
  return {
    habit_info: { id: habit.id, name: habit.name, frequency: habit.frequency },
    record,
    streak,
    message: `"${habit.name}" ${done[record.action]}. The streak is ${streakWords(streak.current, streak.unit)}.`,
  }
}

function recordView({ day, quality, minutes, note }: StoredRecord) {
  return {
    date: day,
    ...(quality === null ? {} : { quality }),
    ...(minutes === null ? {} : { duration_minutes: minutes }),
    ...(note === null ? {} : { note }),
  }
}

function noRecordError({ name }: Habit, day: string): ToolError {
  return new ToolError(
    'TOOL_RESOURCE_NOT_FOUND',
    `"${name}" has no record on ${day}, so there is nothing to remove.`,
    {
      details: { searched_name: name, date: day },
    },
  )
}

const input = z.object({
  habit_name: HabitName,
  date: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe(
      "A day that is not in the future, in the person's calendar: 2026-01-15, yesterday, last Monday. Today when left out",
    ),
  completed: z.boolean().default(true).describe('false removes the record of that day'),
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
    'Record that a habit was done on a day, today by default. There is one record per day: recording a day again updates the given fields of its record. completed: false removes the record. Returns the streak.',
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
    // The key is not derived from habit and date: "today" is another day tomorrow, and correcting
    // the quality of a day is the same day with another input.
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
      description: 'Record an earlier day',
      input: { habit_name: 'workout', date: 'yesterday', note: 'Only the flexibility part' },
    },
  ],
  transaction: transact(recordCompletion, (execution: WriteExecution<z.output<typeof input>>) => ({
    ...buildHabitWrite(execution, 'habit.write'),
    completion: execution.input,
  })),
})
