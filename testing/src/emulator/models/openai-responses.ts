import { z } from 'zod'
import type { EmulatorReply } from '../route.ts'
import {
  type Conversation,
  estimateTokens,
  type RequestedCall,
  type ScriptedReply,
  type Turn,
} from './conversation.ts'
import { emulatedName, eventStream, jsonReply, newId, VendorError } from './emulated.ts'
import { writeArguments } from './fragments.ts'
import { type OutputItem, responseEvents } from './openai-responses-stream.ts'
import { checkOpenaiTools } from './openai-tools.ts'
import { readText } from './read-text.ts'

const Item = z.looseObject({ type: z.string().optional(), role: z.string().optional() })
type Item = z.infer<typeof Item>

const ToolForm = z.looseObject({
  type: z.string(),
  name: z.string().optional(),
  description: z.string().nullish(),
  parameters: z.unknown().optional(),
  strict: z.boolean().nullish(),
})

export const ResponsesRequest = z.looseObject({
  model: z.string(),
  input: z.union([z.string(), z.array(Item)]),
  instructions: z.string().nullish(),
  previous_response_id: z.string().nullish(),
  store: z.boolean().nullish(),
  tools: z.array(ToolForm).nullish(),
  stream: z.boolean().nullish(),
})
type ResponsesRequest = z.infer<typeof ResponsesRequest>

/**
 * What the vendor stores between requests: items that can be referenced, and responses that can be
 * continued.
 */
export type StoredResponses = {
  readonly items: Map<string, Item>
  readonly responses: Map<string, readonly Item[]>
}

export type ReadResponses = { readonly conversation: Conversation; readonly items: readonly Item[] }

export function readResponses(request: ResponsesRequest, stored: StoredResponses): ReadResponses {
  const given =
    typeof request.input === 'string' ? [{ role: 'user', content: request.input }] : request.input
  const items = [
    ...earlierItems(request, stored),
    ...given.map((item) => resolveReference(item, stored)),
  ]
  // Built-in tools of the vendor are not passed to the script.
  const tools = (request.tools ?? []).flatMap(({ type, name, description, parameters, strict }) => {
    return type === 'function' && name !== undefined
      ? [{ name, description: description ?? '', schema: parameters, isStrict: strict === true }]
      : []
  })
  checkOpenaiTools(tools)
  const system = items.flatMap((item) =>
    item.role === 'system' || item.role === 'developer' ? [readText(item.content)] : [],
  )
  const conversation: Conversation = {
    vendor: 'openai-responses',
    model: request.model,
    system: [request.instructions ?? '', ...system].filter((text) => text !== '').join('\n'),
    turns: readTurns(items),
    tools,
    isStreamed: request.stream === true,
    body: request,
  }
  return { conversation, items }
}

function earlierItems(
  { previous_response_id: id }: ResponsesRequest,
  { responses }: StoredResponses,
): readonly Item[] {
  if (id === undefined || id === null) return []
  const items = responses.get(id)
  if (items === undefined)
    throw new VendorError(400, `Previous response with id '${id}' not found.`, {
      param: 'previous_response_id',
    })
  return items
}

function resolveReference(item: Item, { items }: StoredResponses): Item {
  if (item.type !== 'item_reference') return item
  const found = items.get(String(item.id))
  if (found === undefined)
    throw new VendorError(404, `Item with id '${String(item.id)}' not found.`, { param: 'input' })
  return found
}

function readTurns(items: readonly Item[]): readonly Turn[] {
  const turns: Turn[] = []
  const open = new Map<string, RequestedCall>()
  for (const item of items) {
    const last = turns.at(-1)
    if (item.type === 'function_call') {
      const call = {
        id: String(item.call_id),
        name: String(item.name),
        arguments: tryToParseJson(String(item.arguments)),
      }
      open.set(call.id, call)
      if (last?.role === 'assistant') turns.splice(-1, 1, { ...last, calls: [...last.calls, call] })
      else turns.push({ role: 'assistant', text: '', calls: [call] })
    } else if (item.type === 'function_call_output') {
      const id = String(item.call_id)
      const call = open.get(id)
      if (call === undefined)
        throw new VendorError(
          400,
          `No tool call found for function call output with call_id ${id}.`,
          { param: 'input' },
        )
      open.delete(id)
      const result = { id, name: call.name, text: readText(item.output), isError: false }
      if (last?.role === 'tool')
        turns.splice(-1, 1, { role: 'tool', results: [...last.results, result] })
      else turns.push({ role: 'tool', results: [result] })
    } else if (item.role === 'user') turns.push({ role: 'user', text: readText(item.content) })
    else if (item.role === 'assistant')
      turns.push({ role: 'assistant', text: readText(item.content), calls: [] })
  }
  for (const id of open.keys())
    throw new VendorError(400, `No tool output found for function call ${id}.`, {
      param: 'input',
    })
  return turns
}

function tryToParseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

export function replyResponses(
  { conversation, items }: ReadResponses,
  scripted: ScriptedReply,
  stored: StoredResponses,
): EmulatorReply {
  const request = conversation.body as ResponsesRequest
  const output = outputOf(scripted)
  const id = newId('resp_', 48)
  const response = {
    id,
    object: 'response',
    created_at: Math.floor(Date.now() / 1000),
    status: 'completed',
    background: false,
    error: null,
    incomplete_details: null,
    instructions: request.instructions ?? null,
    max_output_tokens: null,
    model: emulatedName(conversation.model),
    output,
    parallel_tool_calls: true,
    previous_response_id: request.previous_response_id ?? null,
    reasoning: { effort: null, summary: null },
    service_tier: 'default',
    store: request.store !== false,
    temperature: 1,
    text: { format: { type: 'text' } },
    tool_choice: 'auto',
    tools: request.tools ?? [],
    top_p: 1,
    truncation: 'disabled',
    usage: usageOf(conversation, scripted),
    user: null,
    metadata: {},
  }
  if (request.store !== false) {
    for (const item of output) stored.items.set(item.id, item as Item)
    stored.responses.set(id, [...items, ...(output as readonly Item[])])
  }
  return conversation.isStreamed ? eventStream([...responseEvents(response)]) : jsonReply(response)
}

function outputOf(scripted: ScriptedReply): readonly OutputItem[] {
  const calls = (scripted.calls ?? []).map((call): OutputItem => {
    const item = {
      id: newId('fc_', 48),
      call_id: call.id ?? newId('call_'),
      name: call.name,
      arguments: writeArguments(call.arguments),
    }
    return { type: 'function_call', ...item, status: 'completed' }
  })
  if (scripted.text === undefined) return calls
  const content = [
    { type: 'output_text' as const, text: scripted.text, annotations: [], logprobs: [] },
  ]
  return [
    { type: 'message', id: newId('msg_', 48), status: 'completed', role: 'assistant', content },
    ...calls,
  ]
}

function usageOf({ body }: Conversation, scripted: ScriptedReply): object {
  const input = estimateTokens(body)
  const output = estimateTokens(scripted)
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input + output,
  }
}
