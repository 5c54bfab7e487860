import { defineTransaction, ToolError } from '@surehand/core'

export type ConfigChange = {
  readonly tenant: string
  readonly by: string
  readonly now: number
  readonly name: string
  /** As it is kept; undefined goes back to the default. */
  readonly value: string | null
}

const SELECT_SETTING = 'select value from pm_system where tenant = ? and name = ?'
const SET = `insert into pm_system (tenant, name, value, updated_by, updated_at) values (?, ?, ?, ?, ?)
  on conflict (tenant, name) do update set value = excluded.value, updated_by = excluded.updated_by, updated_at = excluded.updated_at`

/** Answers what was set before. */
export const setConfig = defineTransaction(
  'system.config_set',
  async (tx, { tenant, by, now, name, value }: ConfigChange) => {
    const before = await tx.get(SELECT_SETTING, tenant, name)
    if (value === null)
      await tx.run('delete from pm_system where tenant = ? and name = ?', tenant, name)
    else await tx.run(SET, tenant, name, value, by, now)
    return { name, value, previous: before === undefined ? null : String(before.value) }
  },
)

export type PreferenceChange = {
  readonly tenant: string
  readonly owner: string
  readonly now: number
  readonly changes: Readonly<Record<string, string | null>>
  /** What holds of the working day where nobody has said so. */
  readonly usual: { readonly work_start: string; readonly work_end: string }
}

const PREFER = `insert into pm_preferences (tenant, owner, name, value, updated_at) values (?, ?, ?, ?, ?)
  on conflict (tenant, owner, name) do update set value = excluded.value, updated_at = excluded.updated_at`
const WORKING_DAY =
  "select name, value from pm_preferences where tenant = ? and owner = ? and name in ('work_start', 'work_end')"

export const setPreferences = defineTransaction(
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
    const said = Object.fromEntries(
      (await tx.all(WORKING_DAY, tenant, owner)).map(({ name, value }) => [
        String(name),
        String(value),
      ]),
    )
    const { work_start, work_end } = { ...usual, ...said }
    if (work_start >= work_end)
      throw new ToolError(
        'TOOL_INVALID_FIELD_VALUE',
        `A working day from ${work_start} to ${work_end} ends before it begins: set both.`,
        {
          details: { work_start, work_end },
        },
      )
    return { changed: Object.keys(changes).toSorted() }
  },
)

/** Everything this family writes. */
export const systemTransactions = [setConfig, setPreferences] as const
