import { definePort } from '@surehand/core'
import type { Row, SqlValue } from '@surehand/core/internal'

export type Query = { readonly sql: string; readonly values: readonly SqlValue[] }

/** Reads the tables of the marketplace. Writes are transactions. */
export type MarketData = {
  readonly query: (query: Query, signal: AbortSignal) => Promise<readonly Row[]>
}

export const marketData = definePort<MarketData>('marketData', { query: 'read' })

/** Reads rows, in a call or in a transaction. */
export type Reader = (sql: string, ...values: readonly SqlValue[]) => Promise<readonly Row[]>

const NEVER = new AbortController().signal

/** A reader over the port `marketData`. Gates and checks have no signal to pass. */
export function readerOf(data: MarketData, signal: AbortSignal = NEVER): Reader {
  return (sql, ...values) => data.query({ sql, values }, signal)
}

/** The text of a column that may be null. */
export function textOf(value: SqlValue | undefined): string | undefined {
  return value === null || value === undefined ? undefined : String(value)
}

/** The number of a column that may be null. */
export function numberOf(value: SqlValue | undefined): number | undefined {
  return value === null || value === undefined ? undefined : Number(value)
}
