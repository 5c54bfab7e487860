import type { OfferedTool } from './conversation.ts'
import { VendorRefusal } from './emulated.ts'
import { schemaFaults } from './schema-rules.ts'

const NAME = /^[a-zA-Z0-9_-]{1,64}$/

/** Refuses what OpenAI refuses, chat and Responses alike. */
export function checkOpenaiTools(tools: readonly OfferedTool[]): void {
  for (const [index, { name, schema, isStrict }] of tools.entries()) {
    if (!NAME.test(name)) {
      const message = `Invalid 'tools[${index}].function.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`
      throw new VendorRefusal(400, message, { param: `tools[${index}].function.name` })
    }
    // a function without parameters takes none
    const [fault] =
      schema === undefined ? [] : schemaFaults(schema, isStrict ? 'openai-strict' : 'openai')
    if (fault === undefined) continue
    throw new VendorRefusal(400, `Invalid schema for function '${name}': ${fault}.`, {
      param: `tools[${index}].function.parameters`,
    })
  }
}
