/** What a transaction function may await: the database, and nothing else. */
export type Tx = {
  readonly get: (sql: string, ...parameters: readonly SqlValue[]) => Promise<Row | undefined>
  readonly all: (sql: string, ...parameters: readonly SqlValue[]) => Promise<readonly Row[]>
  readonly run: (
    sql: string,
    ...parameters: readonly SqlValue[]
  ) => Promise<{ readonly changes: number }>
}

export type SqlValue = string | number | null
export type Row = Readonly<Record<string, SqlValue>>

/** A local effect by name: a closure can't cross into the store's writer thread, a name can. */
export type Transaction<A = never, R = unknown> = {
  readonly name: string
  readonly apply: (tx: Tx, args: A) => Promise<R>
}

/** Declares a local effect. It commits together with the call's answer and its audit record, or not at all. */
export function defineTransaction<A, R>(
  name: string,
  apply: (tx: Tx, args: A) => Promise<R>,
): Transaction<A, R> {
  return Object.freeze({ name, apply })
}
