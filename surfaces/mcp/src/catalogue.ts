import { Buffer } from 'node:buffer'
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import type { Caller, Runtime, Tool } from '@surehand/core'
import { wireName } from '@surehand/core/host'
import type { Maybe } from '@surehand/core/ports'

export type Page = { readonly tools: readonly Tool[]; readonly nextCursor: string | undefined }

/** The tools of a runtime by their MCP names. */
export type Catalogue = {
  readonly find: (name: string, tenant: string) => Tool | undefined
  /** The tools that the caller may use, always in the same order. */
  readonly visible: (caller: Caller) => Maybe<readonly Tool[]>
  /** The tool of this name, if the caller may use it. */
  readonly findVisible: (caller: Caller, name: string) => Promise<Tool | undefined>
  readonly page: (caller: Caller, cursor: string | undefined, size: number) => Promise<Page>
  /** The largest input that any registered tool allows. */
  readonly largestInputBytes: () => number
}

type Index = { readonly byName: ReadonlyMap<string, Tool>; readonly largestInputBytes: number }

export function createCatalogue(runtime: Runtime): Catalogue {
  // Outdated lists are collected together with their index.
  const indexes = new WeakMap<readonly Tool[], Index>()

  // The registry returns the same list until a tool is registered.
  function index(tenant?: string): Index {
    const tools = runtime.tools(tenant)
    const known = indexes.get(tools)
    if (known !== undefined) return known
    const byName = new Map(
      tools.flatMap((tool) => [[tool.id, tool] as const, [wireName(tool.id), tool] as const]),
    )
    const largestInputBytes = tools.reduce(
      (largest, { contract }) => Math.max(largest, contract.maxInputBytes),
      0,
    )
    const fresh = { byName, largestInputBytes }
    indexes.set(tools, fresh)
    return fresh
  }

  return {
    find: (name, tenant) => index(tenant).byName.get(name),
    visible: runtime.visibleTools,
    async findVisible(caller, name) {
      const tool = index(caller.tenant).byName.get(name)
      const visible = await runtime.visibleTools(caller)
      return tool !== undefined && visible.includes(tool) ? tool : undefined
    },
    async page(caller, cursor, size) {
      const after = cursor === undefined ? '' : readCursor(cursor)
      const visible = await runtime.visibleTools(caller)
      const rest = after === '' ? visible : visible.filter(({ id }) => id > after)
      const tools = rest.slice(0, size)
      const last = tools.at(-1)
      return {
        tools,
        nextCursor: rest.length > size && last !== undefined ? writeCursor(last.id) : undefined,
      }
    },
    largestInputBytes: () => index().largestInputBytes,
  }
}

// The cursor names the last tool and not a position: with a position, a tool registered meanwhile would repeat or hide another.
function writeCursor(id: string): string {
  return Buffer.from(`after ${id}`).toString('base64url')
}

function readCursor(cursor: string): string {
  const text = Buffer.from(cursor, 'base64url').toString()
  if (text.startsWith('after ')) return text.slice('after '.length)
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    'The cursor is not valid. List again from the beginning.',
  )
}
