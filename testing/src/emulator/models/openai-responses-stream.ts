import type { StreamEvent } from './emulated.ts'
import { splitIntoFragments } from './fragments.ts'

export type OutputText = {
  readonly type: 'output_text'
  readonly text: string
  readonly annotations: readonly never[]
  readonly logprobs: readonly never[]
}
export type OutputItem =
  | {
      readonly type: 'message'
      readonly id: string
      readonly status: string
      readonly role: 'assistant'
      readonly content: readonly OutputText[]
    }
  | {
      readonly type: 'function_call'
      readonly id: string
      readonly call_id: string
      readonly name: string
      readonly arguments: string
      readonly status: string
    }

type Payload = { readonly type: string; readonly [member: string]: unknown }

/** The events that stream a finished response. */
export function* responseEvents(response: {
  readonly output: readonly OutputItem[]
  readonly [member: string]: unknown
}): Generator<StreamEvent> {
  let number = 0
  for (const payload of payloads(response))
    yield { event: payload.type, data: { ...payload, sequence_number: number++ } }
}

function* payloads(response: {
  readonly output: readonly OutputItem[]
  readonly [member: string]: unknown
}): Generator<Payload> {
  const begun = { ...response, status: 'in_progress', output: [], usage: null }
  yield { type: 'response.created', response: begun }
  yield { type: 'response.in_progress', response: begun }
  for (const [index, item] of response.output.entries()) {
    yield { type: 'response.output_item.added', output_index: index, item: empty(item) }
    yield* item.type === 'message' ? messageEvents(item, index) : callEvents(item, index)
    yield { type: 'response.output_item.done', output_index: index, item }
  }
  yield { type: 'response.completed', response }
}

function empty(item: OutputItem): object {
  return item.type === 'message'
    ? { ...item, status: 'in_progress', content: [] }
    : { ...item, status: 'in_progress', arguments: '' }
}

function* messageEvents(
  item: Extract<OutputItem, { type: 'message' }>,
  index: number,
): Generator<Payload> {
  for (const [part, content] of item.content.entries()) {
    const at = { item_id: item.id, output_index: index, content_index: part }
    yield { type: 'response.content_part.added', ...at, part: { ...content, text: '' } }
    for (const delta of splitIntoFragments(content.text))
      yield { type: 'response.output_text.delta', ...at, delta, logprobs: [] }
    yield { type: 'response.output_text.done', ...at, text: content.text, logprobs: [] }
    yield { type: 'response.content_part.done', ...at, part: content }
  }
}

function* callEvents(
  item: Extract<OutputItem, { type: 'function_call' }>,
  index: number,
): Generator<Payload> {
  const at = { item_id: item.id, output_index: index }
  for (const delta of splitIntoFragments(item.arguments))
    yield { type: 'response.function_call_arguments.delta', ...at, delta }
  yield {
    type: 'response.function_call_arguments.done',
    ...at,
    name: item.name,
    arguments: item.arguments,
  }
}
