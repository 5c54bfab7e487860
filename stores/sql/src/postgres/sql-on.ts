import type { Row, SqlValue } from '@surehand/core/internal'
import type { Job } from '@surehand/core/ports'
import type { LocalKeys } from '../local-effect.ts'
import type { Sql, Statement } from '../step.ts'
import { lockNumber } from './lock-number.ts'
import type { Send } from './session.ts'
import { both, type Statements } from './statements.ts'

/** The statement that enqueues a job. */
export type WakeUp = (job: Job, delayMs: number) => Statement

export type Texts = LocalKeys & {
  readonly statement: Statements
  readonly wakeUp: WakeUp
}

/** The statements of a step on one session. */
export function sqlOn(send: Send, { statement, wakeUp }: Pick<Texts, 'statement' | 'wakeUp'>): Sql {
  const ask = (text: string, values: readonly SqlValue[]) =>
    send(statement(text, whole(text, values)))
  const run = async ({ text, values }: Statement): Promise<number> =>
    (await ask(text, values)).rowCount ?? 0
  return {
    dialect: 'postgres',
    get: async (text, ...values) => (await ask(text, values)).rows[0] as Row | undefined,
    all: async (text, ...values) => (await ask(text, values)).rows as Row[],
    run: (text, ...values) => run({ text, values }),
    runBoth: async (first, second) => (await run(both(first, second))) > 0,
    async lock(name) {
      await send(statement('select pg_advisory_xact_lock(?)', [lockNumber(name)]))
    },
    async enqueue(job, delayMs) {
      await run(wakeUp(job, delayMs))
    },
  }
}

// Fractions of a millisecond are rounded for leases and times to live; only the times of records
// and traces keep them.
const WITH_FRACTIONS = /audit_records|call_traces/

function whole(text: string, values: readonly SqlValue[]): readonly SqlValue[] {
  if (!values.some(isFraction) || WITH_FRACTIONS.test(text)) return values
  return values.map((value) => (isFraction(value) ? Math.round(value) : value))
}

function isFraction(value: SqlValue): value is number {
  return typeof value === 'number' && !Number.isInteger(value)
}
