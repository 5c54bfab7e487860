import { isToolError } from '@surehand/core'
import { type MarketWork, runTool } from '../../engine/market-context.ts'
import { textOf } from '../../market-data.ts'
import { readModelAnswer } from './model-answer.ts'
import type { ReplyModel, ReplyQuestion } from './reply-model.ts'
import type { updateModelReading } from './update-model-reading.ts'
import { writeQuestion } from './write-question.ts'

type Reply = {
  readonly requestId: string
  readonly vendorId: string
  readonly messageId: string
  readonly text: string
}
type Change = NonNullable<(typeof updateModelReading)['types']>['input']['change']

/**
 * Asks the operator's model what a reply says, and stores its answer for the recording of the reply.
 * Without a model, without budget, or without an answer in time, the reply is read offline.
 */
export async function askReplyModel(work: MarketWork, reply: Reply): Promise<void> {
  const model = work.replyModel()
  if (model === undefined) return
  const question = await findQuestion(work, reply)
  if (question === undefined) return
  const update = (change: Change) =>
    runTool<{ is_granted: boolean }>(work, {
      tool: 'marketplace.update_model_reading',
      input: { provider_message_id: reply.messageId, request_id: reply.requestId, change },
      requestId: reply.requestId,
    })
  const { replyModelCalls } = work.settings()
  const asked = { to: 'asked', model: model.name, calls_a_day: replyModelCalls } as const
  const { is_granted: isGranted } = await update(asked)
  if (isGranted) await update(await ask(work, model, question))
}

async function ask(
  { tenant, signal, settings }: MarketWork,
  model: ReplyModel,
  question: ReplyQuestion,
): Promise<Change> {
  const { replyModelWaitMs } = settings()
  const late = AbortSignal.timeout(replyModelWaitMs)
  try {
    const text = await model.read({ tenant, question }, AbortSignal.any([signal, late]))
    const answer = readModelAnswer(text)
    return answer === undefined
      ? { to: 'failed', reason: 'its answer cannot be read' }
      : { to: 'answered', answer }
  } catch (thrown) {
    if (signal.aborted) throw thrown
    if (late.aborted)
      return { to: 'failed', reason: `it did not answer in ${replyModelWaitMs / 1000} s` }
    if (!isToolError(thrown)) throw thrown
    return { to: 'failed', reason: `it failed (${thrown.code})` }
  }
}

async function findQuestion(
  { read, tenant }: MarketWork,
  { requestId, vendorId, text }: Reply,
): Promise<ReplyQuestion | undefined> {
  const [row] = await read(
    `select r.requirements, c.phone as client, (select v.phone from mk_vendors v where v.tenant = r.tenant and v.id = ?) as vendor
      from mk_requests r join mk_conversations c on c.tenant = r.tenant and c.id = r.conversation_id
      where r.tenant = ? and r.id = ?`,
    vendorId,
    tenant,
    requestId,
  )
  const { need } = JSON.parse(textOf(row?.requirements) ?? '{}') as { readonly need?: unknown }
  const phones = [row?.client, row?.vendor].flatMap((phone) => textOf(phone) ?? [])
  return writeQuestion(
    { request: typeof need === 'string' ? need : undefined, reply: text },
    phones,
  )
}
