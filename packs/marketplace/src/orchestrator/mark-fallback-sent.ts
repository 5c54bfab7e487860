import { defineTool, defineTransaction, transact } from '@surehand/core'
import { z } from 'zod'
import { type WriteRequest, writeRequest } from '../contract.ts'
import { INTERNAL_WRITE } from '../internal-write.ts'

const Input = z.object({ request_id: z.string(), position: z.int() })
type FallbackInput = z.output<typeof Input>

const mark = defineTransaction(
  'marketplace.mark_fallback_sent',
  async (tx, { tenant, now, input }: WriteRequest<FallbackInput>) => {
    const { changes } = await tx.run(
      `update mk_request_states set fallback_sent_at = ? where tenant = ? and request_id = ? and position = ? and fallback_sent_at is null`,
      now,
      tenant,
      input.request_id,
      input.position,
    )
    return { marked: changes > 0 }
  },
)

export const markFallbackSent = defineTool({
  id: 'marketplace.mark_fallback_sent',
  title: 'Record that the client was told of an error',
  category: 'marketplace',
  description: 'Part of the due work: the fallback message of an error is sent once.',
  version: '1.0.0',
  input: Input,
  output: z.object({ marked: z.boolean() }),
  contract: { ...INTERNAL_WRITE, effect: 'writes.request' },
  requestId: ({ request_id: id }) => id,
  examples: [{ name: 'told', input: { request_id: 'req_failed', position: 1 } }],
  transaction: transact(mark, writeRequest<FallbackInput>('fal')),
})
