import { defineTool, defineTransaction, transact } from '@surehand/core'
import { z } from 'zod'
import { type WriteRequest, writeRequest } from '../contract.ts'
import { INTERNAL_WRITE } from '../internal-write.ts'
import { lockRequest } from './store-request.ts'

const Input = z.object({
  request_id: z.string(),
  /** Replaces the fields that are named; null removes one. */
  requirements: z.record(z.string(), z.json()).default({}),
  place: z.object({ lat: z.number(), lng: z.number() }).optional(),
  /** The client's message that said so. */
  message_id: z.string().optional(),
})
type DescribeInput = z.output<typeof Input>

const describe = defineTransaction(
  'marketplace.describe_request',
  async (tx, { tenant, now, input }: WriteRequest<DescribeInput>) => {
    const request = await lockRequest(tx, { tenant, id: input.request_id, now })
    if (input.message_id !== undefined) {
      const { changes } = await tx.run(
        'update mk_messages set request_id = ? where tenant = ? and id = ? and request_id is null',
        request.id,
        tenant,
        input.message_id,
      )
      // A message says something once, also when two processes read it.
      if (changes === 0)
        return {
          request_id: request.id,
          requirements: request.requirements as Record<string, z.core.util.JSONType>,
        }
    }
    const requirements = Object.fromEntries(
      Object.entries({ ...request.requirements, ...input.requirements }).filter(
        ([, value]) => value !== null,
      ),
    )
    await tx.run(
      'update mk_requests set requirements = ?, lat = coalesce(?, lat), lng = coalesce(?, lng) where tenant = ? and id = ?',
      JSON.stringify(requirements),
      input.place?.lat ?? null,
      input.place?.lng ?? null,
      tenant,
      request.id,
    )
    return {
      request_id: request.id,
      requirements: requirements as Record<string, z.core.util.JSONType>,
    }
  },
)

export const describeRequest = defineTool({
  id: 'marketplace.describe_request',
  title: 'Record what a request asks for',
  category: 'marketplace',
  description:
    'Stores what is known of a need: what, of which category, where. Fields that are not named stay.',
  version: '1.0.0',
  input: Input,
  output: z.object({ request_id: z.string(), requirements: z.record(z.string(), z.json()) }),
  contract: { ...INTERNAL_WRITE, effect: 'writes.request' },
  requestId: ({ request_id: id }) => id,
  examples: [
    {
      name: 'amoxicillin near Kimironko',
      input: {
        request_id: 'req_1',
        requirements: { need: 'amoxicillin 250 mg', location_text: 'Kimironko' },
        place: { lat: -1.9496, lng: 30.1263 },
      },
    },
  ],
  transaction: transact(describe, writeRequest<DescribeInput>('des')),
})
