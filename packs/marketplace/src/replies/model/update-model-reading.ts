import { defineTool, defineTransaction, type Tx, transact } from '@surehand/core'
import { z } from 'zod'
import { type WriteRequest, writeRequest } from '../../contract.ts'
import { takeBudget } from '../../discovery/take-budget.ts'
import { INTERNAL_WRITE } from '../../internal-write.ts'
import { ModelAnswer } from './model-answer.ts'

const Input = z.object({
  provider_message_id: z.string().min(1).max(255),
  request_id: z.string().min(1).max(100),
  change: z.discriminatedUnion('to', [
    z.object({ to: z.literal('asked'), model: z.string().max(200), calls_a_day: z.int().min(1) }),
    z.object({ to: z.literal('answered'), answer: ModelAnswer }),
    z.object({ to: z.literal('failed'), reason: z.string().max(200) }),
  ]),
})
type ReadingChange = z.output<typeof Input>

/** A reply has one row, so a model is asked about it once, however often it is handled. */
const update = defineTransaction(
  'marketplace.update_model_reading',
  async (tx, request: WriteRequest<ReadingChange>) => {
    const { change } = request.input
    switch (change.to) {
      case 'asked':
        return { is_granted: await takeCall(tx, request, change) }
      case 'answered':
        await settle(tx, request, { answer: JSON.stringify(change.answer), reason: null })
        return { is_granted: false }
      case 'failed':
        await settle(tx, request, { answer: null, reason: change.reason })
        return { is_granted: false }
    }
  },
)

// The row and the count are written together, before the model is asked: a process that dies
// afterwards has used its call, and the reply is read without the model.
async function takeCall(
  tx: Tx,
  request: WriteRequest<ReadingChange>,
  { model, calls_a_day: max }: { readonly model: string; readonly calls_a_day: number },
): Promise<boolean> {
  const { tenant, now, input } = request
  const { changes } = await tx.run(
    `insert into mk_model_readings (tenant, provider_message_id, request_id, model, state, reason, asked_at)
      values (?, ?, ?, ?, 'asked', 'it was interrupted', ?) on conflict (tenant, provider_message_id) do nothing`,
    tenant,
    input.provider_message_id,
    input.request_id,
    model,
    now,
  )
  if (changes === 0) return false
  const postId = `replies/${new Date(now).toISOString().slice(0, 10)}`
  if (await takeBudget(tx, { tenant, postId, budget: 'replies', max })) return true
  await settle(tx, request, { answer: null, reason: 'the budget of the day is used up' })
  return false
}

async function settle(
  tx: Tx,
  { tenant, input }: WriteRequest<ReadingChange>,
  { answer, reason }: { readonly answer: string | null; readonly reason: string | null },
): Promise<void> {
  await tx.run(
    `update mk_model_readings set state = ?, answer = ?, reason = ?
      where tenant = ? and provider_message_id = ? and state = 'asked'`,
    answer === null ? 'failed' : 'answered',
    answer,
    reason,
    tenant,
    input.provider_message_id,
  )
}

const ANSWER = {
  has_stock: true,
  price: 12_000,
  price_is: 'unit',
  currency: 'RWF',
  availability: null,
  other: null,
  agreement: 10,
} as const

export const updateModelReading = defineTool({
  id: 'marketplace.update_model_reading',
  title: 'Record what a model read in a reply',
  category: 'marketplace',
  description:
    'Part of recording a reply where a language model also reads it: counts the call before the model is asked, then stores its answer or why there is none.',
  version: '1.0.0',
  input: Input,
  output: z.object({
    is_granted: z.boolean().describe('The model may be asked; only once for a reply.'),
  }),
  contract: { ...INTERNAL_WRITE, effect: 'writes.outreach' },
  requestId: ({ request_id: id }) => id,
  examples: [
    {
      name: 'asked',
      input: {
        provider_message_id: 'wamid.reply-1',
        request_id: 'req_1',
        change: { to: 'asked', model: 'openai:gpt-5.5', calls_a_day: 500 },
      },
    },
    {
      name: 'answered',
      input: {
        provider_message_id: 'wamid.reply-0',
        request_id: 'req_1',
        change: { to: 'answered', answer: ANSWER },
      },
    },
  ],
  transaction: transact(update, writeRequest<ReadingChange>('mrd')),
})
