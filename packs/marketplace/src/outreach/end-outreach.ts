import { defineTool, defineTransaction, ToolError, transact } from '@surehand/core'
import { z } from 'zod'
import { type WriteRequest, writeRequest } from '../contract.ts'
import { INTERNAL_WRITE } from '../internal-write.ts'
import { OutreachState } from '../request/request.ts'
import { moveOutreach } from './store-outreach.ts'

const Input = z.object({
  outreach_id: z.string(),
  to: z.enum(['no_response', 'failed', 'excluded']),
  reason: z.string().max(500).optional(),
})
type EndInput = z.output<typeof Input>

const end = defineTransaction(
  'marketplace.end_outreach',
  async (tx, { tenant, now, input }: WriteRequest<EndInput>) => {
    const { outreach_id: id, to, reason } = input
    await moveOutreach(
      tx,
      { tenant, id, now, to },
      reason === undefined ? {} : { excluded_reason: reason },
    )
    const row = await tx.get(
      'select state, request_id from mk_outreach where tenant = ? and id = ?',
      tenant,
      id,
    )
    if (row === undefined)
      throw new ToolError('TOOL_RESOURCE_NOT_FOUND', `There is no outreach ${id}.`)
    return {
      outreach_id: id,
      request_id: String(row.request_id),
      state: row.state as OutreachState,
    }
  },
)

export const endOutreach = defineTool({
  id: 'marketplace.end_outreach',
  title: 'End the outreach to a vendor',
  category: 'marketplace',
  description:
    'Records that a vendor did not answer, could not be reached, or is left out. A transition that is not legal changes nothing; the state as it is comes back.',
  version: '1.0.0',
  input: Input,
  output: z.object({ outreach_id: z.string(), request_id: z.string(), state: OutreachState }),
  contract: { ...INTERNAL_WRITE, effect: 'writes.outreach' },
  examples: [
    { name: 'no answer', input: { outreach_id: 'out_sent', to: 'no_response' } },
    {
      name: 'left out',
      input: { outreach_id: 'out_sent', to: 'excluded', reason: 'closed for the holidays' },
    },
  ],
  transaction: transact(end, writeRequest<EndInput>('end')),
})
