import type { ValueStore } from '@surehand/core/ports'
import type { Database } from './database.ts'
import { defineStep } from './step.ts'

/** Key–value pairs with an optional time to live. */
export function sqlValues(database: Database): ValueStore {
  return {
    get: (tenant, key) => database.step(getValue, { tenant, key }),
    set: (tenant, key, value, ttlMs) =>
      database.step(setValue, { tenant, key, value, ttlMs: ttlMs ?? null }),
    delete: (tenant, key) => database.step(deleteValue, { tenant, key }),
    replace: (tenant, key, { expected, value, ttlMs }) =>
      database.step(replaceValue, {
        tenant,
        key,
        value,
        expected: expected ?? null,
        ttlMs: ttlMs ?? null,
      }),
    list: (tenant, prefix) => database.step(listValues, { tenant, prefix }),
  }
}

type Name = { readonly tenant: string; readonly key: string }

const LIVE = '(expires_at is null or expires_at > {now})'

export const getValue = defineStep(
  'values.get',
  { mode: 'read', statements: 'one' },
  async (sql, { tenant, key }: Name) => {
    const row = await sql.get(
      `select value from stored_values where tenant = ? and key = ? and ${LIVE}`,
      tenant,
      key,
    )
    return row === undefined ? undefined : String(row.value)
  },
)

export const setValue = defineStep(
  'values.set',
  { mode: 'durable', statements: 'one' },
  async (
    sql,
    { tenant, key, value, ttlMs }: Name & { readonly value: string; readonly ttlMs: number | null },
  ) => {
    await sql.run(
      `insert into stored_values (tenant, key, value, expires_at) values (?, ?, ?, {now} + cast(? as bigint))
       on conflict (tenant, key) do update set value = excluded.value, expires_at = excluded.expires_at`,
      tenant,
      key,
      value,
      ttlMs,
    )
  },
)

type Replacement = Name & {
  readonly expected: string | null
  readonly value: string
  readonly ttlMs: number | null
}

export const replaceValue = defineStep(
  'values.replace',
  { mode: 'durable', statements: 'one' },
  async (sql, { tenant, key, value, expected, ttlMs }: Replacement) => {
    const changed =
      expected === null
        ? await sql.run(
            `insert into stored_values (tenant, key, value, expires_at) values (?, ?, ?, {now} + cast(? as bigint))
             on conflict (tenant, key) do update set value = excluded.value, expires_at = excluded.expires_at
             where stored_values.expires_at <= {now}`,
            tenant,
            key,
            value,
            ttlMs,
          )
        : await sql.run(
            `update stored_values set value = ?, expires_at = {now} + cast(? as bigint)
             where tenant = ? and key = ? and value = ? and ${LIVE}`,
            value,
            ttlMs,
            tenant,
            key,
            expected,
          )
    return changed > 0
  },
)

export const deleteValue = defineStep(
  'values.delete',
  { mode: 'durable', statements: 'one' },
  async (sql, { tenant, key }: Name) =>
    (await sql.run(
      `delete from stored_values where tenant = ? and key = ? and ${LIVE}`,
      tenant,
      key,
    )) > 0,
)

// Compared literally: LIKE would treat % and _ as wildcards.
const LIST = `select key, value from stored_values where tenant = ? and substr(key, 1, length(cast(? as text))) = ? and ${LIVE}`

export const listValues = defineStep(
  'values.list',
  { mode: 'read', statements: 'one' },
  async (sql, { tenant, prefix }: { readonly tenant: string; readonly prefix: string }) => {
    const rows = await sql.all(LIST, tenant, prefix, prefix)
    return rows
      .map((row) => ({ key: String(row.key), value: String(row.value) }))
      .sort((left, right) => (left.key < right.key ? -1 : 1))
  },
)
