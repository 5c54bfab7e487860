import { defineTransaction, ToolError, type Tx } from '@surehand/core'
import type { Habit } from '../habit.ts'
import { streakView, streakWords } from '../habit-view.ts'
import { type Moment, momentOf, type WriteCall } from '../moment.ts'
import { readPastDay } from '../read-day.ts'
import { forgetDay, type KeptRecord, recordDay } from '../record-day.ts'
import type { Run } from '../streak.ts'
import { lockHabit } from './lock-habit.ts'

export type Completion = {
  readonly habit_name: string
  readonly date?: string | undefined
  readonly completed: boolean
  readonly quality?: number | undefined
  readonly duration_minutes?: number | undefined
  readonly note?: string | undefined
}

export const recordCompletion = defineTransaction(
  'habit.record_completion',
  async (
    tx: Tx,
    { person, caller, now, completion }: WriteCall & { readonly completion: Completion },
  ) => {
    const moment = await momentOf(caller, now, tx.all)
    const day = readPastDay(completion.date, moment)
    const habit = await lockHabit(tx, person, { said: completion.habit_name, now })
    if (!completion.completed) {
      const { run, wasThere } = await forgetDay(tx, { person, habit }, { day, zone: moment.zone })
      if (!wasThere) throw nothingThere(habit, day)
      return answer(habit, { moment, run }, { action: 'removed', date: day })
    }
    const { quality, duration_minutes: minutes, note } = completion
    const { kept, run, wasThere } = await recordDay(
      tx,
      { person, habit },
      { day, zone: moment.zone, quality, minutes, note, recordedAt: now },
    )
    return answer(
      habit,
      { moment, run },
      { action: wasThere ? 'updated' : 'created', ...recordView(kept) },
    )
  },
)

type Told = { readonly action: 'created' | 'updated' | 'removed'; readonly date: string }

function answer(
  habit: Habit,
  { moment, run }: { readonly moment: Moment; readonly run: Run },
  record: Told,
) {
  const streak = streakView(habit, run, moment)
  const when = record.date === moment.today ? 'today' : `on ${record.date}`
  const done = {
    created: `is done ${when}`,
    updated: `was done ${when} already; the record is updated`,
    removed: `is not done ${when}`,
  }
  return {
    habit_info: { id: habit.id, name: habit.name, frequency: habit.frequency },
    record,
    streak,
    message: `"${habit.name}" ${done[record.action]}. The streak is ${streakWords(streak.current, streak.unit)}.`,
  }
}

function recordView({ day, quality, minutes, note }: KeptRecord) {
  return {
    date: day,
    ...(quality === null ? {} : { quality }),
    ...(minutes === null ? {} : { duration_minutes: minutes }),
    ...(note === null ? {} : { note }),
  }
}

function nothingThere({ name }: Habit, day: string): ToolError {
  return new ToolError(
    'TOOL_RESOURCE_NOT_FOUND',
    `"${name}" has no record on ${day}: there is nothing to take back.`,
    {
      details: { searched_name: name, date: day },
    },
  )
}
