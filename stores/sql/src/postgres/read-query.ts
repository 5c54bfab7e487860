import type { Row, SqlValue } from '@surehand/core/internal'
import type { Database } from '../database.ts'
import { isRead, notARead } from '../statement-kind.ts'
import type { Pools } from './pools.ts'
import { begin, onSession, rollBack } from './session.ts'
import type { Statements } from './statements.ts'

/** Reads pack data. The transaction is read-only, so that a WITH … INSERT is rejected as well. */
export function queryReader(pools: Pools, statement: Statements): Database['query'] {
  return async (text: string, values: readonly SqlValue[]) => {
    if (!isRead(text)) throw notARead()
    return onSession(pools.packs, async (client) => {
      const read = begin(client, 'begin read only')(statement(text, values))
      // All three statements are sent together; the session answers them in order.
      const ended = rollBack(client)
      try {
        return (await read).rows as Row[]
      } finally {
        await ended
      }
    })
  }
}
