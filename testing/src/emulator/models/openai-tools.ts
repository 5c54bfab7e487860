import type { OfferedTool } from './conversation.ts'
import { VendorError } from './emulated.ts'
import { findSchemaProblems } from './schema-rules.ts'

const NAME = /^[a-zA-Z0-9_-]{1,64}$/

/** Refuses the tools that OpenAI refuses, for chat completions and Responses. */
export function checkOpenaiTools(tools: readonly OfferedTool[]): void {
  for (const [index, { name, schema, isStrict }] of tools.entries()) {
    if (!NAME.test(name)) {
      const message = `Invalid 'tools[${index}].function.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`
      throw new VendorError(400, message, { param: `tools[${index}].function.name` })
    }
    // A function without `parameters` has none.
    const [fault] =
      schema === undefined ? [] : findSchemaProblems(schema, isStrict ? 'openai-strict' : 'openai')
    if (fault === undefined) continue
    throw new VendorError(400, `Invalid schema for function '${name}': ${fault}.`, {
      param: `tools[${index}].function.parameters`,
    })
  }
}
