import { defineTool } from '@surehand/core'
import { z } from 'zod'
import { OWNED_TABLES } from '../data/owned-tables.ts'
import { bindReader, personalData, type Reader } from '../personal-data.ts'
import { TABLES } from '../tables.ts'
import { SYSTEM_SETTING_NAMES, SYSTEM_SETTINGS, systemSettings } from './system-settings.ts'

const PEOPLE = OWNED_TABLES.map(({ name }) => `select owner from ${name} where tenant = ?`).join(
  ' union ',
)

async function readCount(read: Reader, sql: string, ...values: readonly string[]): Promise<number> {
  const [row] = await read(sql, ...values)
  return Number(row?.n ?? 0)
}

export const systemStatus = defineTool({
  id: 'system.status',
  title: 'Get the status of the personal manager',
  category: 'system_admin',
  description:
    'Show an administrator what the personal manager stores for the tenant: the number of people and rows, the amount of text, the version of the tables, and what is switched on. Numbers only: no person is named.',
  version: '2.0.0',
  aliases: ['tools.system.status'],
  input: z.object({}),
  output: z.object({
    protocol_version: z.string(),
    tables_version: z.string(),
    people: z.number(),
    rows: z.record(z.string(), z.number()),
    note_characters: z.number(),
    switches: z.record(z.string(), z.enum(['on', 'off'])),
    changed_settings: z.array(z.string()),
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
    timeout: '30s',
  },
  ports: { data: personalData },
  examples: [{ name: 'now', input: {} }],
  execute: async (execution) => {
    const { tenant } = execution.caller
    const read = bindReader(execution)
    const rows: Record<string, number> = {}
    for (const { name, family } of OWNED_TABLES)
      rows[family] = await readCount(
        read,
        `select count(*) as n from ${name} where tenant = ?`,
        tenant,
      )
    const settings = await systemSettings({ tenant }, read)
    const switches = SYSTEM_SETTING_NAMES.filter(
      (name) => settings[name] === 'on' || settings[name] === 'off',
    )
    return {
      protocol_version: '2.0.0',
      tables_version: TABLES.at(-1)?.name ?? '',
      people: await readCount(
        read,
        `select count(*) as n from (${PEOPLE}) people`,
        ...OWNED_TABLES.map(() => tenant),
      ),
      rows,
      note_characters: await readCount(
        read,
        'select coalesce(sum(length(body)), 0) as n from pm_notes where tenant = ?',
        tenant,
      ),
      switches: Object.fromEntries(
        switches.map((name) => [name, settings[name] === 'on' ? 'on' : 'off'] as const),
      ),
      changed_settings: SYSTEM_SETTING_NAMES.filter(
        (name) => settings[name] !== SYSTEM_SETTINGS[name].initial,
      ),
    }
  },
})
