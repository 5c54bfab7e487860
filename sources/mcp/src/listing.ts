import { visibleText } from '@surehand/core/host'
import { isRecord, type JsonSchema } from '@surehand/core/internal'
import type { MountLimits } from './limits.ts'
import { isWithinDepth } from './plain-json.ts'

/** A server's hints about a tool. They are untrusted and only used to make a contract stricter. */
export type ToolHints = {
  readonly readOnlyHint?: boolean
  readonly destructiveHint?: boolean
  readonly idempotentHint?: boolean
  readonly openWorldHint?: boolean
}

/** A tool as its server lists it, in plain JSON with unchanged texts. */
export type ListedTool = {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: JsonSchema
  readonly outputSchema?: JsonSchema
  readonly hints: ToolHints
}

/** A tool that was left out, and why. Both are safe to display. */
export type Refusal = { readonly name: string; readonly reason: string }

export type ForeignListing = {
  /** Sorted by name. */
  readonly tools: readonly ListedTool[]
  readonly refused: readonly Refusal[]
  /** Notes on the listing as a whole. */
  readonly notes: readonly string[]
}

const HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const
// Names with a meaning in JavaScript, and Surehand's own.
const RESERVED = /^(?:__proto__|constructor|prototype|surehand(?:\..*)?)$/i
const LONGEST_NAME = 128
const LONGEST_TITLE = 200
// Published definitions are hashed as canonical JSON, which allows 64 levels.
const DEPTH = 48

/** Reads a server's list tool by tool. Tools that cannot be used are left out with a reason. */
export function readListing(
  entries: readonly unknown[],
  limits: MountLimits,
  notes: readonly string[] = [],
): ForeignListing {
  const refused: Refusal[] = []
  const read: ListedTool[] = []
  let bytes = 0
  for (const [index, entry] of entries.entries()) {
    const name = displayName(entry, index)
    if (read.length >= limits.tools) {
      refused.push({
        name,
        reason: `is beyond the ${limits.tools} tools that one server may have`,
      })
      continue
    }
    const tool = readTool(entry, limits)
    if (typeof tool === 'string') {
      refused.push({ name, reason: tool })
      continue
    }
    bytes += tool.bytes
    if (bytes > limits.listBytes)
      refused.push({
        name,
        reason: `is beyond the ${limits.listBytes} bytes that one server's tools may take`,
      })
    else read.push(tool.listed)
  }
  const { tools, twice } = removeDuplicates(read)
  return { tools, refused: [...refused, ...twice], notes }
}

function readTool(
  entry: unknown,
  limits: MountLimits,
): { readonly listed: ListedTool; readonly bytes: number } | string {
  if (!isRecord(entry)) return 'is not an object'
  const { name, inputSchema, outputSchema } = entry
  const description = entry.description ?? ''
  const annotations = isRecord(entry.annotations) ? entry.annotations : {}
  if (typeof name !== 'string' || name === '') return 'has no name'
  if (name.length > LONGEST_NAME)
    return `has a name of ${name.length} characters, of at most ${LONGEST_NAME}`
  if (visibleText(name) !== name) return 'has invisible characters in its name'
  if (RESERVED.test(name)) return 'has a reserved name'
  if (typeof description !== 'string') return 'has a description that is no text'
  if (description.length > limits.descriptionLength)
    return `has a description of ${description.length} characters, of at most ${limits.descriptionLength}`
  if (!isRecord(inputSchema) || inputSchema.type !== 'object')
    return 'has an input schema that is not one of an object'
  if (outputSchema !== undefined && !isRecord(outputSchema))
    return 'has an output schema that is not an object'
  if (isRecord(entry.execution) && entry.execution.taskSupport === 'required')
    return 'can only be called as a task, which is not supported'
  if (!isWithinDepth([inputSchema, outputSchema], DEPTH))
    return `has a schema nested deeper than ${DEPTH}`
  const title = [entry.title, annotations.title].find(
    (one) => typeof one === 'string' && one.trim() !== '',
  )
  const listed: ListedTool = {
    name,
    title: typeof title === 'string' ? title.slice(0, LONGEST_TITLE) : name,
    description,
    inputSchema,
    ...(outputSchema === undefined ? {} : { outputSchema }),
    hints: Object.fromEntries(
      HINTS.flatMap((hint) =>
        typeof annotations[hint] === 'boolean' ? [[hint, annotations[hint]]] : [],
      ),
    ),
  }
  const bytes = Buffer.byteLength(JSON.stringify(listed))
  return bytes > limits.toolBytes
    ? `takes ${bytes} bytes, of at most ${limits.toolBytes}`
    : { listed, bytes }
}

// With two tools of the same name it is unknown which one a call would reach, so both are left out.
function removeDuplicates(read: readonly ListedTool[]): {
  readonly tools: readonly ListedTool[]
  readonly twice: readonly Refusal[]
} {
  const counts = new Map<string, number>()
  for (const { name } of read) counts.set(name, (counts.get(name) ?? 0) + 1)
  const tools = read
    .filter(({ name }) => counts.get(name) === 1)
    .sort((left, right) => (left.name < right.name ? -1 : 1))
  const twice = [...counts]
    .filter(([, count]) => count > 1)
    .map(([name, count]) => ({ name, reason: `is listed ${count} times` }))
  return { tools, twice }
}

function displayName(entry: unknown, index: number): string {
  if (!isRecord(entry) || typeof entry.name !== 'string' || entry.name === '')
    return `entry ${index + 1}`
  return visibleText(entry.name.slice(0, LONGEST_NAME))
}
