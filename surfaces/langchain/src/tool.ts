import { DynamicStructuredTool } from '@langchain/core/tools'
import type { JSONSchema } from '@langchain/core/utils/json_schema'
import type { Caller, Runtime, Tool } from '@surehand/core'
import { definitionHash, modelInputSchema, wireName } from '@surehand/core/host'
import type { Keyless } from '@surehand/core/internal'
import { callTool } from './call-tool.ts'
import type { ModelCall } from './model-call.ts'
import { surfaceOf, type ToolOptions } from './options.ts'
import type { Reply } from './reply.ts'

/** A tool as LangChain knows it; `I` is what it takes. */
export type LangChainTool<I = Record<string, unknown>> = DynamicStructuredTool<
  JSONSchema,
  I,
  I,
  Reply
>

/** One tool for an agent of LangChain or a node of LangGraph, called by whoever the host says. */
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
  return withoutChecks(described)
}

/**
 * The schema is for the model. LangChain would hold the input against it as well, and throw in words of its own:
 * here every value comes through, and is judged once, by the runtime.
 */
function withoutChecks<I>(described: LangChainTool<I>): LangChainTool<I> {
  const open: LangChainTool<I> = Object.create(described, { schema: { value: true } })
  const call = described.call.bind(open) as LangChainTool<I>['call']
  return Object.assign(described, { call })
}
