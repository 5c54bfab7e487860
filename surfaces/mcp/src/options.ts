import { Buffer } from 'node:buffer'
import type { ContentBlock, McpServer } from '@modelcontextprotocol/server'
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import type { Caller, Runtime, Tool } from '@surehand/core'
import { countUpTo, LONGEST_WAIT_MS, RESULT_TOOL, wireName } from '@surehand/core/host'
import type { Maybe } from '@surehand/core/ports'
import { type Clock, systemClock } from '@surehand/core/ports'
import type { FairTurns } from '@surehand/edge'
import type { ClientSide } from './client-side.ts'

export type McpOptions = {
  readonly name?: string
  readonly version?: string
  readonly instructions?: string
  /** `compact`: three stable tools instead of the whole list. */
  readonly mode?: 'plain' | 'compact'
  readonly pageSize?: number
  /** How long clients may cache a list. */
  readonly listTtlMs?: number
  /** The page on which a person decides on an approval request, with a credential of their own. */
  readonly approvalUrl?: (approvalId: string) => string
  /** The page on which a person answers a question of a run. */
  readonly questionUrl?: (questionId: string) => string
  /**
   * How long the result of a job or a decided call is awaited for clients without tasks; at most
   * 25 seconds, because clients give up on a request after 60.
   */
  readonly waitMs?: number
  /**
   * The host that may relay its user's decisions: known from the token, never from what a client
   * claims.
   */
  readonly hostOf?: (caller: Caller) => string | undefined
  /**
   * Without it, clients are not asked in the middle of a call, because the state could be forged.
   */
  readonly requestState?: RequestStateOptions
  /** Presents output as images, audio or embedded resources instead of text. */
  readonly present?: (tool: Tool, data: unknown) => readonly ContentBlock[] | undefined
  /** Tools that take longer than any request: refused for clients that have not declared tasks. */
  readonly needsTask?: (tool: Tool) => boolean
  /** Fields that the user fills in instead of the model, where the client supports forms. */
  readonly fromPerson?: (tool: Tool) => readonly string[]
  /** For tools that ask the client while they run. */
  readonly clientSide?: ClientSide
  /** For `surehand://audit/head`; without it there is no such resource. */
  readonly audit?: AuditHeads
  /** For `surehand://artifacts/{id}`, the files that answers link to. */
  readonly files?: Files
  /** Prompts and resources beside the tools. */
  readonly extend?: (server: McpServer) => void
  /** In which turn clients that wait look at stored answers. Default: at once. */
  readonly polls?: FairTurns
  /** In which turn the tools of a list are described. Default: at once. */
  readonly listings?: FairTurns
  readonly clock?: Clock
}

export type AuditHeads = {
  /** The latest signed head of a tenant's audit; undefined while nothing has been signed. */
  readonly head: (tenant: string) => Promise<unknown>
}

export type Files = {
  /** The file, for the caller of the call that it belongs to. */
  readonly find: (
    caller: Caller,
    id: string,
  ) => Promise<{ readonly bytes: Uint8Array; readonly mediaType: string } | undefined>
}

export type RequestStateOptions = {
  readonly key: string
  readonly validForMs?: number
  /** True for the first use of the id on any node; remembered as long as the state is valid. */
  readonly useOnce: (id: string, validForMs: number) => Promise<boolean>
}

/** The options with every default filled in, and the runtime. */
export type Surface = {
  readonly runtime: Runtime
  readonly catalogue: Catalogue
  readonly serverInfo: { readonly name: string; readonly version: string }
  readonly instructions: string
  readonly mode: 'plain' | 'compact'
  readonly pageSize: number
  readonly listTtlMs: number
  readonly approvalUrl: ((approvalId: string) => string) | undefined
  readonly questionUrl: ((questionId: string) => string) | undefined
  readonly waitMs: number
  readonly hostOf: (caller: Caller) => string | undefined
  readonly requestState: Required<RequestStateOptions> | undefined
  readonly present: (tool: Tool, data: unknown) => readonly ContentBlock[] | undefined
  readonly needsTask: (tool: Tool) => boolean
  readonly fromPerson: (tool: Tool) => readonly string[]
  readonly clientSide: ClientSide | undefined
  readonly audit: AuditHeads | undefined
  readonly files: Files | undefined
  readonly extend: (server: McpServer) => void
  /** Resolves when this caller may look at a stored answer again. */
  readonly turn: (caller: Caller, signal?: AbortSignal) => Promise<void>
  /** Resolves when further tools may be described for this caller. */
  readonly listingTurn: (caller: Caller, order: number) => Promise<void>
  readonly clock: Clock
}

const STATE_VALID_MS = 15 * 60_000

export function createSurface(runtime: Runtime, options: McpOptions = {}): Surface {
  const { requestState } = options
  return {
    runtime,
    catalogue: createCatalogue(runtime),
    serverInfo: { name: options.name ?? 'surehand', version: options.version ?? '0.1.0' },
    instructions: options.instructions ?? defaultInstructions(options.mode ?? 'plain'),
    mode: options.mode ?? 'plain',
    pageSize: options.pageSize ?? 250,
    listTtlMs: options.listTtlMs ?? 60_000,
    approvalUrl: options.approvalUrl,
    questionUrl: options.questionUrl,
    waitMs: Math.min(options.waitMs ?? LONGEST_WAIT_MS, LONGEST_WAIT_MS),
    hostOf: options.hostOf ?? returnUndefined,
    requestState:
      requestState === undefined ? undefined : { validForMs: STATE_VALID_MS, ...requestState },
    present: options.present ?? returnUndefined,
    needsTask: options.needsTask ?? returnFalse,
    fromPerson: options.fromPerson ?? noFields,
    clientSide: options.clientSide,
    audit: options.audit,
    files: options.files,
    extend: options.extend ?? returnUndefined,
    turn: async (caller, signal) => options.polls?.next(nameOf(caller), { signal }),
    listingTurn: async (caller, order) => options.listings?.next(nameOf(caller), { order }),
    clock: options.clock ?? systemClock(),
  }
}

function nameOf({ tenant, principal }: Caller): string {
  return JSON.stringify([tenant, principal])
}

/** What a model must know about every tool here; hosts put it into the model's context. */
function defaultInstructions(mode: McpOptions['mode']): string {
  const result = wireName(RESULT_TOOL)
  return [
    ...(mode === 'compact'
      ? [
          'Find tools with tools__search, read their input with tools__describe, call them with tools__call.',
        ]
      : []),
    `A call may wait for a person. Its answer then begins with "Nothing has been done yet" and names a call id: say what waits for whom, and get the answer later with ${result}. Never report it as done.`,
    `Do not repeat a call to see whether it is done: the same input again is the same request, or is refused as a possible duplicate, which names the earlier call for ${result}.`,
    'A denied call is not to be asked for again. TOOL_OUTCOME_UNKNOWN means that it may have happened: report that, and do not repeat it.',
  ].join('\n')
}

export const MESSAGE_OVERHEAD_BYTES = 64 * 1024

/**
 * How large a message may be: the largest input of any registered tool, and the rest of the
 * message.
 */
export function largestMessageBytes({ catalogue }: Surface): number {
  return catalogue.largestInputBytes() + MESSAGE_OVERHEAD_BYTES
}

function returnUndefined(): undefined {
  return undefined
}

const NO_FIELDS: readonly string[] = []

function noFields(): readonly string[] {
  return NO_FIELDS
}

function returnFalse(): boolean {
  return false
}

type Page = { readonly tools: readonly Tool[]; readonly nextCursor: string | undefined }

/** The tools of a runtime by their MCP names. */
type Catalogue = {
  readonly find: (name: string, tenant: string) => Tool | undefined
  /** The tools that the caller may use, always in the same order. */
  readonly visible: (caller: Caller) => Maybe<readonly Tool[]>
  /** The tool of this name, if the caller may use it. */
  readonly findVisible: (caller: Caller, name: string) => Promise<Tool | undefined>
  readonly page: (caller: Caller, cursor: string | undefined, size: number) => Promise<Page>
  /** The largest input that any registered tool allows. */
  readonly largestInputBytes: () => number
}

function createCatalogue(runtime: Runtime): Catalogue {
  const largest = new WeakMap<readonly Tool[], number>()

  function find(name: string, tenant: string): Tool | undefined {
    const tool = runtime.registry.of(tenant).find(name)
    // The registry knows aliases and versions as well, which MCP does not list.
    return tool !== undefined && (tool.id === name || wireName(tool.id) === name) ? tool : undefined
  }

  return {
    find,
    visible: runtime.visibleTools,
    async findVisible(caller, name) {
      const tool = find(name, caller.tenant)
      const visible = await runtime.visibleTools(caller)
      return tool !== undefined && visible.includes(tool) ? tool : undefined
    },
    async page(caller, cursor, size) {
      const after = cursor === undefined ? '' : readCursor(cursor)
      const visible = await runtime.visibleTools(caller)
      const from = countUpTo(visible, after)
      const tools = visible.slice(from, from + size)
      const last = tools.at(-1)
      return {
        tools,
        nextCursor:
          visible.length > from + size && last !== undefined ? writeCursor(last.id) : undefined,
      }
    },
    largestInputBytes() {
      // The registry returns the same list until a tool is registered.
      const tools = runtime.tools()
      const most =
        largest.get(tools) ??
        tools.reduce((largestYet, { contract }) => Math.max(largestYet, contract.maxInputBytes), 0)
      largest.set(tools, most)
      return most
    },
  }
}

// The cursor names the last tool and not a position: with a position, a tool registered meanwhile
// would repeat or hide another.
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
