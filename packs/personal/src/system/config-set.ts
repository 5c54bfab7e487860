import { defineTool, defineTransaction, transact } from '@surehand/core'
import { z } from 'zod'
import type { WriteExecution } from '../person.ts'

import { checkSetting } from './setting.ts'
import { SYSTEM_SETTING_NAMES, SYSTEM_SETTINGS } from './system-settings.ts'

type ConfigChange = {
  readonly tenant: string
  readonly by: string
  readonly now: number
  readonly name: string
  /** The value as stored; null resets the setting to its default. */
  readonly value: string | null
}

const SELECT_SETTING = 'select value from pm_system where tenant = ? and name = ?'

const SET = `insert into pm_system (tenant, name, value, updated_by, updated_at) values (?, ?, ?, ?, ?)
  on conflict (tenant, name) do update set value = excluded.value, updated_by = excluded.updated_by, updated_at = excluded.updated_at`

/** Sets a value and returns the previous one. */
const setConfig = defineTransaction(
  'system.config_set',
  async (tx, { tenant, by, now, name, value }: ConfigChange) => {
    const before = await tx.get(SELECT_SETTING, tenant, name)
    if (value === null)
      await tx.run('delete from pm_system where tenant = ? and name = ?', tenant, name)
    else await tx.run(SET, tenant, name, value, by, now)
    return { name, value, previous: before === undefined ? null : String(before.value) }
  },
)

const Input = z.object({
  name: z.enum(SYSTEM_SETTING_NAMES),
  value: z
    .union([z.string().max(200), z.number(), z.boolean(), z.null()])
    .describe("A value of the setting's type; null resets it to the default."),
})

export const configSet = defineTool({
  id: 'system.config_set',
  title: 'Change a setting of the tenant',
  category: 'system_admin',
  description:
    'Change one setting for the whole tenant; null resets it to the default. Returns the previous value, so that it can be restored. system.config_get lists the names and their meanings.',
  version: '2.0.0',
  aliases: ['tools.system.config_set'],
  input: Input,
  output: z.object({
    name: z.string(),
    value: z.string().nullable(),
    previous: z.string().nullable(),
  }),
  contract: {
    effect: 'writes.config',
    reversible: true,
    idempotency: 'caller',
    permissions: {
      roles: ['admin', 'developer'],
      capabilities: [{ name: 'system.config.write', scope: 'all' }],
    },
    securityLevel: 'restricted',
    limits: [
      { calls: 10, per: '1m' },
      { calls: 100, per: '1h' },
    ],
  },
  examples: [
    {
      name: 'switch_off',
      description: 'Switch calendars off for everyone',
      input: { name: 'calendar_feed', value: 'off' },
    },
    {
      name: 'default_zone',
      description: 'Where days begin',
      input: { name: 'default_time_zone', value: 'Europe/Berlin' },
    },
  ],
  check: ({ input: { name, value } }) =>
    value === null ? undefined : checkSetting(name, SYSTEM_SETTINGS[name], value),
  transaction: transact(
    setConfig,
    ({ input, caller, now }: WriteExecution<z.output<typeof Input>>) => ({
      tenant: caller.tenant,
      by: caller.principal,
      now: now(),
      name: input.name,
      value: input.value === null ? null : String(input.value),
    }),
  ),
})
