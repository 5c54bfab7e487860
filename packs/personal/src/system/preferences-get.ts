import { defineTool } from '@surehand/core'
import { z } from 'zod'
import { bindReader, personalData } from '../personal-data.ts'
import { PREFERENCE_NAMES, PREFERENCES, readPreferences } from './preferences.ts'

const PreferenceView = z.object({
  name: z.string(),
  value: z.union([z.string(), z.number(), z.boolean()]),
  from: z.enum(['you', 'your sign-in', 'the house', 'default']),
  about: z.string(),
})

export const preferencesGet = defineTool({
  id: 'system.preferences_get',
  title: 'Get your preferences',
  category: 'system_admin',
  description:
    'List the preferences that apply to the calling person (time zone, language, working hours, first day of the week), and where each comes from.',
  version: '2.0.0',
  aliases: ['tools.system.preferences_get'],
  input: z.object({}),
  output: z.object({ preferences: z.array(PreferenceView) }),
  contract: {
    effect: 'read',
    permissions: {
      roles: ['user'],
      capabilities: [{ name: 'preferences.read', scope: 'self_only' }],
    },
    limits: [
      { calls: 60, per: '1m' },
      { calls: 1_000, per: '1h' },
    ],
  },
  ports: { data: personalData },
  examples: [{ name: 'mine', input: {} }],
  execute: async (execution) => {
    const preferences = await readPreferences(execution.caller, bindReader(execution))
    return {
      preferences: PREFERENCE_NAMES.map((name) => ({
        name,
        ...preferences[name],
        about: PREFERENCES[name].about,
      })),
    }
  },
})
