import type { Tool } from '@surehand/core'
import type { Surface } from './options.ts'

const DEFAULT_MAX_BYTES = 1_048_576

type Limits = { readonly byId: ReadonlyMap<string, number>; readonly largest: number }

// the list stays the same one while no tool is added: a thousand tools are not walked through at every call
const limitsOf = new WeakMap<readonly Tool[], Limits>()

/** How many bytes a tool's input may have. A name that is not an id may be an alias of the tool that takes most; the runtime judges by the tool it finds. */
export function bodyLimit(id: string, tenant: string, { runtime }: Surface): number {
  const tools = runtime.tools(tenant)
  const limits = limitsOf.get(tools) ?? measure(tools)
  limitsOf.set(tools, limits)
  return limits.byId.get(id) ?? limits.largest
}

function measure(tools: readonly Tool[]): Limits {
  const byId = new Map(tools.map(({ id, contract }) => [id, contract.maxInputBytes]))
  return { byId, largest: Math.max(DEFAULT_MAX_BYTES, ...byId.values()) }
}
