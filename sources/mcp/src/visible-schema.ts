import { ToolError } from '@surehand/core'
import { visibleText } from '@surehand/core/host'
import { isRecord, type JsonSchema } from '@surehand/core/internal'

// Keywords for readers, which have no effect on validation.
const TEXT_KEYWORDS = new Set(['title', 'description', '$comment'])
const VALUES = new Set(['const', 'default', 'enum', 'examples'])
// The members of these keywords have names chosen by the author.
const NAMED = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependentRequired',
  'dependencies',
])

/**
 * Makes invisible characters in the texts of a schema visible. In names and values they cannot be replaced without changing what is
 * sent, so a schema with invisible characters there is refused: a model would read what a person cannot see.
 */
export function visibleSchema(schema: JsonSchema): JsonSchema {
  return visibleRecord(schema)
}

function visibleRecord(
  schema: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      refuseInvisible(keyword)
      return [keyword, visibleMember(keyword, value)]
    }),
  )
}

function visibleMember(keyword: string, value: unknown): unknown {
  if (TEXT_KEYWORDS.has(keyword) && typeof value === 'string') return visibleText(value)
  if (VALUES.has(keyword)) return requireVisible(value)
  if (NAMED.has(keyword) && isRecord(value)) return visibleNamed(value)
  return visibleValue(value)
}

function visibleNamed(members: Readonly<Record<string, unknown>>): unknown {
  return Object.fromEntries(
    Object.entries(members).map(([name, member]) => {
      refuseInvisible(name)
      return [name, visibleValue(member)]
    }),
  )
}

function visibleValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(visibleValue)
  return isRecord(value) ? visibleRecord(value) : requireVisible(value)
}

function requireVisible(value: unknown): unknown {
  if (typeof value === 'string') refuseInvisible(value)
  if (Array.isArray(value)) for (const item of value) requireVisible(item)
  if (isRecord(value))
    for (const [name, member] of Object.entries(value)) requireVisible([name, member])
  return value
}

function refuseInvisible(text: string): void {
  const shown = visibleText(text)
  if (shown !== text)
    throw new ToolError(
      'TOOL_CONFIGURATION_ERROR',
      `The schema is refused: "${shown.slice(0, 200)}" contains invisible characters.`,
    )
}
