import { defineTool, ToolError } from '@surehand/core'
import { dayOf } from '@surehand/dates'
import { z } from 'zod'
import { readTimeZone } from '../local-time.ts'
import { requireSelfScope } from '../person.ts'
import { bindReader, personalData } from '../personal-data.ts'
import { readPreferences } from '../system/preferences.ts'
import { MEASURES } from './measures.ts'

import { namedPeriod, PERIODS, periodBetween } from './period.ts'

const Day = z.iso.date()

export const dataReport = defineTool({
  id: 'data.report',
  title: 'Report on your data',
  category: 'data_analysis',
  description:
    "Numbers of one person over a period: tasks, habits, deep work, projects, notes. Days are in the person's time zone. For numbers over all people an administrator uses data.analyze.",
  version: '2.0.0',
  aliases: ['tools.data.report'],
  input: z.object({
    period: z.enum(PERIODS).default('this_week').describe('Ignored when from and to are given.'),
    from: Day.optional().describe('The first day; requires to.'),
    to: Day.optional().describe('The last day, included.'),
  }),
  output: z.object({
    from: Day,
    to: Day,
    time_zone: z.string(),
    numbers: z.array(z.object({ name: z.string(), about: z.string(), value: z.number() })),
  }),
  contract: {
    effect: 'read',
    permissions: { roles: ['user'], capabilities: [{ name: 'data.report', scope: 'self_only' }] },
    securityLevel: 'confidential',
    limits: [
      { calls: 30, per: '1m' },
      { calls: 500, per: '1h' },
    ],
  },
  ports: { data: personalData },
  examples: [
    { name: 'this_week', input: {} },
    {
      name: 'a_month',
      description: 'From one day to another',
      input: { from: '2026-01-01', to: '2026-01-31' },
    },
  ],
  check: ({ input: { from, to } }) => {
    if ((from === undefined) !== (to === undefined))
      throw new ToolError(
        'TOOL_MISSING_REQUIRED_FIELD',
        'A period needs both ends. Give both from and to, or neither.',
      )
  },
  execute: async (execution) => {
    const { period: name, from, to } = execution.input
    const { tenant, owner } = requireSelfScope(execution, 'data.report')
    const read = bindReader(execution)
    const timeZone = await readTimeZone(execution.caller, read)
    const { week_start } = await readPreferences(execution.caller, read)
    const now = execution.now()
    const period =
      from === undefined || to === undefined
        ? namedPeriod(name, { now, timeZone, weekStart: String(week_start.value) })
        : periodBetween(from, to, timeZone)
    const numbers: { name: string; about: string; value: number }[] = []
    for (const measure of MEASURES) {
      const rows = measure.rows.replace('{whose}', 'tenant = ? and owner = ?')
      const bounds = measure.bounds(period, dayOf(now, timeZone))
      const [row] = await read(
        `select ${measure.value} as n from ${rows}`,
        tenant,
        owner,
        ...bounds,
      )
      numbers.push({
        name: measure.name,
        about: measure.about,
        value: Math.round(Number(row?.n ?? 0)),
      })
    }
    return { from: period.from, to: period.to, time_zone: timeZone, numbers }
  },
})
