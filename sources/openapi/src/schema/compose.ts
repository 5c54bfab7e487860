import type { JsonSchema } from '@surehand/core/internal'
import type { Assembled } from './assemble.ts'

export type Field = { readonly name: string; readonly part: Assembled }

const AROUND = 90

/** The root of a tool's input: an object with the assembled schemas of the arguments. */
export function composeInput(fields: readonly Field[], required: readonly string[]): Assembled {
  const properties: Record<string, JsonSchema> = {}
  let definitions: JsonSchema | undefined
  let bytes = AROUND
  for (const { name, part } of fields) {
    const { $defs, ...schema } = part.schema
    properties[name] = $defs === undefined ? part.schema : schema
    if ($defs !== undefined) definitions = { ...definitions, ...($defs as JsonSchema) }
    bytes += part.bytes + name.length + 4
  }
  const schema = {
    type: 'object',
    properties,
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
    ...(definitions === undefined ? {} : { $defs: definitions }),
  }
  return { schema, bytes, losses: fields.flatMap(({ part }) => part.losses) }
}
