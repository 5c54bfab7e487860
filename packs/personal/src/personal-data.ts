import { definePort } from '@surehand/core'
import type { Row, SqlValue } from '@surehand/core/internal'

export type Query = { readonly sql: string; readonly values: readonly SqlValue[] }

/** Reads the tables of the personal manager. Writes are transactions. */
export type PersonalData = {
  readonly query: (query: Query, signal: AbortSignal) => Promise<readonly Row[]>
}

export const personalData = definePort<PersonalData>('personalData', { query: 'read' })

/** Reads rows with the signal of the call already bound. */
export type Reader = (sql: string, ...values: readonly SqlValue[]) => Promise<readonly Row[]>

export function bindReader({
  ports,
  signal,
}: {
  readonly ports: { readonly data: PersonalData }
  readonly signal: AbortSignal
}): Reader {
  return (sql, ...values) => ports.data.query({ sql, values }, signal)
}
