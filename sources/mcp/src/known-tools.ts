import { ToolError } from '@surehand/core'
import { hashJson, sha256 } from '@surehand/core/internal'
import type { ForeignListing, ListedTool } from './listing.ts'
import { toolIds } from './tool-ids.ts'

/** The tools that a server listed last, by their ids. */
export class KnownTools {
  listing: ForeignListing | undefined
  private readonly namespace: string
  private byId: ReadonlyMap<string, ListedTool> = new Map()
  /** Fingerprints of the accepted listing. Without one, whatever is listed may be called. */
  private readonly accepted: ReadonlyMap<string, string> | undefined

  constructor(namespace: string, listing: ForeignListing | undefined) {
    this.namespace = namespace
    if (listing === undefined) return
    this.store(listing)
    this.accepted = new Map([...this.byId].map(([id, tool]) => [id, fingerprint(tool)]))
  }

  /** Whether any tool differs from the previous listing, if there was one. */
  differsFrom(listing: ForeignListing): boolean {
    return (
      this.listing !== undefined && fingerprint(this.listing.tools) !== fingerprint(listing.tools)
    )
  }

  store(listing: ForeignListing): void {
    const names = listing.tools.map((tool) => tool.name)
    const ids = toolIds(this.namespace, names)
    this.listing = listing
    this.byId = new Map(
      listing.tools.flatMap((tool) =>
        ids.has(tool.name) ? [[ids.get(tool.name) ?? '', tool] as const] : [],
      ),
    )
  }

  /**
   * The fingerprint that a tool must have: the accepted one, else the current one; undefined if it
   * is not listed.
   */
  fingerprintOf(id: string): string | undefined {
    if (this.accepted !== undefined) return this.accepted.get(id) ?? 'none was accepted'
    const tool = this.byId.get(id)
    return tool === undefined ? undefined : fingerprint(tool)
  }

  /** The tool of an id; throws if it has changed since the call began. */
  requireUnchanged(id: string, print: string | undefined): ListedTool {
    const tool = this.byId.get(id)
    if (tool === undefined)
      throw new ToolError('TOOL_RESOURCE_NOT_FOUND', `${this.namespace} no longer lists ${id}.`, {
        effect: 'none',
      })
    if (print !== undefined && fingerprint(tool) !== print)
      throw new ToolError(
        'TOOL_TEMPORARILY_DISABLED',
        `The server has changed ${id} since it was accepted. Nothing was sent; an administrator must accept the change.`,
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
    // A lone surrogate has no canonical form; the plain JSON can still be compared.
    return sha256(JSON.stringify(value))
  }
}
