import { defineTool, defineTransaction, ToolError, transact } from '@surehand/core'
import { z } from 'zod'
import { OPERATE, type WriteRequest, writeRequest } from '../contract.ts'
import { ConsentState } from '../request/request.ts'

/** How long a grant is valid. */
export const CONSENT_MS = 24 * 3_600_000

const Input = z.object({
  consent_id: z.string(),
  /** `asked`: the question reached the client. `expired`: nobody answered, or the grant is over. */
  change: z.enum(['asked', 'granted', 'denied', 'expired']),
  /** The client's message that decides; without it the caller does. */
  by_message: z.string().optional(),
})
type DecideInput = z.output<typeof Input>

const decide = defineTransaction(
  'marketplace.decide_consent',
  async (tx, { tenant, actor, now, input }: WriteRequest<DecideInput>) => {
    const { consent_id: id, change } = input
    switch (change) {
      case 'asked':
        await tx.run(
          'update mk_consents set message_sent = 1 where tenant = ? and id = ?',
          tenant,
          id,
        )
        break
      case 'granted':
      case 'denied':
        // The first answer counts; a client with a change of mind is asked again.
        await tx.run(
          `update mk_consents set state = ?, decided_at = ?, decided_by = ?, expires_at = ? where tenant = ? and id = ? and state = 'requested'`,
          change,
          now,
          input.by_message ?? actor,
          change === 'granted' ? now + CONSENT_MS : null,
          tenant,
          id,
        )
        break
      case 'expired':
        await tx.run(
          `update mk_consents set state = 'expired' where tenant = ? and id = ?
            and ((state = 'granted' and expires_at <= ?) or (state = 'requested' and requested_at <= ?))`,
          tenant,
          id,
          now,
          now - CONSENT_MS,
        )
        break
    }
    const row = await tx.get(
      'select state from mk_consents where tenant = ? and id = ?',
      tenant,
      id,
    )
    if (row === undefined)
      throw new ToolError('TOOL_RESOURCE_NOT_FOUND', `There is no consent ${id}.`)
    return { consent_id: id, state: row.state as ConsentState }
  },
)

export const decideConsent = defineTool({
  id: 'marketplace.decide_consent',
  title: "Record a client's consent",
  category: 'marketplace',
  description:
    'Records what a client answered to the question whether we may call, or that the answer has expired. For replies that arrive by WhatsApp this happens by itself.',
  version: '1.0.0',
  input: Input,
  output: z.object({ consent_id: z.string(), state: ConsentState }),
  contract: {
    ...OPERATE,
    effect: 'writes.consent',
    reversible: true,
    idempotency: 'caller',
    timeout: '5s',
  },
  requestId: ({ consent_id: id }) => id,
  examples: [
    { name: 'yes', input: { consent_id: 'con_requested', change: 'granted' } },
    { name: 'no', input: { consent_id: 'con_requested', change: 'denied' } },
  ],
  transaction: transact(decide, writeRequest<DecideInput>('dec')),
})
