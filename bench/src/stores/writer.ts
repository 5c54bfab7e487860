/** Who writes one call after another into a database, governed or bare. */
export type Writer = {
  /** Resolves when the call of this serial is committed. */
  readonly write: (serial: number) => Promise<void>
  /** How many calls the database holds, whole; throws when a call has left more or less than it must. */
  readonly kept: () => Promise<number>
  /** What must hold beside the rows that are kept; throws when it does not. */
  readonly check: () => Promise<void>
  readonly close: () => Promise<void>
}

/** `place`: a file or a url of a database without tables. */
export type OpenWriter = (place: string) => Promise<Writer>

export type Rows = { readonly calls: number; readonly lines: number; readonly records: number }

export const COUNT_ROWS = `select (select count(*) from calls where state = 'succeeded') as calls,
  (select count(*) from bench_lines) as lines, (select count(*) from audit_records) as records`

/** The calls of these rows, if each has left what it must. */
export function wholeCalls({ calls, lines, records }: Rows, perCall: Omit<Rows, 'calls'>): number {
  if (lines !== calls * perCall.lines || records !== calls * perCall.records)
    throw new Error(`${calls} calls left ${lines} lines and ${records} records`)
  return calls
}

export const LOCAL_CALL: Omit<Rows, 'calls'> = { lines: 1, records: 1 }
// the intent before the effect, and the outcome
export const OUTSIDE_CALL: Omit<Rows, 'calls'> = { lines: 0, records: 2 }
