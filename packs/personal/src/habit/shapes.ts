import { Rfc3339DateTime } from '@surehand/documents'
import { z } from 'zod'

export const HabitCategory = z.enum([
  'health',
  'learning',
  'productivity',
  'mindfulness',
  'social',
  'creative',
  'other',
])
export const HabitFrequency = z.enum(['daily', 'weekly', 'monthly'])
export const HabitDifficulty = z.enum(['tiny', 'easy', 'medium', 'hard'])
export type Difficulty = z.output<typeof HabitDifficulty>

/** The name of a new habit. */
export const NewHabitName = z
  .string()
  .min(1, { abort: true })
  .max(200)
  .refine((name) => name.trim() !== '', { error: 'must not be blank' })

/** A query for an existing habit. */
export const HabitName = z
  .string()
  .min(1)
  .max(200)
  .describe('Name, partial name or id of the habit; small misspellings are accepted')

// The regular expression is the published format of document 004; it also matches 29:75, which the
// refinement refuses.
export const ReminderTime = z
  .string()
  .regex(/^\d{2}:\d{2}$/, { abort: true })
  .refine((time) => time.slice(0, 2) < '24' && time.slice(3) < '60', {
    error: 'must be a time between 00:00 and 23:59',
  })

export const TargetDuration = z.int().min(1).max(480)

export const CivilDay = z.iso
  .date()
  .meta({ title: 'day', description: 'A calendar day, YYYY-MM-DD.' })

/** The answer of habit.create, as in document 004. */
export const HabitInfo = z.object({
  id: z.string(),
  name: z.string(),
  category: z.string(),
  frequency: z.string(),
  difficulty: z.string(),
  created_at: Rfc3339DateTime,
})

/** The same with all other fields. */
export const WholeHabitInfo = HabitInfo.extend({
  status: z.enum(['active', 'archived', 'deleted']),
  started_on: CivilDay,
  description: z.string().optional(),
  cue: z.string().optional(),
  routine: z.string().optional(),
  reward: z.string().optional(),
  target_duration: z.int().optional().describe('Minutes'),
  reminder_time: z.string().optional(),
})

export const Streak = z.object({
  current: z.int().describe('Consecutive periods up to now; 0 when the last one was missed'),
  longest: z.int(),
  unit: z.enum(['days', 'weeks', 'months']),
  last_completed: CivilDay.optional(),
  is_at_risk: z
    .boolean()
    .describe('The streak ends unless the habit is done in the current day, week or month'),
})

export const Rate = z.number().min(0).max(1)
