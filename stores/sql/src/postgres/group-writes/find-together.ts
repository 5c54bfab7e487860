import type { CallRow, KeyScope } from '@surehand/core/ports'
import { SELECT_CALL, toCallRow } from '../../calls/call-row.ts'
import { findCall } from '../../calls/looks.ts'
import type { Database } from '../../database.ts'
import { defineStep, type Step } from '../../step.ts'
import { createPlaces } from './places.ts'
import { IS_ASKED, KEY_COLUMNS, recordset, recordsetValue } from './recordset.ts'

const FIND = `select found.* from ${recordset('asked', KEY_COLUMNS)}
  cross join lateral (${SELECT_CALL} where ${IS_ASKED} limit 1) as found`

const findCalls = defineStep(
  'postgres.findCalls',
  { mode: 'read', statements: 'one' },
  async (sql, scopes: readonly KeyScope[]) => {
    const keys = scopes.map(({ tenant, principal, toolId, key }) => [
      tenant,
      principal,
      toolId,
      key,
    ])
    return (await sql.all(FIND, recordsetValue(KEY_COLUMNS, keys))).map(toCallRow)
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

  async function lookUp(asked: readonly Looking[]): Promise<void> {
    try {
      const rows = await step(
        findCalls,
        asked.map(({ scope }) => scope),
      )
      const found = new Map(rows.map((row) => [nameOf(row), row]))
      for (const { scope, resolve } of asked) resolve(found.get(nameOf(scope)))
    } catch (thrown) {
      for (const { reject } of asked) reject(thrown)
    }
  }

  function lookUpNext(): void {
    if (place.free() === 0 || waiting.length === 0) return
    const asked = waiting.slice(0, MOST_TOGETHER)
    waiting = waiting.slice(MOST_TOGETHER)
    void lookUp(asked).finally(place.take())
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

function nameOf({ tenant, principal, toolId, key }: KeyScope): string {
  return JSON.stringify([tenant, principal, toolId, key])
}
