import type { Port, Tool } from '@surehand/core'
import { ToolError } from '@surehand/core'
import { definitionHash, type ForeignSource, foreignTool, visibleText } from '@surehand/core/host'
import type { JsonSchema } from '@surehand/core/internal'
import { isRecord } from '@surehand/core/internal'
import type { ForeignSchemas } from '@surehand/core/ports'
import type { ForeignListing, ListedTool, Refusal } from './listing.ts'
import { mountedContract, type Overlay } from './overlay.ts'
import { refuseNamespace, toolIds } from './tool-ids.ts'

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
 * Makes invisible characters in the texts of a schema visible. In names and values they cannot be
 * replaced without changing what is sent, so a schema with invisible characters there is refused: a
 * model would read what a person cannot see.
 */
function visibleSchema(schema: JsonSchema): JsonSchema {
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

export type MountedToolsOptions = {
  /** The namespace of the tools. */
  readonly name: string
  readonly port: Port<ForeignSource>
  readonly schemas: ForeignSchemas
  readonly overlay?: Overlay
}

export type MountedTools = {
  readonly tools: readonly Tool[]
  /** Tools that the listing refused, and tools whose schemas cannot be compiled. */
  readonly refused: readonly Refusal[]
  readonly notes: readonly string[]
}

/**
 * Makes tools with contracts from a mounted server's listing. A tool that cannot be made is left
 * out with a reason.
 * @example
 * const { tools, refused } = mountedTools(await mount.tools(), { name: 'notes', port, schemas, overlay: { search: { effect: 'read' } } })
 */
export function mountedTools(listing: ForeignListing, options: MountedToolsOptions): MountedTools {
  refuseNamespace(options.name)
  const overlay = new Map(Object.entries(options.overlay ?? {}))
  const ids = toolIds(
    options.name,
    listing.tools.map((tool) => tool.name),
  )
  const tools: Tool[] = []
  const refused = [...listing.refused]
  for (const listed of listing.tools) {
    if (overlay.get(listed.name)?.leaveOut === true) {
      refused.push({ name: listed.name, reason: 'is left out by the overlay' })
      continue
    }
    const id = ids.get(listed.name)
    if (id === undefined)
      refused.push({ name: listed.name, reason: "has a name that reads like another tool's" })
    else take(() => mountedTool(id, listed, options), listed.name)
  }
  const listedNames = new Set(listing.tools.map((tool) => tool.name))
  const unlisted = [...overlay.keys()].filter((name) => !listedNames.has(name))
  return {
    tools,
    refused,
    notes: [
      ...listing.notes,
      ...unlisted.map((name) => `The overlay names "${name}", which is not listed.`),
    ],
  }

  function take(made: () => Tool, name: string): void {
    try {
      tools.push(made())
    } catch (error) {
      refused.push({ name, reason: reasonOf(error) })
    }
  }
}

function mountedTool(
  id: string,
  listed: ListedTool,
  { name, port, schemas, overlay = {} }: MountedToolsOptions,
): Tool {
  const own = Object.hasOwn(overlay, listed.name) ? overlay[listed.name] : undefined
  const tool = foreignTool(
    {
      id,
      title: listed.title,
      description: listed.description === '' ? listed.title : listed.description,
      input: visibleSchema(listed.inputSchema),
      output:
        listed.outputSchema === undefined ? CONTENT_SCHEMA : visibleSchema(listed.outputSchema),
      port,
      fingerprint: () => listed.name,
      phrases: [own?.phrases ?? []].flat().join('\n'),
      ...mountedContract(name, listed, own ?? {}),
    },
    schemas,
  )
  // Compiles both schemas now, so that an invalid schema is not found only by the first call.
  definitionHash(tool)
  void tool.output.shape
  return tool
}

function reasonOf(error: unknown): string {
  return visibleText((error instanceof Error ? error.message : String(error)).slice(0, 500))
}

const artifact = {
  type: 'object',
  properties: {
    media_type: { type: 'string' },
    bytes: { type: 'integer', description: 'How large it is.' },
    sha256: { type: 'string' },
    base64: {
      type: 'string',
      description: 'The whole of it, where it is small enough to be carried.',
    },
  },
  required: ['media_type', 'bytes', 'sha256'],
}

/** The output schema of a tool that declares none. */
const CONTENT_SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    content: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          type: { type: 'string', description: 'text, image, audio, resource or resource_link' },
          text: { type: 'string' },
          uri: { type: 'string' },
          name: { type: 'string' },
          title: { type: 'string' },
          description: { type: 'string' },
          artifact,
        },
        required: ['type'],
      },
    },
    structured: { description: 'What the tool answered as data, though it declares no shape.' },
  },
  required: ['content'],
}
