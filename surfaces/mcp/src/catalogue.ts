import { Buffer } from 'node:buffer'
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { type Caller, type Runtime, type Tool, wireName } from '@surehand/core'

export type Page = { readonly tools: readonly Tool[]; readonly nextCursor: string | undefined }

/** The tools of a runtime by the names they travel under. */
export type Catalogue = {
  readonly find: (name: string) => Tool | undefined
  /** What this caller may use, in one order. */
  readonly visible: (caller: Caller) => readonly Tool[]
  readonly page: (caller: Caller, cursor: string | undefined, size: number) => Page
}

type Index = { readonly tools: readonly Tool[]; readonly byName: ReadonlyMap<string, Tool> }

export function createCatalogue(runtime: Runtime): Catalogue {
  let known: Index | undefined

  // the registry hands out the same list until something is registered
  function index(): Index {
    const tools = runtime.tools()
    if (known?.tools === tools) return known
    const byName = new Map(tools.flatMap((tool) => [[tool.id, tool] as const, [wireName(tool.id), tool] as const]))
    known = { tools, byName }
    return known
  }

  function visible(caller: Caller): readonly Tool[] {
    const { byName } = index()
    return runtime
      .discovery(caller)
      .listTools()
      .flatMap(({ id }) => byName.get(id) ?? [])
  }

  return {
    find: (name) => index().byName.get(name),
    visible,
    page(caller, cursor, size) {
      const after = cursor === undefined ? '' : readCursor(cursor)
      const rest = visible(caller).filter(({ id }) => id > after)
      const tools = rest.slice(0, size)
      const last = tools.at(-1)
      return { tools, nextCursor: rest.length > size && last !== undefined ? writeCursor(last.id) : undefined }
    },
  }
}

// it names the last tool of a page, not a number: a tool that is registered meanwhile makes no other appear twice or not at all
function writeCursor(id: string): string {
  return Buffer.from(`after ${id}`).toString('base64url')
}

function readCursor(cursor: string): string {
  const text = Buffer.from(cursor, 'base64url').toString()
  if (text.startsWith('after ')) return text.slice('after '.length)
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The cursor is none of ours: list again from the beginning.')
}
