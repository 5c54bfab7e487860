import type { SqlValue } from '@surehand/core/internal'
import { type Given, givenValue } from '../calls/call-row.ts'
import type { Connection } from './connection.ts'
import { roomFor } from './insert-rows.ts'

/** Calls of one caller and one tool: each of their keys is there once. */
type Scope = {
  readonly tenant: SqlValue
  readonly principal: SqlValue
  readonly toolId: SqlValue
  readonly keys: SqlValue[]
}

/** Whether any of these calls brings a key that stands in the ledger, or that another of them brings too. */
export function usedKeys({ prepare }: Connection): (calls: readonly Given[]) => boolean {
  function isUsed({ tenant, principal, toolId, keys }: Scope): boolean {
    if (new Set(keys).size < keys.length) return true
    const room = roomFor(keys.length)
    const filled = keys.concat(Array<SqlValue>(room - keys.length).fill(null))
    return prepare(textFor(room)).get(tenant, principal, toolId, ...filled) !== undefined
  }
  return (calls) => scopesOf(calls).some(isUsed)
}

function scopesOf(calls: readonly Given[]): readonly Scope[] {
  const scopes: Scope[] = []
  for (const given of calls) {
    const [tenant, principal, toolId] = [
      givenValue(given, 'tenant'),
      givenValue(given, 'principal'),
      givenValue(given, 'tool_id'),
    ]
    const scope = scopes.find(
      (one) => one.principal === principal && one.toolId === toolId && one.tenant === tenant,
    )
    if (scope === undefined)
      scopes.push({ tenant, principal, toolId, keys: [givenValue(given, 'key')] })
    else scope.keys.push(givenValue(given, 'key'))
  }
  return scopes
}

const texts = new Map<number, string>()

function textFor(room: number): string {
  const known = texts.get(room)
  if (known !== undefined) return known
  const keys = Array.from({ length: room }, () => '?').join(', ')
  const text = `select 1 as used from calls where tenant = ? and principal = ? and tool_id = ? and key in (${keys}) and holds_key = 1 limit 1`
  texts.set(room, text)
  return text
}
