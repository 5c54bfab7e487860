import type { Row, SqlValue } from '@surehand/core/internal'
import type { Sql } from '../step.ts'
import type { Connection } from './connection.ts'

const ENQUEUE = 'insert into jobs (tenant, call_id, run_at, tries) values (?, ?, {now} + ?, 0)'

/**
 * A connection as steps see it. Every statement is synchronous; the promises exist for PostgreSQL.
 */
export function createSql({ prepare }: Connection, onEnqueue: () => void): Sql {
  const changes = (text: string, values: readonly SqlValue[]): number =>
    Number(prepare(text).run(...values).changes)
  return {
    dialect: 'sqlite',
    get: async (text, ...values) => prepare(text).get(...values) as Row | undefined,
    all: async (text, ...values) => prepare(text).all(...values) as Row[],
    run: async (text, ...values) => changes(text, values),
    async runBoth(first, second) {
      if (changes(first.text, first.values) === 0) return false
      changes(second.text, second.values)
      return true
    },
    lock: async () => undefined,
    async enqueue({ tenant, callId }, delayMs) {
      prepare(ENQUEUE).run(tenant, callId, delayMs)
      onEnqueue()
    },
  }
}
