import { defineTool, defineTransaction, ToolError, transact } from '@surehand/core'
import { z } from 'zod'
import { requireSelfScope, type WriteExecution } from '../person.ts'

import { PREFERENCE_NAMES, PREFERENCES, type PreferenceName } from './preferences.ts'
import { checkSetting, type SettingValue } from './setting.ts'

type PreferenceChange = {
  readonly tenant: string
  readonly owner: string
  readonly now: number
  readonly changes: Readonly<Record<string, string | null>>
  /** The working day of a person who has not set one. */
  readonly usual: { readonly work_start: string; readonly work_end: string }
}

const PREFER = `insert into pm_preferences (tenant, owner, name, value, updated_at) values (?, ?, ?, ?, ?)
  on conflict (tenant, owner, name) do update set value = excluded.value, updated_at = excluded.updated_at`

const WORKING_DAY =
  "select name, value from pm_preferences where tenant = ? and owner = ? and name in ('work_start', 'work_end')"

const setPreferences = defineTransaction(
  'system.preferences_set',
  async (tx, { tenant, owner, now, changes, usual }: PreferenceChange) => {
    for (const [name, value] of Object.entries(changes)) {
      if (value === null)
        await tx.run(
          'delete from pm_preferences where tenant = ? and owner = ? and name = ?',
          tenant,
          owner,
          name,
        )
      else await tx.run(PREFER, tenant, owner, name, value, now)
    }
    const stored = Object.fromEntries(
      (await tx.all(WORKING_DAY, tenant, owner)).map(({ name, value }) => [
        String(name),
        String(value),
      ]),
    )
    const { work_start, work_end } = { ...usual, ...stored }
    if (work_start >= work_end)
      throw new ToolError(
        'TOOL_INVALID_FIELD_VALUE',
        `A working day from ${work_start} to ${work_end} ends before it begins. Set both work_start and work_end.`,
        {
          details: { work_start, work_end },
        },
      )
    return { changed: Object.keys(changes).toSorted() }
  },
)

const text = () => z.string().max(64).nullable().optional()

const Input = z.object({
  time_zone: text().describe('For example Europe/Berlin; null resets it.'),
  locale: text().describe('Such as de-AT.'),
  week_start: z.enum(['monday', 'sunday', 'saturday']).nullable().optional(),
  work_start: text().describe('HH:MM'),
  work_end: text().describe('HH:MM, after work_start.'),
  deep_work_goal_minutes: z.int().min(0).max(960).nullable().optional(),
})

function changedPreferences(
  input: z.output<typeof Input>,
): readonly (readonly [PreferenceName, SettingValue | null])[] {
  return PREFERENCE_NAMES.flatMap((name) => {
    const value = input[name]
    return value === undefined ? [] : [[name, value] as const]
  })
}

export const preferencesSet = defineTool({
  id: 'system.preferences_set',
  title: 'Set your preferences',
  category: 'system_admin',
  description:
    'Change the preferences of the calling person: time zone, language, working hours, first day of the week. Fields that are left out stay; null resets one. The time zone decides when a day begins and ends for habits and due dates.',
  version: '2.0.0',
  aliases: ['tools.system.preferences_set'],
  input: Input,
  output: z.object({ changed: z.array(z.string()) }),
  contract: {
    effect: 'writes.preferences',
    reversible: true,
    idempotency: 'caller',
    permissions: {
      roles: ['user'],
      capabilities: [{ name: 'preferences.write', scope: 'self_only' }],
      resources: [{ type: 'user_preferences', mode: 'update', scope: 'current_user' }],
    },
    limits: [
      { calls: 10, per: '1m' },
      { calls: 100, per: '1h' },
    ],
  },
  examples: [
    { name: 'zone', description: 'Days begin in Lisbon', input: { time_zone: 'Europe/Lisbon' } },
    {
      name: 'hours',
      description: 'A later working day',
      input: { work_start: '10:00', work_end: '18:30' },
    },
  ],
  check: ({ input }) => {
    const changes = changedPreferences(input)
    if (changes.length === 0)
      throw new ToolError(
        'TOOL_INVALID_INPUT',
        `Nothing to change. Name one of ${PREFERENCE_NAMES.join(', ')}.`,
      )
    for (const [name, value] of changes)
      if (value !== null) checkSetting(name, PREFERENCES[name], value)
  },
  transaction: transact(setPreferences, (execution: WriteExecution<z.output<typeof Input>>) => ({
    ...requireSelfScope(execution, 'preferences.write'),
    now: execution.now(),
    changes: Object.fromEntries(
      changedPreferences(execution.input).map(([name, value]) => [
        name,
        value === null ? null : String(value),
      ]),
    ),
    usual: { work_start: PREFERENCES.work_start.initial, work_end: PREFERENCES.work_end.initial },
  })),
})
