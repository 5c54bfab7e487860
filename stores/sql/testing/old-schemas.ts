import type { SqlValue } from '@surehand/core/internal'
import { expect } from 'vitest'
import { getItem } from '../src/administration.ts'
import { getApproval } from '../src/approvals/approvals.ts'
import { listRecords } from '../src/audit/list-records.ts'
import { abandonedCalls, findCall, getCall } from '../src/calls/looks.ts'
import { MIGRATIONS } from '../src/migrations.ts'
import type { Sql } from '../src/step.ts'
import { getValue } from '../src/values.ts'

/** A database of one dialect at one of its former schemas. */
export type OldDatabase = {
  readonly sql: Sql
  /** The columns of a table; none when there is no such table yet. */
  readonly columnsOf: (table: string) => Promise<readonly string[]>
}

/** How many migrations each schema that ever was consists of. */
export const SCHEMAS = MIGRATIONS.map(({ name }, index) => [name, index + 1] as const)

const CALL = {
  tenant: 'acme',
  principal: 'ann',
  tool_id: 'orders.place',
  holds_key: 1,
  key_source: 'caller',
  tool_version: '1.0.0',
  definition_hash: 'd',
  input_hash: 'i',
  input: '{"order":1}',
  provider_key: 'p',
  scopes: '{}',
  irreversible: 1,
  is_secret: 0,
  caller: '{"tenant":"acme","principal":"ann","actor":"user","roles":[],"capabilities":[]}',
  surface: 'http',
  request_id: 'r',
  fence: 1,
  created_at: 1_700_000_000_000,
  updated_at: 1_700_000_000_000,
}
const DONE = { call_id: 'done', key: 'k1', state: 'succeeded' }
const BEGUN = { call_id: 'begun', key: 'k2', state: 'effect_started' }

/** What an installation of the time had stored; only columns that existed then are written. */
const ROWS: Readonly<Record<string, readonly Readonly<Record<string, SqlValue>>[]>> = {
  calls: [
    { ...CALL, ...DONE, answer: '{"kind":"output","json":"{\\"n\\":7}","warnings":[]}' },
    {
      ...CALL,
      ...BEGUN,
      lease_until: 1_700_000_030_000,
      effect_port: 'pay',
      effect_method: 'pay',
      effect_args_hash: 'a',
      effect_started_at: 1_700_000_000_500,
      effect_last_started_at: 1_700_000_000_500,
    },
  ],
  approvals: [
    {
      id: 'appr_1',
      tenant: 'acme',
      principal: 'ann',
      tool_id: 'orders.place',
      tool_version: '1.0.0',
      definition_hash: 'd',
      input_hash: 'i',
      call_id: 'done',
      kind: 'confirm',
      reversible: 0,
      asks: 'Place the order?',
      shown: '{}',
      digest: 'x',
      state: 'used',
      created_at: 1_700_000_000_000,
      expires_at: 9_700_000_000_000,
    },
  ],
  audit_records: [
    {
      id: 'aud_1',
      phase: 'outcome',
      call_id: 'done',
      request_id: 'r',
      tenant: 'acme',
      principal: 'ann',
      actor: 'user',
      surface: 'http',
      tool_name: 'orders.place',
      tool_version: '1.0.0',
      definition_hash: 'd',
      input_hash: 'i',
      output_hash: 'o',
      success: 1,
      outcome: 'done',
      code: '',
      error: '',
      duration_ms: 1.5,
      source: 'executed',
      created_at: 1_700_000_000_000.25,
    },
  ],
  stored_values: [{ tenant: 'acme', key: 'setting', value: 'on' }],
  admin_items: [
    {
      tenant: 'acme',
      kind: 'policy',
      id: 'policy',
      value: '{}',
      version: 3,
      updated_at: 1_700_000_000_000,
    },
  ],
}

/** Writes the rows of the time; returns how many each table has. */
export async function fillTables({ sql, columnsOf }: OldDatabase): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const [table, rows] of Object.entries(ROWS)) {
    const columns = new Set(await columnsOf(table))
    if (columns.size === 0) continue
    for (const row of rows) {
      const given = Object.entries(row).filter(([column]) => columns.has(column))
      const names = given.map(([column]) => column).join(', ')
      const places = given.map(() => '?').join(', ')
      await sql.run(
        `insert into ${table} (${names}) values (${places})`,
        ...given.map(([, value]) => value),
      )
    }
    counts[table] = rows.length
  }
  return counts
}

/** Today's code finds what was stored then, and knows what it means. */
export async function expectRowsRead(sql: Sql, counts: Record<string, number>): Promise<void> {
  const tenant = 'acme'
  const scope = { tenant, principal: 'ann', toolId: 'orders.place' }
  expect(await findCall.run(sql, { ...scope, key: 'k1' })).toMatchObject({
    callId: 'done',
    state: 'succeeded',
    irreversible: true,
    answer: { kind: 'output', json: '{"n":7}' },
    parentId: undefined,
    isToStop: false,
  })
  expect(await getCall.run(sql, { tenant, callId: 'begun' })).toMatchObject({
    state: 'effect_started',
    effect: { port: 'pay', startedAt: 1_700_000_000_500 },
  })
  const left = await abandonedCalls.run(sql, { limit: 10, at: undefined })
  expect(left.map(({ callId }) => callId)).toEqual(['begun'])
  expect(await getApproval.run(sql, { tenant, id: 'appr_1' })).toMatchObject({ state: 'used' })
  if (counts.audit_records !== undefined)
    expect(await listRecords.run(sql, { tenant })).toMatchObject([
      { id: 'aud_1', success: true, created_at: 1_700_000_000_000.25 },
    ])
  if (counts.stored_values !== undefined)
    expect(await getValue.run(sql, { tenant, key: 'setting' })).toBe('on')
  if (counts.admin_items !== undefined)
    expect(await getItem.run(sql, { tenant, kind: 'policy', id: 'policy' })).toMatchObject({
      version: 3,
    })
}
