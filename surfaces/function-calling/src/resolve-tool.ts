import type { Caller, Runtime, Tool } from '@surehand/core'
import { wireName } from '@surehand/core/host'
import type { Offer } from './offer.ts'

export type ToolLookup = {
  readonly runtime: Pick<Runtime, 'tools'>
  readonly caller: Caller
  readonly offers: readonly Offer[]
}

/**
 * The tool that a name refers to. `offer` is set only if its schema is the one that applies to the
 * model's input.
 */
export type ResolvedTool = { readonly tool: Tool | undefined; readonly offer: Offer | undefined }

/**
 * Finds a tool by every name that the registry accepts (aliases and versions included): otherwise a
 * call could run without the host's `request` being called. For an older version the host is given
 * the newest tool, which is the only one it has.
 */
export function resolveTool(name: string, { runtime, caller, offers }: ToolLookup): ResolvedTool {
  const offered = offers.find((offer) => offer.name === name)
  if (offered !== undefined) return { tool: offered.tool, offer: offered }
  const known = [...runtime.tools(), ...runtime.tools(caller.tenant)]
  const plain = known.find((tool) => hasName(tool, name))
  if (plain !== undefined) return withOffer(plain, offers)
  const at = name.lastIndexOf('@')
  const versioned = at < 0 ? undefined : known.find((tool) => hasName(tool, name.slice(0, at)))
  if (versioned === undefined) return { tool: undefined, offer: undefined }
  const isNewest = `${versioned.version}.`.startsWith(`${name.slice(at + 1)}.`)
  return isNewest ? withOffer(versioned, offers) : { tool: versioned, offer: undefined }
}

function hasName({ id, aliases }: Tool, name: string): boolean {
  return id === name || wireName(id) === name || aliases.includes(name)
}

function withOffer(tool: Tool, offers: readonly Offer[]): ResolvedTool {
  const offer = offers.find((one) => one.tool.id === tool.id)
  return { tool: offer?.tool ?? tool, offer }
}
