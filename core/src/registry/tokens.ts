import type { Tool } from '../define/tool.ts'
import { modelInputSchema } from './describe.ts'
import { wireName } from './registry.ts'

export type Dialect = 'openai' | 'anthropic' | 'gemini' | 'mcp'

/**
 * What a tool costs in a model's context, in tokens, as an estimate: models count differently and
 * don't publish how. Words are cut as byte-pair encoders do by and large: letters in runs of up to
 * six, digits in threes, signs alone or in pairs.
 */
export function tokenCost(tool: Tool, dialect: Dialect): number {
  return countTokens(JSON.stringify(inDialect(tool, dialect)))
}

export function countTokens(text: string): number {
  let tokens = 0
  for (const [piece] of text.matchAll(/[A-Za-z]+|\d{1,3}|\s+|[^\sA-Za-z\d]{1,2}/gu))
    tokens += /^[A-Za-z]/.test(piece) ? Math.ceil(piece.length / 6) : 1
  return tokens
}

function inDialect(tool: Tool, dialect: Dialect): object {
  const name = wireName(tool.id)
  const { description } = tool
  const schema = modelInputSchema(tool)
  switch (dialect) {
    case 'openai':
      return { type: 'function', function: { name, description, parameters: schema } }
    case 'anthropic':
      return { name, description, input_schema: schema }
    case 'gemini':
      return { name, description, parametersJsonSchema: schema }
    case 'mcp':
      return {
        name,
        title: tool.title,
        description,
        inputSchema: schema,
        outputSchema: tool.output.toJson('output'),
      }
  }
}
