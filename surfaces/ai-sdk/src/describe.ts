import type { Tool } from '@surehand/core'
import { definitionHash, modelInput, modelInputSchema } from '@surehand/core/host'
import type { JsonSchema } from '@surehand/core/internal'
import { jsonSchema, type Schema } from 'ai'

/** What a model and an interface are told of a tool. */
export function describe(tool: Tool) {
  const { title, description, version, contract, examples } = tool
  return {
    title,
    description,
    // on tool calls and UI parts, never to the model
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

/** A schema for the model's eyes: every value passes on to the runtime, whose answer says what is wrong with it. */
export function shownSchema<I>(schema: JsonSchema): Schema<I> {
  // erased: the runtime validates before anything takes the value for an I; JsonSchema is JSON of the same draft and later
  return jsonSchema<I>(schema as never, {
    validate: (value) => ({ success: true, value: value as I }),
  })
}

export function inputSchemaOf<I>(tool: Tool): Schema<I> {
  return shownSchema<I>(modelInputSchema(tool))
}
