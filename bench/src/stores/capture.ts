import type { Stores, Tx } from '../../../core/src/index.ts'
import { memoryStores } from '../../../core/src/index.ts'
import type { SqlValue } from '../../../core/src/internal.ts'
import type { LocalRun } from '../../../core/src/ports.ts'
import { recordSealer } from '../../../stores/sql/src/audit/record-seal.ts'
import { type LocalRequest, localRequest } from '../../../stores/sql/src/local-effect.ts'
import { callShop, keyOf, localTool, openShop } from './shop.ts'

/** The ids that are new with every call. */
export type Ids = { readonly call: string; readonly key: string; readonly record: string }

const SERIAL = 1

export type Captured = {
  readonly request: LocalRequest
  readonly apply: (tx: Tx) => Promise<unknown>
  readonly ids: Ids
}

/** Runs one call and returns its local effect as the runtime passes it to a store. */
export async function captureCall(): Promise<Captured> {
  const memory = memoryStores()
  let captured: LocalRun | undefined
  const stores: Stores = {
    ...memory,
    calls: {
      ...memory.calls,
      transact(run) {
        captured = run
        return memory.calls.transact(run)
      },
    },
  }
  await callShop(openShop(stores), localTool, SERIAL).catch((thrown: unknown) => {
    // The memory stores have no tables, so the call fails; that does not matter once it is captured.
    if (captured === undefined) throw thrown
  })
  if (captured === undefined) throw new Error('the call never reached the store')
  const { claim, args, audit, apply } = captured
  return {
    request: localRequest(captured, { secretKeys: [], sealer: recordSealer(undefined) }),
    apply: (tx) => apply(tx, args as never),
    ids: { call: claim.call.callId, key: keyOf(SERIAL), record: audit.id },
  }
}

/** Creates the same values for another call, by replacing the ids in them. */
export function valuesFor(values: readonly SqlValue[], captured: Ids): (ids: Ids) => SqlValue[] {
  const makers = values.map((value) => valueMaker(value, captured))
  return (ids) => makers.map((make) => (typeof make === 'function' ? make(ids) : make))
}

const NAMES = ['call', 'key', 'record'] as const

function valueMaker(value: SqlValue, captured: Ids): SqlValue | ((ids: Ids) => string) {
  const name = NAMES.find((one) => typeof value === 'string' && value.includes(captured[one]))
  if (name === undefined || typeof value !== 'string') return value
  const [before = '', after = ''] = value.split(captured[name])
  return before === '' && after === '' ? (ids) => ids[name] : (ids) => before + ids[name] + after
}
