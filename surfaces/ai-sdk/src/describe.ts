import type { Tool } from '@surehand/core'
import { definitionHash, modelInput, modelInputSchema } from '@surehand/core/host'
import type { JsonSchema } from '@surehand/core/internal'
import { jsonSchema, type Schema } from 'ai'

/** The title, description, metadata and examples of a tool for the model and the interface. */
export function describeTool(tool: Tool) {
  const { title, description, version, contract, examples } = tool
  return {
    title,
    description,
    // The SDK adds metadata to tool calls and UI parts; the model does not see it.
    metadata: {
      surehand: {
        id: tool.id,
        version,
        definitionHash: definitionHash(tool),
        effect: contract.effect,
        reversible: !contract.isWrite || contract.reversible,
      },
    },
    ...(examples.length === 0
      ? {}
      : { inputExamples: examples.map(({ input }) => ({ input: modelInput(tool, input) })) }),
  }
}

/**
 * A schema that informs the model but does not validate: every value reaches the runtime, which
 * replies with the problems.
 */
export function unvalidatedSchema<I>(schema: JsonSchema): Schema<I> {
  // The casts are safe: the runtime validates before a value is used as an I, and JsonSchema is
  // JSON of the same draft or later.
  return jsonSchema<I>(schema as never, {
    validate: (value) => ({ success: true, value: value as I }),
  })
}

export function inputSchemaOf<I>(tool: Tool): Schema<I> {
  return unvalidatedSchema<I>(modelInputSchema(tool))
}
