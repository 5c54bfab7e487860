import type { CallRow, KeyScope } from '@surehand/core/ports'
import { SELECT_CALL, toCallRow } from '../../calls/call-row.ts'
import { findCall } from '../../calls/looks.ts'
import type { Database } from '../../database.ts'
import { defineStep, type Step } from '../../step.ts'
import { createPlaces } from './places.ts'
import { HAS_KEY, KEY_COLUMNS, keyValues, recordset, recordsetValue } from './recordset.ts'

// Rows are matched by number: a key with half of a surrogate pair is stored as another text.
const WANTED = { number: 'bigint', ...KEY_COLUMNS }
const FIND = `select wanted.number, found.* from ${recordset('wanted', WANTED)}
  cross join lateral (${SELECT_CALL} where ${HAS_KEY} limit 1) as found`

const findCalls = defineStep(
  'postgres.findCalls',
  { mode: 'read', statements: 'one' },
  async (sql, scopes: readonly KeyScope[]) => {
    const wanted = scopes.map((scope, number) => [number, ...keyValues(scope)])
    const rows = await sql.all(FIND, recordsetValue(WANTED, wanted))
    const found = new Map(rows.map((row) => [Number(row.number), toCallRow(row)]))
    return scopes.map((_, number) => found.get(number))
  },
)

const MOST_TOGETHER = 64

type Looking = {
  readonly scope: KeyScope
  readonly resolve: (row: CallRow | undefined) => void
  readonly reject: (thrown: unknown) => void
}

/** Runs steps; keys that are looked up while others are looked up are looked up together. */
export function findTogether(step: Database['step']): Database['step'] {
  let waiting: Looking[] = []
  const place = createPlaces(1, lookUpNext)

  async function lookUp(entries: readonly Looking[]): Promise<void> {
    try {
      const scopes = entries.map(({ scope }) => scope)
      const rows = await step(findCalls, scopes)
      for (const [index, { resolve }] of entries.entries()) resolve(rows[index])
    } catch (thrown) {
      for (const { reject } of entries) reject(thrown)
    }
  }

  function lookUpNext(): void {
    if (place.free() === 0 || waiting.length === 0) return
    const entries = waiting.slice(0, MOST_TOGETHER)
    waiting = waiting.slice(MOST_TOGETHER)
    void lookUp(entries).finally(place.take())
  }

  function find(scope: KeyScope): Promise<CallRow | undefined> {
    return new Promise((resolve, reject) => {
      waiting.push({ scope, resolve, reject })
      lookUpNext()
    })
  }

  return <A, R>(one: Step<A, R>, args: A): Promise<R> =>
    // erased: it is this step, so these are its argument and its result
    one.name === findCall.name ? (find(args as KeyScope) as Promise<R>) : step(one, args)
}
