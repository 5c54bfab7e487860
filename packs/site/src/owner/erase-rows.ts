import { defineTool, defineTransaction, transact } from '@surehand/core'
import { z } from 'zod'
import { systemOnly, type WriteRequest, writeRequest } from '../write-request.ts'

const Input = z.object({ sessionId: z.string().max(128) })
type EraseInput = z.output<typeof Input>

// Events of orders and bookings hold ids; the others hold what the visitor said.
const STATEMENTS = [
  "update site_events set text = '' where tenant = ? and session = ? and text <> '' and kind in ('unanswered_search', 'not_understood', 'handoff')",
  'update site_bookings set customer = null, notes = null where tenant = ? and session = ? and (customer is not null or notes is not null)',
  'delete from site_slot_holds where tenant = ? and session = ?',
]

const erase = defineTransaction(
  'site.erase_rows',
  async (tx, { tenant, input }: WriteRequest<EraseInput>) => {
    let rows = 0
    for (const sql of STATEMENTS) rows += (await tx.run(sql, tenant, input.sessionId)).changes
    return { rows }
  },
)

export const eraseRows = defineTool({
  id: 'site.erase_rows',
  title: 'Erase a visitor from the tables',
  category: 'site',
  description:
    'Removes what a visitor said, and their name, from the tables. Part of site.erase_visitor.',
  input: Input,
  output: z.object({ rows: z.int() }),
  contract: {
    ...systemOnly,
    effect: 'writes.site',
    reversible: false,
    idempotency: 'caller',
    timeout: '10s',
  },
  examples: [{ name: 'a visit', input: { sessionId: 'ses_0123456789abcdef' } }],
  transaction: transact(erase, writeRequest<EraseInput>('ers')),
})
