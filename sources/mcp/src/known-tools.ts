import { ToolError } from '@surehand/core'
import { hashJson, sha256 } from '@surehand/core/internal'
import type { ForeignListing, ListedTool } from './listing.ts'
import { toolIds } from './tool-ids.ts'

/** What a server listed last, by the ids its tools have here. */
export class KnownTools {
  listing: ForeignListing | undefined
  private readonly namespace: string
  private byId: ReadonlyMap<string, ListedTool> = new Map()
  /** As they were when the tools were made of them: what was accepted. Without it, whatever is listed goes. */
  private readonly accepted: ReadonlyMap<string, string> | undefined

  constructor(namespace: string, listing: ForeignListing | undefined) {
    this.namespace = namespace
    if (listing === undefined) return
    this.take(listing)
    this.accepted = new Map([...this.byId].map(([id, tool]) => [id, fingerprint(tool)]))
  }

  /** Whether any tool is other than before, where there was a before. */
  differsFrom(listing: ForeignListing): boolean {
    return (
      this.listing !== undefined && fingerprint(this.listing.tools) !== fingerprint(listing.tools)
    )
  }

  take(listing: ForeignListing): void {
    const names = listing.tools.map((tool) => tool.name)
    const ids = toolIds(this.namespace, names)
    this.listing = listing
    this.byId = new Map(
      listing.tools.flatMap((tool) =>
        ids.has(tool.name) ? [[ids.get(tool.name) ?? '', tool] as const] : [],
      ),
    )
  }

  /** What the tool of an id must be: as it was accepted, else as it is now; undefined where none is listed. */
  printOf(id: string): string | undefined {
    if (this.accepted !== undefined) return this.accepted.get(id) ?? 'none was accepted'
    const tool = this.byId.get(id)
    return tool === undefined ? undefined : fingerprint(tool)
  }

  /** The tool of an id, if it still is what it was when the call began. */
  unchanged(id: string, print: string | undefined): ListedTool {
    const tool = this.byId.get(id)
    if (tool === undefined)
      throw new ToolError(
        'TOOL_RESOURCE_NOT_FOUND',
        `${this.namespace} does not list ${id} any more.`,
        { effect: 'none' },
      )
    if (print !== undefined && fingerprint(tool) !== print)
      throw new ToolError(
        'TOOL_TEMPORARILY_DISABLED',
        `${id} is not the tool it was: its server has changed it. Nothing was sent.`,
        {
          effect: 'none',
        },
      )
    return tool
  }
}

function fingerprint(value: unknown): string {
  try {
    return hashJson(value)
  } catch {
    // half a character somewhere: no canonical form, and still something to compare
    return sha256(JSON.stringify(value))
  }
}
