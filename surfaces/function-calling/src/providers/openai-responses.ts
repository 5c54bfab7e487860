import type { JsonSchema } from '@surehand/core'
import { idOf } from './openai-chat.ts'
import { cutOff, isMembers, listOf, membersOf, notAResponse, textOf } from './reading.ts'
import type { Collector, Wire } from './wire.ts'

export type ResponsesTool = {
  readonly type: 'function'
  readonly name: string
  readonly description: string
  readonly parameters: JsonSchema
  /** Always said: left out, the vendor rewrites the schema into a strict one, and we would not know. */
  readonly strict: boolean
}
export type FunctionCallOutput = { readonly type: 'function_call_output'; readonly call_id: string; readonly output: string }

/** OpenAI's Responses. */
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
    const { output } = membersOf(response)
    if (!Array.isArray(output)) throw notAResponse('response', response)
    return listOf(output)
      .filter(({ type }) => type === 'function_call')
      .map(({ call_id: id, name, arguments: text }) => ({
        id: idOf(id),
        name: textOf(name),
        arguments: { text: textOf(text) },
      }))
  },
  reply: (answers) => answers.map(({ call, text }) => ({ type: 'function_call_output', call_id: call.id ?? '', output: text })),
  collect,
}

// the vendor repeats the whole response at its end; the fragments before it are for whoever watches
function collect(): Collector {
  let response: unknown
  return {
    add(event) {
      if (!isMembers(event)) return
      if (event.type === 'error' || event.type === 'response.failed') throw notAResponse('response', event.response ?? { error: event })
      if (event.type === 'response.completed' || event.type === 'response.incomplete') response = event.response
    },
    response() {
      if (response === undefined) throw cutOff('response')
      return response
    },
  }
}
