import type { SqlValue } from '@surehand/core/internal'
import type { ExpiryPlace } from '@surehand/core/ports'
import type { Statement } from './step.ts'

/** A condition with the values of its parameters, or undefined where it is not wanted. */
type Condition = readonly [text: string, ...values: SqlValue[]] | undefined

type ListPage = {
  readonly table: 'approvals' | 'questions'
  readonly before: string | null | undefined
  readonly expiringAfter: ExpiryPlace | null | undefined
  readonly limit: number
}

/**
 * Lists rows that people decide or answer: the newest first, or what expires first. Conditions that
 * are not wanted are left out of the text, because with them no index would serve the order.
 */
export function listStatement(
  select: string,
  conditions: readonly Condition[],
  { table, before, expiringAfter, limit }: ListPage,
): Statement {
  const all = [
    ...conditions,
    before ? ([`number < (select number from ${table} where id = ?)`, before] as const) : undefined,
    expiringAfter
      ? (['(expires_at, id) > (?, ?)', expiringAfter.at, expiringAfter.id] as const)
      : undefined,
  ].filter((condition) => condition !== undefined)
  const order = expiringAfter ? 'expires_at, id' : 'number desc'
  return {
    text: `${select} where ${all.map(([text]) => text).join(' and ')} order by ${order} limit ?`,
    values: [...all.flatMap(([, ...values]) => values), limit],
  }
}
