import { DynamicStructuredTool } from '@langchain/core/tools'
import type { JSONSchema } from '@langchain/core/utils/json_schema'
import type { Caller, Runtime, Tool } from '@surehand/core'
import { definitionHash, modelInputSchema, wireName } from '@surehand/core/host'
import type { Keyless } from '@surehand/core/internal'
import { callTool } from './call-tool.ts'
import type { ModelCall } from './model-call.ts'
import { surfaceOf, type ToolOptions } from './options.ts'
import type { Reply } from './reply.ts'

/** A LangChain tool; `I` is the type of its input. */
export type LangChainTool<I = Record<string, unknown>> = DynamicStructuredTool<
  JSONSchema,
  I,
  I,
  Reply
>

/**
 * Creates one tool for a LangChain agent or a LangGraph node. Its calls are made as `caller`,
 * whatever the messages say.
 */
export function tool<I, O>(
  runtime: Runtime,
  caller: Caller,
  definition: Tool<I, O>,
  options: ToolOptions = {},
): LangChainTool<Keyless<I>> {
  const surface = surfaceOf(runtime, caller, options)
  const described = new DynamicStructuredTool<JSONSchema, Keyless<I>, Keyless<I>, Reply>({
    name: wireName(definition.id),
    description: definition.description,
    schema: modelInputSchema(definition) as JSONSchema,
    responseFormat: 'content_and_artifact',
    metadata: {
      surehand: {
        tool: definition.id,
        version: definition.version,
        definition_hash: definitionHash(definition),
      },
    },
    func(input, events, config: ModelCall['config'] = {}) {
      return callTool(
        { tool: definition, input, id: config.toolCall?.id, edits: [], config, events },
        surface,
      )
    },
  })
  return withoutInputValidation(described)
}

/**
 * LangChain would validate the input against the schema and throw its own error. Here every value
 * reaches the runtime, which validates it and replies with the problems; the schema only informs
 * the model.
 */
function withoutInputValidation<I>(described: LangChainTool<I>): LangChainTool<I> {
  const open: LangChainTool<I> = Object.create(described, { schema: { value: true } })
  const call = described.call.bind(open) as LangChainTool<I>['call']
  return Object.assign(described, { call })
}
