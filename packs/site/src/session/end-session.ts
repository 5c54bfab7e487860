import { defineTool, defineTransaction, transact } from '@surehand/core'
import { z } from 'zod'
import { systemOnly, type WriteRequest, writeRequest } from '../write-request.ts'

const Input = z.object({ sessionId: z.string().max(128) })
type EndInput = z.output<typeof Input>

const end = defineTransaction(
  'site.end_session',
  async (tx, { tenant, now, input }: WriteRequest<EndInput>) => {
    const { changes } = await tx.run(
      'update site_sessions set ended_at = ? where tenant = ? and id = ? and ended_at is null',
      now,
      tenant,
      input.sessionId,
    )
    return { ended: changes === 1 }
  },
)

export const endSession = defineTool({
  id: 'site.end_session',
  title: 'End a visitor session',
  category: 'site',
  description: "Ends the session of a visitor: the visitor's token is worth nothing afterwards.",
  input: Input,
  output: z.object({ ended: z.boolean() }),
  contract: {
    ...systemOnly,
    effect: 'writes.session',
    reversible: false,
    idempotency: 'caller',
    timeout: '5s',
  },
  examples: [{ name: 'a visitor', input: { sessionId: 'ses_0123456789abcdef' } }],
  transaction: transact(end, writeRequest<EndInput>('end')),
})
