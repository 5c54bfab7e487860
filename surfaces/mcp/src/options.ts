import type { ContentBlock, McpServer } from '@modelcontextprotocol/server'
import type { Caller, Runtime, Tool } from '@surehand/core'
import { type Clock, systemClock } from '@surehand/core/ports'
import { type Catalogue, createCatalogue } from './catalogue.ts'
import type { ClientSide } from './client-side.ts'

export type McpOptions = {
  readonly name?: string
  readonly version?: string
  readonly instructions?: string
  /** `compact`: three stable tools instead of the whole list. */
  readonly mode?: 'plain' | 'compact'
  readonly pageSize?: number
  /** How long a client may keep a list without asking again. */
  readonly listTtlMs?: number
  /** Where a person decides a question with a credential of their own. */
  readonly approvalUrl?: (approvalId: string) => string
  /** Where a person answers a question of a run, likewise. */
  readonly questionUrl?: (questionId: string) => string
  /** How long a client without tasks is kept waiting for a job or a decided call. */
  readonly waitMs?: number
  /** The host that may relay its person's yes, known from the token and never from what a client says of itself. */
  readonly hostOf?: (caller: Caller) => string | undefined
  /** Without it nobody is asked in the middle of a call: a state that could be forged is not handed out. */
  readonly requestState?: RequestStateOptions
  /** Output as something else than text: images, audio, embedded resources. */
  readonly present?: (tool: Tool, data: unknown) => readonly ContentBlock[] | undefined
  /** Tools that outlast any request: refused to clients that did not declare tasks. */
  readonly needsTask?: (tool: Tool) => boolean
  /** Fields that the person fills in and not the model, where the client can ask. */
  readonly fromPerson?: (tool: Tool) => readonly string[]
  /** Who the client's questions go through, for tools that ask in the middle of their work. */
  readonly clientSide?: ClientSide
  /** For `surehand://audit/head`; without it there is no such resource. */
  readonly audit?: AuditHeads
  /** Prompts and resources beside the tools. */
  readonly extend?: (server: McpServer) => void
  readonly clock?: Clock
}

export type AuditHeads = {
  /** The latest signed head of a tenant's audit; undefined while nothing has been signed. */
  readonly head: (tenant: string) => Promise<unknown>
}

export type RequestStateOptions = {
  readonly key: string
  readonly validForMs?: number
  /** True for the first who comes with this id, on any node; kept for as long as the state is valid. */
  readonly useOnce: (id: string, validForMs: number) => Promise<boolean>
}

/** The options with nothing left out, around one runtime. */
export type Surface = {
  readonly runtime: Runtime
  readonly catalogue: Catalogue
  readonly serverInfo: { readonly name: string; readonly version: string }
  readonly instructions: string | undefined
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
  readonly extend: (server: McpServer) => void
  readonly clock: Clock
}

const STATE_VALID_MS = 15 * 60_000

export function createSurface(runtime: Runtime, options: McpOptions = {}): Surface {
  const { requestState } = options
  return {
    runtime,
    catalogue: createCatalogue(runtime),
    serverInfo: { name: options.name ?? 'surehand', version: options.version ?? '0.1.0' },
    instructions: options.instructions,
    mode: options.mode ?? 'plain',
    pageSize: options.pageSize ?? 250,
    listTtlMs: options.listTtlMs ?? 60_000,
    approvalUrl: options.approvalUrl,
    questionUrl: options.questionUrl,
    waitMs: options.waitMs ?? 60_000,
    hostOf: options.hostOf ?? nobody,
    requestState:
      requestState === undefined ? undefined : { validForMs: STATE_VALID_MS, ...requestState },
    present: options.present ?? nobody,
    needsTask: options.needsTask ?? never,
    fromPerson: options.fromPerson ?? noFields,
    clientSide: options.clientSide,
    audit: options.audit,
    extend: options.extend ?? nobody,
    clock: options.clock ?? systemClock(),
  }
}

const BESIDE_THE_INPUT_BYTES = 64 * 1024

/** What a message may weigh: the largest input of any tool registered by now, and what travels beside it. */
export function largestMessageBytes({ catalogue }: Surface): number {
  return catalogue.largestInputBytes() + BESIDE_THE_INPUT_BYTES
}

function nobody(): undefined {
  return undefined
}

const NO_FIELDS: readonly string[] = []

function noFields(): readonly string[] {
  return NO_FIELDS
}

function never(): boolean {
  return false
}
