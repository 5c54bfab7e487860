import pg from 'pg'
import { systemEntropy } from '../../../core/src/ports.ts'
import { localEffect } from '../../../stores/sql/src/local-effect.ts'
import { sqlOn } from '../../../stores/sql/src/postgres/sql-on.ts'
import { statements } from '../../../stores/sql/src/postgres/statements.ts'
import { txOn } from '../../../stores/sql/src/postgres/tx-on.ts'
import { openPostgres } from '../../../stores/sql/src/sql-stores.ts'
import { captureCall, type Ids, valuesFor } from './capture.ts'
import { keyOf, shopPack } from './shop.ts'
import { COUNT_ROWS, checkRows, LOCAL_CALL, type OpenWriter, type Rows } from './writer.ts'

const POOL_SIZE = 10

/** The statements of a governed call without the runtime: BEGIN … COMMIT on a pool, prepared, each sent after the answer to the one before. */
export const openBarePostgres: OpenWriter = async (url) => {
  await (await openPostgres({ url, packs: [shopPack] })).close()
  const pool = new pg.Pool({ connectionString: url, max: POOL_SIZE })
  const { sent, ids: captured } = await recordSent()
  const prepared = sent.map(({ name, text, values }) => ({
    name,
    text,
    valuesOf: valuesFor(values ?? [], captured),
  }))
  const { newId } = systemEntropy()

  return {
    async write(serial) {
      const now = Date.now()
      const ids = { call: newId('call', now), key: keyOf(serial), record: newId('aud', now) }
      const client = await pool.connect()
      try {
        await client.query('begin')
        for (const { name, text, valuesOf } of prepared)
          await client.query({
            ...(name === undefined ? {} : { name }),
            text,
            values: valuesOf(ids),
          })
        await client.query('commit')
      } finally {
        client.release()
      }
    },
    async countCalls() {
      const { rows } = await pool.query<Record<keyof Rows, string>>(COUNT_ROWS)
      return checkRows(
        {
          calls: Number(rows[0]?.calls),
          lines: Number(rows[0]?.lines),
          records: Number(rows[0]?.records),
        },
        LOCAL_CALL,
      )
    },
    check: async () => undefined,
    close: () => pool.end(),
  }
}

/** The statements that a governed local effect sends between BEGIN and COMMIT. */
async function recordSent(): Promise<{
  readonly sent: readonly pg.QueryConfig[]
  readonly ids: Ids
}> {
  const { request, apply, ids } = await captureCall()
  const sent: pg.QueryConfig[] = []
  // The type is erased because a local effect reads no other fields of an answer.
  const send = async (statement: pg.QueryConfig) => {
    sent.push(statement)
    return { rows: [{ lease_until: 1, created_at: 1 }], rowCount: 1 } as unknown as pg.QueryResult
  }
  const statement = statements('database')
  const refuseWakeUp = () => {
    throw new Error('a local effect must not send a notification')
  }
  await localEffect(sqlOn(send, { statement, wakeUp: refuseWakeUp }), request, () =>
    apply(txOn(send, statement)),
  )
  return { sent, ids }
}
