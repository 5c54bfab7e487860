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
import { splitIntoFragments } from './fragments.ts'
import { readText } from './read-text.ts'
import { findSchemaProblems } from './schema-rules.ts'

const Part = z.looseObject({
  text: z.string().optional(),
  thoughtSignature: z.string().optional(),
  functionCall: z
    .looseObject({
      id: z.string().optional(),
      name: z.string(),
      args: z.record(z.string(), z.unknown()).optional(),
    })
    .optional(),
  functionResponse: z
    .looseObject({
      id: z.string().optional(),
      name: z.string(),
      response: z.record(z.string(), z.unknown()),
    })
    .optional(),
})
type Part = z.infer<typeof Part>
const Content = z.looseObject({
  role: z.enum(['user', 'model', 'function']).optional(),
  parts: z.array(Part).min(1),
})
const Declaration = z.looseObject({
  name: z.string(),
  description: z.string().optional(),
  parameters: z.unknown().optional(),
  parametersJsonSchema: z.unknown().optional(),
})

export const ContentRequest = z.looseObject({
  contents: z.array(Content).min(1),
  systemInstruction: z.looseObject({ parts: z.array(Part) }).optional(),
  tools: z
    .array(z.looseObject({ functionDeclarations: z.array(Declaration).optional() }))
    .optional(),
})
type ContentRequest = z.infer<typeof ContentRequest>

const NAME = /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/

export type GeminiAddress = { readonly model: string; readonly isStreamed: boolean }

export function readContent(
  request: ContentRequest,
  { model, isStreamed }: GeminiAddress,
): Conversation {
  const declarations = (request.tools ?? []).flatMap(
    ({ functionDeclarations = [] }) => functionDeclarations,
  )
  const tools = declarations.map(({ name, description = '', parameters, parametersJsonSchema }) => {
    if (parameters !== undefined && parametersJsonSchema !== undefined)
      throw invalid(`tools: ${name} sets both parameters and parameters_json_schema.`)
    const schema = parametersJsonSchema ?? parameters
    const [fault] = schema === undefined ? [] : findSchemaProblems(schema, 'gemini')
    if (!NAME.test(name)) throw invalid(`Invalid function name "${name}".`)
    if (fault !== undefined) throw invalid(`Invalid schema of function ${name}: ${fault}.`)
    return { name, description, schema, isStrict: false }
  })
  checkSignatures(request.contents, model)
  return {
    vendor: 'gemini',
    model,
    system: readText(request.systemInstruction?.parts),
    turns: readTurns(request.contents),
    tools,
    isStreamed,
    body: request,
  }
}

function readTurns(contents: ContentRequest['contents']): readonly Turn[] {
  const turns: Turn[] = []
  let open: readonly RequestedCall[] = []
  for (const { role = 'user', parts } of contents) {
    const responses = parts.flatMap(({ functionResponse }) =>
      functionResponse === undefined ? [] : [functionResponse],
    )
    if (responses.length !== open.length)
      throw invalid(
        'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.',
      )
    const results = responses.map((response, index) => {
      const call =
        response.id === undefined ? open[index] : open.find(({ id }) => id === response.id)
      if (call?.name !== response.name)
        throw invalid(`The function response ${response.name} answers no function call.`)
      const { error, ...rest } = response.response
      return {
        id: call.id,
        name: call.name,
        text: resultText(error ?? rest.output ?? rest.result ?? rest),
        isError: error !== undefined,
      }
    })
    if (results.length > 0) turns.push({ role: 'tool', results })
    open = parts.flatMap(({ functionCall: call }, index) =>
      call === undefined
        ? []
        : [{ id: call.id ?? String(index), name: call.name, arguments: call.args ?? {} }],
    )
    if (role === 'model') turns.push({ role: 'assistant', text: readText(parts), calls: open })
    else if (readText(parts) !== '') turns.push({ role: 'user', text: readText(parts) })
  }
  if (open.length > 0)
    throw invalid(
      'Please ensure that a function call turn is followed by a function response turn.',
    )
  return turns
}

function resultText(result: unknown): string {
  return typeof result === 'string' ? result : JSON.stringify(result)
}

// From Gemini 3 on, a call of the current turn must be sent back with its thought signature.
function checkSignatures(contents: ContentRequest['contents'], model: string): void {
  if (!hasIds(model)) return
  const from = contents.findLastIndex(
    ({ role, parts }) => role !== 'model' && parts.some(({ text }) => text !== undefined),
  )
  for (const { parts } of contents.slice(from + 1)) {
    const first = parts.find(({ functionCall }) => functionCall !== undefined)
    if (first !== undefined && first.thoughtSignature === undefined)
      throw invalid('Function call is missing a thought_signature in functionCall parts.')
  }
}

/** Whether the model gives its calls an id. Older ones do not. */
function hasIds(model: string): boolean {
  return Number(/^gemini-(\d+)/.exec(model)?.[1] ?? '0') >= 3
}

export function replyContent(
  conversation: Conversation,
  scripted: ScriptedReply,
  isEvents: boolean,
): EmulatorReply {
  const { model, isStreamed } = conversation
  const calls = (scripted.calls ?? []).map((call, index): Part => {
    const args = (
      typeof call.arguments === 'string' ? JSON.parse(call.arguments) : (call.arguments ?? {})
    ) as Record<string, unknown>
    const signature = hasIds(model) && index === 0 ? { thoughtSignature: newId('', 32) } : {}
    return {
      functionCall: {
        ...(hasIds(model) ? { id: call.id ?? newId('', 8) } : {}),
        name: call.name,
        args,
      },
      ...signature,
    }
  })
  const head = { modelVersion: emulatedName(model), responseId: newId('', 22) }
  const answer = (parts: readonly Part[], end: object = {}) => ({
    candidates: [{ content: { role: 'model', parts }, ...end, index: 0 }],
    usageMetadata: usageOf(conversation, scripted),
    ...head,
  })
  const texts = scripted.text === undefined ? [] : [{ text: scripted.text }]
  if (!isStreamed) return jsonReply(answer([...texts, ...calls], { finishReason: 'STOP' }))
  // Gemini streams a call as a whole and splits only text.
  const parts: readonly Part[] = [
    ...texts.flatMap(({ text }) => splitIntoFragments(text).map((piece) => ({ text: piece }))),
    ...calls,
  ]
  const chunks = [
    ...parts.map((part) => answer([part])),
    answer([{ text: '' }], { finishReason: 'STOP' }),
  ]
  return isEvents
    ? eventStream(
        chunks.map((data) => ({ data })),
        '\r\n',
      )
    : jsonReply(chunks)
}

function usageOf({ body }: Conversation, scripted: ScriptedReply): object {
  const prompt = estimateTokens(body)
  const candidates = estimateTokens(scripted)
  return {
    promptTokenCount: prompt,
    candidatesTokenCount: candidates,
    totalTokenCount: prompt + candidates,
  }
}

function invalid(message: string): VendorError {
  return new VendorError(400, message, { kind: 'INVALID_ARGUMENT' })
}
