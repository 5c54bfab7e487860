import { defineTool, ToolError, transact } from '@surehand/core'
import { z } from 'zod'
import { type Given, oneself } from '../data/oneself.ts'
import { PREFERENCE_NAMES, PREFERENCES, type PreferenceName } from './preferences.ts'
import { checkSetting, type SettingValue } from './setting.ts'
import { setPreferences } from './transactions.ts'

const text = () => z.string().max(64).nullable().optional()

const Input = z.object({
  time_zone: text().describe('Such as Europe/Berlin; null takes it back.'),
  locale: text().describe('Such as de-AT.'),
  week_start: z.enum(['monday', 'sunday', 'saturday']).nullable().optional(),
  work_start: text().describe('HH:MM'),
  work_end: text().describe('HH:MM, after work_start.'),
  deep_work_goal_minutes: z.int().min(0).max(960).nullable().optional(),
})

function given(
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
    'Changes what holds for the person who asks: time zone, language, working hours, first day of the week. What is left out stays; null takes it back. The time zone decides when a day begins and ends for habits and due dates.',
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
    const changes = given(input)
    if (changes.length === 0)
      throw new ToolError(
        'TOOL_INVALID_INPUT',
        `Nothing is to be changed: name one of ${PREFERENCE_NAMES.join(', ')}.`,
      )
    for (const [name, value] of changes)
      if (value !== null) checkSetting(name, PREFERENCES[name], value)
  },
  transaction: transact(setPreferences, (execution: Given<z.output<typeof Input>>) => ({
    ...oneself(execution, 'preferences.write'),
    now: execution.now(),
    changes: Object.fromEntries(
      given(execution.input).map(([name, value]) => [name, value === null ? null : String(value)]),
    ),
    usual: { work_start: PREFERENCES.work_start.initial, work_end: PREFERENCES.work_end.initial },
  })),
})
