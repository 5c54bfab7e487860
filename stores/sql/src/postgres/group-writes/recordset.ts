import type { SqlValue } from '@surehand/core/internal'
import type { KeyScope } from '@surehand/core/ports'
import { withoutNul } from '../nul.ts'

/** Columns of rows that are sent as one value. */
export type Columns = Readonly<Record<string, string>>

/** The key of a call: whose it is, and of which tool. */
export const KEY_COLUMNS: Columns = {
  tenant: 'text',
  principal: 'text',
  tool_id: 'text',
  key: 'text',
}

/** The values of these columns. */
export function keyValues({ tenant, principal, toolId, key }: KeyScope): readonly SqlValue[] {
  return [tenant, principal, toolId, key]
}

/**
 * Whether a row of `calls` has the key of `wanted`. It belongs into a lateral `limit 1`: without a
 * limit, a database that has not counted its rows yet reads all of them.
 */
export const HAS_KEY = `${Object.keys(KEY_COLUMNS)
  .map((column) => `calls.${column} = wanted.${column}`)
  .join(' and ')} and holds_key = 1`

/**
 * Rows as a table of a statement. One text for any number of rows: a statement for each number would
 * have to be prepared for each.
 */
export function recordset(name: string, columns: Columns): string {
  const typed = Object.entries(columns).map(([column, type]) => `${column} ${type}`)
  return `json_to_recordset(cast(? as json)) as ${name} (${typed.join(', ')})`
}

/** The value of such a table. */
export function recordsetValue(columns: Columns, rows: readonly (readonly SqlValue[])[]): string {
  const names = Object.keys(columns)
  const objects = rows.map((row) => {
    const object: Record<string, SqlValue> = {}
    for (const [index, name] of names.entries()) object[name] = storable(row[index] ?? null)
    return object
  })
  // Its marks were encoded already.
  return JSON.stringify(objects).replaceAll('\ue000', '\\ue000')
}

// As a text is sent that is a value by itself.
function storable(value: SqlValue): SqlValue {
  return typeof value === 'string' ? withoutNul(value).toWellFormed() : value
}
