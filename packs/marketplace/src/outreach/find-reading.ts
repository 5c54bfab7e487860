import type { Tx } from '@surehand/core'
import type { WriteRequest } from '../contract.ts'
import { textOf } from '../market-data.ts'
import { type JointReading, readWithModel } from '../replies/model/combine-with-model.ts'
import { ModelAnswer } from '../replies/model/model-answer.ts'
import { readReply } from '../replies/read-reply.ts'

type ReplyToRead = {
  readonly request_id: string
  readonly message: string
  readonly provider_message_id: string
  /** What the agent read. */
  readonly parsed_data?:
    | Omit<StoredReading, 'confidence' | 'unsure' | 'kind' | 'read_by'>
    | undefined
}

/** What is stored of a reply: what the agent read, or what was read here. */
export type StoredReading = {
  readonly has_stock: boolean | null
  readonly price?: number | undefined
  readonly unit?: string | undefined
  readonly total?: number | undefined
  readonly availability?: string | undefined
  readonly notes?: string | undefined
  readonly confidence: number
  readonly unsure: boolean
  /** What kind of reply it is; unknown where the agent has read it. */
  readonly kind?: string | undefined
  /** Where the operator has set a language model: who has read it, in words. */
  readonly read_by?: string
}

/** What the agent read, or what is read here with the need of the request. */
export async function findReading(
  tx: Tx,
  { tenant, now, input }: WriteRequest<ReplyToRead>,
): Promise<StoredReading> {
  const { message, parsed_data: parsed, request_id: id } = input
  if (parsed !== undefined) return { ...parsed, confidence: 1, unsure: false }
  const row = await tx.get(
    'select requirements from mk_requests where tenant = ? and id = ?',
    tenant,
    id,
  )
  const { need } = JSON.parse(textOf(row?.requirements) ?? '{}') as { readonly need?: unknown }
  const options = {
    ...{ now, timeZone: 'Africa/Kigali' },
    ...(typeof need === 'string' && { request: need }),
  }
  const asked = await tx.get(
    'select model, answer, reason from mk_model_readings where tenant = ? and provider_message_id = ? and request_id = ?',
    tenant,
    input.provider_message_id,
    id,
  )
  if (asked === undefined) return readReply(message, options)
  const model = String(asked.model)
  const answer = textOf(asked.answer)
  if (answer === undefined)
    return { ...readReply(message, options), read_by: `offline; ${model}: ${asked.reason}` }
  const { readers, objection, ...reading } = readWithModel(
    message,
    options,
    ModelAnswer.parse(JSON.parse(answer)),
  )
  return { ...reading, read_by: describeReaders(model, readers, objection) }
}

function describeReaders(
  model: string,
  readers: JointReading['readers'],
  objection: JointReading['objection'],
): string {
  if (readers === 'both')
    return objection === undefined
      ? `offline and by ${model}`
      : `offline and by ${model}, which says that it can be read differently`
  if (readers === 'model') return `by ${model}; offline it was read differently`
  return `offline; the price of ${model} is not in the reply`
}
