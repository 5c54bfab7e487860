import type { SqlValue } from '@surehand/core/internal'
import type { ExpiryPlace } from '@surehand/core/ports'
import { defineStep, type Statement, type Step } from './step.ts'

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

const WAITING = {
  approvals: { isOpen: "state = 'pending'", changed: 'sum(coalesce(delegated_at, 0))' },
  questions: { isOpen: "state = 'open'", changed: '0' },
} as const

type Marked = { readonly tenant: string; readonly principal: string | undefined }

/**
 * A text that is another one whenever a row came, went or was delegated. Sums and counts over what
 * waits are read from few rows, without their texts, so that streams may ask for it often.
 */
export function waitingMarkStep(table: 'approvals' | 'questions'): Step<Marked, string> {
  const { isOpen, changed } = WAITING[table]
  const text = `select count(*) as rows_found, cast(sum(number) as text) as numbers, cast(${changed} as text) as changes
    from ${table} where tenant = ? and ${isOpen} and expires_at > {now}`
  return defineStep(
    `${table}.waitingMark`,
    { mode: 'read', statements: 'one' },
    async (sql, { tenant, principal }) => {
      const row = principal
        ? await sql.get(`${text} and principal = ?`, tenant, principal)
        : await sql.get(text, tenant)
      return [row?.rows_found, row?.numbers, row?.changes].map(String).join('/')
    },
  )
}
