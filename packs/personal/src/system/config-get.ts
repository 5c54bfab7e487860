import { defineTool } from '@surehand/core'
import { z } from 'zod'
import { bindReader, personalData } from '../personal-data.ts'
import { readSettings } from './setting.ts'
import { SELECT_SYSTEM_SETTINGS, SYSTEM_SETTING_NAMES, SYSTEM_SETTINGS } from './system-settings.ts'

const Value = z.union([z.string(), z.number(), z.boolean()])

export const configGet = defineTool({
  id: 'system.config_get',
  title: 'Get settings of the tenant',
  category: 'system_admin',
  description:
    'List the settings that an administrator made for the whole tenant, each with its value, default and meaning. For the preferences of one person, use system.preferences_get.',
  version: '2.0.0',
  aliases: ['tools.system.config_get'],
  input: z.object({
    name: z
      .enum(SYSTEM_SETTING_NAMES)
      .optional()
      .describe('Only this setting; all of them when left out.'),
  }),
  output: z.object({
    settings: z.array(
      z.object({
        name: z.string(),
        value: Value,
        default: Value,
        is_set: z.boolean(),
        about: z.string(),
      }),
    ),
  }),
  contract: {
    effect: 'read',
    permissions: {
      roles: ['admin', 'developer'],
      capabilities: [{ name: 'system.config.read', scope: 'all' }],
    },
    securityLevel: 'confidential',
    limits: [
      { calls: 30, per: '1m' },
      { calls: 500, per: '1h' },
    ],
  },
  ports: { data: personalData },
  examples: [
    { name: 'all_settings', description: 'Every setting of the tenant', input: {} },
    {
      name: 'one_setting',
      description: 'One setting by its name',
      input: { name: 'calendar_feed' },
    },
  ],
  execute: async (execution) => {
    const set = readSettings(
      SYSTEM_SETTINGS,
      await bindReader(execution)(SELECT_SYSTEM_SETTINGS, execution.caller.tenant),
    )
    const { name: wanted } = execution.input
    const names = SYSTEM_SETTING_NAMES.filter((name) => wanted === undefined || name === wanted)
    return {
      settings: names.map((name) => {
        const { initial, about } = SYSTEM_SETTINGS[name]
        return {
          name,
          value: set.get(name) ?? initial,
          default: initial,
          is_set: set.has(name),
          about,
        }
      }),
    }
  },
})
