import { isDeepStrictEqual } from 'node:util'
import type { Tool } from '../../../core/src/index.ts'
import type { SqlStores } from '../../../stores/sql/src/sql-stores.ts'
import { openPostgres, openSqlite } from '../../../stores/sql/src/sql-stores.ts'
import type { CartInput, CartOutput } from '../core/tool.ts'
import { callShop, localTool, openShop, outsideTool, shopPack } from './shop.ts'
import {
  COUNT_ROWS,
  checkRows,
  LOCAL_CALL,
  type OpenWriter,
  OUTSIDE_CALL,
  type Rows,
  type Writer,
} from './writer.ts'

type Effect = { readonly tool: Tool<CartInput, CartOutput>; readonly perCall: Omit<Rows, 'calls'> }

const EFFECTS = {
  local: { tool: localTool, perCall: LOCAL_CALL },
  outside: { tool: outsideTool, perCall: OUTSIDE_CALL },
} as const satisfies Record<string, Effect>

/** `runtime.call` over the SQLite stores. */
export function governedSqlite(effect: keyof typeof EFFECTS): OpenWriter {
  return async (file) =>
    openGoverned(await openSqlite({ file, packs: [shopPack] }), EFFECTS[effect])
}

/** `runtime.call` over the PostgreSQL stores. */
export function governedPostgres(effect: keyof typeof EFFECTS): OpenWriter {
  return async (url) =>
    openGoverned(await openPostgres({ url, packs: [shopPack] }), EFFECTS[effect])
}

// Above every serial that is timed.
const CHECK_SERIAL = 9_000_000_000

function openGoverned(stores: SqlStores, { tool, perCall }: Effect): Writer {
  const runtime = openShop(stores)

  async function countCalls(): Promise<number> {
    const [row] = await stores.calls.query(COUNT_ROWS)
    const { calls = 0, lines = 0, records = 0 } = row ?? {}
    return checkRows(
      { calls: Number(calls), lines: Number(lines), records: Number(records) - replays },
      perCall,
    )
  }

  let replays = 0
  return {
    async write(serial) {
      await callShop(runtime, tool, serial)
    },
    countCalls,
    /** A repeated idempotency key must be answered from the ledger, without a second effect. */
    async check() {
      const first = await callShop(runtime, tool, CHECK_SERIAL)
      const before = await countCalls()
      const again = await callShop(runtime, tool, CHECK_SERIAL)
      replays += 1
      if (first.source !== 'executed' || again.source !== 'replayed')
        throw new Error(`the first call was ${first.source}, the repeated one ${again.source}`)
      if (!isDeepStrictEqual(first.data, again.data) || (await countCalls()) !== before)
        throw new Error('the repeated call was not answered from the ledger')
    },
    close: () => stores.close(),
  }
}
