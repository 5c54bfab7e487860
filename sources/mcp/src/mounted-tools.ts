import type { Port, Tool } from '@surehand/core'
import { definitionHash, type ForeignSource, foreignTool, visibleText } from '@surehand/core/host'
import type { ForeignSchemas } from '@surehand/core/ports'
import { CONTENT_SCHEMA } from './content-schema.ts'
import type { ForeignListing, ListedTool, Refusal } from './listing.ts'
import { mountedContract, type Overlay } from './overlay.ts'
import { refuseNamespace, toolIds } from './tool-ids.ts'
import { visibleSchema } from './visible-schema.ts'

export type MountedToolsOptions = {
  /** Stands before every tool's name. */
  readonly name: string
  readonly port: Port<ForeignSource>
  readonly schemas: ForeignSchemas
  readonly overlay?: Overlay
}

export type MountedTools = {
  readonly tools: readonly Tool[]
  /** Those of the listing, and those whose schemas can't be kept. */
  readonly refused: readonly Refusal[]
  readonly notes: readonly string[]
}

/**
 * The tools of a mounted server under contracts of ours. One that can't be had is left out with its reason; it takes no other with it.
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
      refused.push({ name: listed.name, reason: "has a name that can't be told from another's" })
    else take(() => mountedTool(id, listed, options), listed.name)
  }
  const listedNames = new Set(listing.tools.map((tool) => tool.name))
  const strangers = [...overlay.keys()].filter((name) => !listedNames.has(name))
  return {
    tools,
    refused,
    notes: [
      ...listing.notes,
      ...strangers.map((name) => `The overlay names "${name}", which is not listed.`),
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
      ...mountedContract(name, listed, own ?? {}),
    },
    schemas,
  )
  // compiles both schemas: what can't be kept is found now, and not by the first caller
  definitionHash(tool)
  void tool.output.shape
  return tool
}

function reasonOf(error: unknown): string {
  return visibleText((error instanceof Error ? error.message : String(error)).slice(0, 500))
}
