import { ToolError } from '@surehand/core'
import { visibleText } from '@surehand/core/host'
import { isRecord, type JsonSchema } from '@surehand/core/internal'

// they explain and decide nothing
const WORDS = new Set(['title', 'description', '$comment'])
const VALUES = new Set(['const', 'default', 'enum', 'examples'])
// their members are named by the author
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
 * A schema whose words show what can't be seen in them. In names and values the unseen can't be spelled out without changing what is
 * sent, so a schema that hides something there is refused: a model would read what a person can't.
 */
export function visibleSchema(schema: JsonSchema): JsonSchema {
  return visibleRecord(schema)
}

function visibleRecord(
  schema: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      refuseUnseen(keyword)
      return [keyword, visibleMember(keyword, value)]
    }),
  )
}

function visibleMember(keyword: string, value: unknown): unknown {
  if (WORDS.has(keyword) && typeof value === 'string') return visibleText(value)
  if (VALUES.has(keyword)) return seenValue(value)
  if (NAMED.has(keyword) && isRecord(value)) return visibleNamed(value)
  return visibleValue(value)
}

function visibleNamed(members: Readonly<Record<string, unknown>>): unknown {
  return Object.fromEntries(
    Object.entries(members).map(([name, member]) => {
      refuseUnseen(name)
      return [name, visibleValue(member)]
    }),
  )
}

function visibleValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(visibleValue)
  return isRecord(value) ? visibleRecord(value) : seenValue(value)
}

function seenValue(value: unknown): unknown {
  if (typeof value === 'string') refuseUnseen(value)
  if (Array.isArray(value)) for (const item of value) seenValue(item)
  if (isRecord(value)) for (const [name, member] of Object.entries(value)) seenValue([name, member])
  return value
}

function refuseUnseen(text: string): void {
  const shown = visibleText(text)
  if (shown !== text)
    throw new ToolError(
      'TOOL_CONFIGURATION_ERROR',
      `The schema is refused: "${shown.slice(0, 200)}" has characters that can not be seen.`,
    )
}
