import { defineTool, defineTransaction, ToolError, transact } from '@surehand/core'
import { z } from 'zod'
import { type WriteRequest, writeRequest } from '../contract.ts'
import { INTERNAL_WRITE } from '../internal-write.ts'

const Mode = z.enum(['auto', 'operator', 'paused'])
const Input = z.object({
  conversation_id: z.string().min(1).max(100),
  mode: Mode.describe(
    'operator: a person answers, and nothing is sent automatically. paused: nothing is sent until it is handed back. auto: handed back.',
  ),
})
type ModeInput = z.output<typeof Input>

const setMode = defineTransaction(
  'marketplace.set_conversation_mode',
  async (tx, { tenant, principal, now, input }: WriteRequest<ModeInput>) => {
    const row = await tx.get(
      'select mode from mk_conversations where tenant = ? and id = ?',
      tenant,
      input.conversation_id,
    )
    if (row === undefined)
      throw new ToolError(
        'TOOL_RESOURCE_NOT_FOUND',
        `There is no conversation ${input.conversation_id}.`,
      )
    await tx.run(
      'update mk_conversations set mode = ?, mode_by = ?, mode_at = ? where tenant = ? and id = ?',
      input.mode,
      principal,
      now,
      tenant,
      input.conversation_id,
    )
    return { previous_mode: row.mode as z.output<typeof Mode>, mode: input.mode }
  },
)

export const setConversationMode = defineTool({
  id: 'marketplace.set_conversation_mode',
  title: 'Take over a conversation, pause it or hand it back',
  category: 'marketplace',
  description:
    'An operator takes over a conversation, pauses it, or hands it back. While it is taken over or paused, agents and the orchestrator send nothing to the client or to vendors for it; what arrives is stored.',
  version: '1.0.0',
  input: Input,
  output: z.object({ previous_mode: Mode, mode: Mode }),
  contract: { ...INTERNAL_WRITE, effect: 'writes.conversation' },
  examples: [
    { name: 'take over', input: { conversation_id: 'cnv_1', mode: 'operator' } },
    { name: 'pause', input: { conversation_id: 'cnv_1', mode: 'paused' } },
  ],
  transaction: transact(setMode, writeRequest<ModeInput>('mod')),
})
