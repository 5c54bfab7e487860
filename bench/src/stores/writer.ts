/** Writes calls into a database, governed or bare. */
export type Writer = {
  /** Resolves when the call of this serial is committed. */
  readonly write: (serial: number) => Promise<void>
  /** How many calls the database has; throws when a call has left more or fewer rows than it must. */
  readonly countCalls: () => Promise<number>
  /** Throws when a guarantee beyond the stored rows does not hold. */
  readonly check: () => Promise<void>
  readonly close: () => Promise<void>
}

/** `place`: the file or URL of a database without tables. */
export type OpenWriter = (place: string) => Promise<Writer>

export type Rows = { readonly calls: number; readonly lines: number; readonly records: number }

export const COUNT_ROWS = `select (select count(*) from calls where state = 'succeeded') as calls,
  (select count(*) from bench_lines) as lines, (select count(*) from audit_records) as records`

/** The number of calls; throws unless each has left the rows that it must. */
export function checkRows({ calls, lines, records }: Rows, perCall: Omit<Rows, 'calls'>): number {
  if (lines !== calls * perCall.lines || records !== calls * perCall.records)
    throw new Error(`${calls} calls left ${lines} lines and ${records} records`)
  return calls
}

export const LOCAL_CALL: Omit<Rows, 'calls'> = { lines: 1, records: 1 }
// The intent before the effect, and the outcome.
export const OUTSIDE_CALL: Omit<Rows, 'calls'> = { lines: 0, records: 2 }
