import { defineTool, ToolError } from '@surehand/core'
import { dayOf } from '@surehand/dates'
import { z } from 'zod'
import { bindReader, personalData, type Reader } from '../personal-data.ts'
import { systemSettings } from '../system/system-settings.ts'
import { MEASURES, type Measure } from './measures.ts'
import { namedPeriod, type Period } from './period.ts'

/** Groups of fewer people than this are suppressed: a person could be recognised by the number. */
const FEWEST_PEOPLE = 3

// Free date ranges are not offered: two ranges that differ by one day would reveal that day of a
// person.
const WHOLE_PERIODS = ['last_week', 'this_month', 'last_month', 'this_year'] as const

const GroupView = z.object({
  group: z.string(),
  people: z.int().optional(),
  value: z.number().optional(),
  suppressed: z.boolean().optional(),
})
const Analysis = z.object({
  name: z.string(),
  about: z.string(),
  people: z.int().optional().describe('Left out when there are too few people.'),
  value: z.number().optional(),
  average: z.number().optional(),
  suppressed: z.boolean(),
  groups: z.array(GroupView),
})

export const dataAnalyze = defineTool({
  id: 'data.analyze',
  title: 'Analyse the data of the tenant',
  category: 'data_analysis',
  description: `Statistics over all people of the tenant and a period, for an administrator. Sums and averages only: no person is named, and groups of fewer than ${FEWEST_PEOPLE} people are suppressed. For a person's own numbers use data.report.`,
  version: '2.0.0',
  aliases: ['tools.data.analyze'],
  input: z.object({ period: z.enum(WHOLE_PERIODS).default('last_month') }),
  output: z.object({
    from: z.iso.date(),
    to: z.iso.date(),
    fewest_people: z.int(),
    numbers: z.array(Analysis),
  }),
  contract: {
    effect: 'read',
    permissions: { roles: ['admin'], capabilities: [{ name: 'data.analyze', scope: 'all' }] },
    securityLevel: 'restricted',
    timeout: '30s',
    limits: [
      { calls: 10, per: '1m' },
      { calls: 100, per: '1h' },
    ],
  },
  ports: { data: personalData },
  examples: [{ name: 'last_month', input: {} }],
  execute: async (execution) => {
    const { caller, input } = execution
    const read = bindReader(execution)
    const settings = await systemSettings(caller, read)
    if (settings.aggregate_reports === 'off')
      throw new ToolError(
        'TOOL_GATE_CLOSED',
        'An administrator has switched statistics over all people off (setting aggregate_reports).',
      )
    const timeZone = String(settings.default_time_zone)
    const now = execution.now()
    const period = namedPeriod(input.period, {
      now,
      timeZone,
      weekStart: String(settings.default_week_start),
    })
    const numbers: z.input<typeof Analysis>[] = []
    for (const measure of MEASURES)
      numbers.push(
        await analyseMeasure(read, measure, {
          tenant: caller.tenant,
          period,
          today: dayOf(now, timeZone),
        }),
      )
    return { from: period.from, to: period.to, fewest_people: FEWEST_PEOPLE, numbers }
  },
})

type Over = { readonly tenant: string; readonly period: Period; readonly today: string }

async function analyseMeasure(
  read: Reader,
  measure: Measure,
  { tenant, period, today }: Over,
): Promise<z.input<typeof Analysis>> {
  const { name, about, by } = measure
  const rows = measure.rows.replace('{whose}', 'tenant = ?')
  const values = [tenant, ...measure.bounds(period, today)]
  const counted = `count(distinct owner) as people, ${measure.value} as n`
  const [whole] = await read(`select ${counted} from ${rows}`, ...values)
  const people = Number(whole?.people ?? 0)
  if (people < FEWEST_PEOPLE) return { name, about, suppressed: true, groups: [] }
  const value = Math.round(Number(whole?.n ?? 0))
  const grouped =
    by === undefined
      ? []
      : await read(
          `select ${by} as grouped, ${counted} from ${rows} group by ${by} order by ${by}`,
          ...values,
        )
  const groups = grouped.map((row) => ({
    group: String(row.grouped ?? 'none'),
    people: Number(row.people),
    value: Math.round(Number(row.n)),
  }))
  return {
    name,
    about,
    people,
    value,
    average: Math.round((value / people) * 100) / 100,
    suppressed: false,
    groups: [...suppressSmall(groups)],
  }
}

/** A value over a group of people. */
type Group = { readonly group: string; readonly people: number; readonly value: number }

type ShownGroup = Group | { readonly group: string; readonly suppressed: true }

/**
 * Suppresses groups that are too small. When there is only one, the next smallest is suppressed
 * too: its value could otherwise be computed from the total.
 */
export function suppressSmall(groups: readonly Group[]): readonly ShownGroup[] {
  const bySize = groups.toSorted((one, other) => one.people - other.people)
  const small = bySize.filter(({ people }) => people < FEWEST_PEOPLE)
  const hidden = new Set(small.length === 1 ? bySize.slice(0, 2) : small)
  return groups.map((one) => (hidden.has(one) ? { group: one.group, suppressed: true } : one))
}
