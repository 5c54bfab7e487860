import { defineTool, ToolError } from '@surehand/core'
import { daysBetween } from '@surehand/dates'
import { z } from 'zod'
import type { LocalTime } from '../local-time.ts'
import { personalData } from '../personal-data.ts'
import { openReadContext } from '../read-context.ts'
import { readPreferences } from '../system/preferences.ts'
import { readDay } from '../task/due.ts'
import { findProjectForTask } from '../task/find-project.ts'
import { optionalField } from '../task/task.ts'
import { DueField } from '../task/task-fields.ts'
import { barChart, Chart } from './chart.ts'
import { addUp, bestHours, type Range, readSessions, type Totals } from './deep-work-totals.ts'
import { reviewKeyDay } from './review-facts.ts'
import { minutesOf, SessionView, sessionView } from './session.ts'
import { ownRights, timeRead } from './time-contract.ts'

const Minutes = z.int().min(0)

export const deepWorkReport = defineTool({
  id: 'time.deep_work_report',
  title: 'Deep work report',
  category: 'time_management',
  description:
    'Report deep work by day, ISO week, project and hour, with the average focus and the best hours. A session over midnight counts for both days. By default it reports the current week up to today.',
  version: '2.0.0',
  aliases: ['tools.time.deep_work_report'],
  input: z.object({
    from: DueField.optional().describe(
      'The first day: "2026-01-01", "last Monday". By default the Monday of the week of the last day.',
    ),
    to: DueField.optional().describe('The last day, included; today by default.'),
    project: z.string().trim().min(1).max(200).optional().describe('Only work on this project.'),
  }),
  output: z.object({
    from: z.iso.date(),
    to: z.iso.date(),
    time_zone: z.string(),
    total_minutes: Minutes,
    session_count: z.int(),
    interruptions: z.int(),
    average_focus: z
      .number()
      .optional()
      .describe('1 to 5, weighted by minutes; left out without ratings.'),
    goal_minutes_a_day: z.int(),
    days_on_goal: z.int(),
    by_day: z.array(z.object({ day: z.iso.date(), minutes: Minutes })),
    by_week: z.array(z.object({ week: z.string(), minutes: Minutes })),
    by_project: z
      .array(z.object({ project: z.string().optional(), minutes: Minutes }))
      .describe('An entry without a name is work on no project.'),
    best_hours: z.array(
      z.object({ hour: z.int(), minutes: Minutes, focus: z.number().optional() }),
    ),
    longest: SessionView.optional(),
    running: SessionView.optional().describe('The running session, counted up to now.'),
    charts: z.array(Chart),
    message: z.string(),
  }),
  contract: { ...timeRead, permissions: ownRights('time.read') },
  ports: { data: personalData },
  examples: [
    { name: 'this week', input: {} },
    { name: 'a month', input: { from: '2026-01-01', to: '2026-01-31' } },
  ],
  execute: async (execution) => {
    const context = await openReadContext(execution, 'time.read')
    const range = parseRange(execution.input, context.localTime)
    const { project } = execution.input
    const within =
      project === undefined
        ? undefined
        : await findProjectForTask(context.read, context.person, project)
    const { deep_work_goal_minutes: goal } = await readPreferences(execution.caller, context.read)
    return buildReport(
      addUp(await readSessions(context, range, within), range, context.localTime),
      {
        range,
        localTime: context.localTime,
        goal: Number(goal.value),
      },
    )
  },
})

function buildReport(
  totals: Totals,
  { range, localTime, goal }: { range: Range; localTime: LocalTime; goal: number },
) {
  const byDay = [...totals.byDay]
  const [longest] = totals.sessions.toSorted(
    (one, other) => minutesOf(other, localTime.now) - minutesOf(one, localTime.now),
  )
  const running = totals.sessions.find(({ stoppedAt }) => stoppedAt === undefined)
  return {
    ...range,
    time_zone: localTime.zone,
    total_minutes: totals.minutes,
    session_count: totals.sessions.length,
    interruptions: totals.interruptions,
    goal_minutes_a_day: goal,
    days_on_goal: byDay.filter(([, minutes]) => goal > 0 && minutes >= goal).length,
    by_day: byDay.map(([day, minutes]) => ({ day, minutes })),
    by_week: [...totals.byWeek].map(([week, minutes]) => ({ week, minutes })),
    by_project: [...totals.byProject].map(([project, minutes]) => ({
      ...optionalField('project', project),
      minutes,
    })),
    best_hours: bestHours(totals.byHour, 3).map(({ hour, minutes, focus }) => ({
      hour,
      minutes,
      ...optionalField('focus', focus),
    })),
    charts: [
      barChart({ id: 'by_day', title: 'Deep work a day', unit: 'minutes' }, byDay),
      barChart(
        { id: 'by_hour', title: 'Deep work by the hour', unit: 'minutes' },
        totals.byHour.map(({ hour, minutes }) => [`${hour}:00`, minutes]),
      ),
    ],
    message: `${totals.minutes} minutes of deep work in ${totals.sessions.length} ${totals.sessions.length === 1 ? 'session' : 'sessions'} from ${range.from} to ${range.to}.`,
    ...optionalField('average_focus', totals.focus),
    ...optionalField(
      'longest',
      longest === undefined ? undefined : sessionView(longest, localTime),
    ),
    ...optionalField(
      'running',
      running === undefined ? undefined : sessionView(running, localTime),
    ),
  }
}

const MOST_DAYS = 366

/** Reads a range of days: by default the current week up to today. */
function parseRange(
  { from, to }: { readonly from?: string | undefined; readonly to?: string | undefined },
  localTime: LocalTime,
): Range {
  const last = to === undefined ? localTime.today : readDay(to, localTime, 'to')
  const first = from === undefined ? reviewKeyDay('weekly', last) : readDay(from, localTime, 'from')
  if (first > last) throw rangeError(`${first} is after ${last}`, from)
  if (daysBetween(first, last) >= MOST_DAYS)
    throw rangeError(`from ${first} to ${last} is more than ${MOST_DAYS} days`, from)
  return { from: first, to: last }
}

function rangeError(error: string, value: string | undefined): ToolError {
  return new ToolError('TOOL_INVALID_FIELD_VALUE', `This period is not valid: ${error}.`, {
    details: { validation_errors: [{ field: 'from', error, provided_value: value ?? null }] },
  })
}
