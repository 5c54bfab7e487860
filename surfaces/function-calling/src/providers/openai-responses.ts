import { isRecord, type JsonSchema } from '@surehand/core/internal'
import { idOf } from './openai-chat.ts'
import {
  incompleteReason,
  incompleteStream,
  invalidResponse,
  listOf,
  type Members,
  membersOf,
  textOf,
} from './read-response.ts'
import type { Collector, RequestedCall, Wire } from './wire.ts'

export type ResponsesTool = {
  readonly type: 'function'
  readonly name: string
  readonly description: string
  readonly parameters: JsonSchema
  /**
   * Always set: if it is missing, the vendor rewrites the schema into a strict one without our
   * knowledge.
   */
  readonly strict: boolean
}
export type FunctionCallOutput = {
  readonly type: 'function_call_output'
  readonly call_id: string
  readonly output: string
}

/** OpenAI's Responses API. */
export const openaiResponses: Wire<readonly ResponsesTool[], FunctionCallOutput> = {
  dialects: { strict: 'openai-strict', plain: 'openai', preferred: 'strict' },
  describe: (tools) =>
    tools.map(({ name, description, schema, isStrict }) => ({
      type: 'function',
      name,
      description,
      parameters: schema,
      strict: isStrict,
    })),
  calls(response) {
    const { output, status } = membersOf(response)
    if (!Array.isArray(output)) throw invalidResponse('response', response)
    return listOf(output)
      .filter(({ type }) => type === 'function_call')
      .map((item) => wantedCall(item, incompleteReason(status, ['completed'])))
  },
  reply: (answers) =>
    answers.map(({ call, text }) => ({
      type: 'function_call_output',
      call_id: call.id ?? '',
      output: text,
    })),
  collect,
}

// An item may omit its status; the status of the response is always there.
function wantedCall(
  { call_id: id, name, arguments: text, status }: Members,
  responseProblem: string | undefined,
): RequestedCall {
  const cut =
    responseProblem ??
    (status === undefined || status === 'completed'
      ? undefined
      : 'the vendor says that it is not complete')
  return {
    id: idOf(id),
    name: textOf(name),
    arguments: cut === undefined ? { text: textOf(text) } : { cut },
  }
}

// The last event contains the complete response; the fragments before it are only for display.
function collect(): Collector {
  let response: unknown
  return {
    add(event) {
      if (!isRecord(event)) return
      if (event.type === 'error' || event.type === 'response.failed')
        throw invalidResponse('response', event.response ?? { error: event })
      if (event.type === 'response.completed' || event.type === 'response.incomplete')
        response = event.response
    },
    response() {
      if (response === undefined) throw incompleteStream('response')
      return response
    },
  }
}
