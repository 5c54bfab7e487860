/**
 * The database handle of a transaction function. It may await this and nothing else.
 *
 * @example
 * const countOrders = async (tx: Tx) => (await tx.get('SELECT count(*) AS n FROM orders'))?.n
 */
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

/**
 * A local effect with a name: the function cannot be sent to the store's writer thread, its name
 * can.
 *
 * @example
 * const touch: Transaction<{ id: string }, null> = defineTransaction(
 *   'shop.touch',
 *   async (tx: Tx, { id }: { id: string }) => {
 *     await tx.run('UPDATE orders SET touched = 1 WHERE id = ?', id)
 *     return null
 *   },
 * )
 */
export type Transaction<A = never, R = unknown> = {
  readonly name: string
  readonly apply: (tx: Tx, args: A) => Promise<R>
}

/**
 * Declares a local effect. It commits together with the call's answer and its audit record, or not
 * at all. A store may run the function more than once, so every run gets its own copy of the
 * arguments: one that changes them must not find them changed the next time.
 *
 * @example
 * const addOrder = defineTransaction('shop.addOrder', async (tx, { id }: { id: string }) => {
 *   await tx.run('INSERT INTO orders (id) VALUES (?)', id)
 *   return { id }
 * })
 */
export function defineTransaction<A, R>(
  name: string,
  apply: (tx: Tx, args: A) => Promise<R>,
): Transaction<A, R> {
  return Object.freeze({ name, apply: (tx: Tx, args: A) => apply(tx, copyData(args)) })
}

// Deeper data is left to structuredClone, which also copies what is cyclic.
const MAX_PLAIN_DEPTH = 64

// By hand, because structuredClone takes ten times as long for the small objects that arguments are.
function copyData<T>(value: T, depth = 0): T {
  if (typeof value !== 'object' || value === null) return value
  if (depth < MAX_PLAIN_DEPTH) {
    // erased: a copy of an array is an array, and one of an object an object
    if (Array.isArray(value)) return copyItems(value.slice(), depth) as T
    if (Object.getPrototypeOf(value) === Object.prototype)
      return copyMembers({ ...value } as Record<string, unknown>, depth) as T
  }
  return structuredClone(value)
}

function copyItems(copy: unknown[], depth: number): unknown[] {
  for (let index = 0; index < copy.length; index++)
    if (typeof copy[index] === 'object') copy[index] = copyData(copy[index], depth + 1)
  return copy
}

function copyMembers(copy: Record<string, unknown>, depth: number): Record<string, unknown> {
  for (const key in copy)
    if (typeof copy[key] === 'object') copy[key] = copyData(copy[key], depth + 1)
  return copy
}
