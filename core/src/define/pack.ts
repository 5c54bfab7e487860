import type { Approval } from '../call/approval.ts'
import type { UnknownCall, UnknownCallFilter } from '../call/call-row.ts'
import type { Caller, Grant } from '../call/caller.ts'
import type { Envelope } from '../call/envelope.ts'
import type { Outcome } from '../call/outcome.ts'
import type { CallRequest } from '../call/request.ts'
import { type Duration, toMs } from './duration.ts'
import { checkViews, type PackView } from './pack-view.ts'
import type { Tool } from './tool.ts'
import type { Row, SqlValue } from './transaction.ts'
import type { ValueStore } from './value-store.ts'

/** A migration of a pack's tables; a released one must not change. `{serial}`: a growing key. */
export type PackMigration = {
  readonly name: string
  readonly statements:
    | readonly string[]
    | { readonly sqlite: readonly string[]; readonly postgres: readonly string[] }
}

/** The module and the function that definitions name as the implementation of a tool. */
export type ToolModule = { readonly module: string; readonly function: string }

/** What published definitions say of the tools of a pack, besides the tools themselves. */
export type PackPublication = {
  /** When its first and its present definitions were written, as `2026-11-16`. */
  readonly created: string
  readonly updated: string
  readonly implementation?: (toolId: string) => ToolModule
}

/** What a pack stores in the runtime's own database. */
export type PackData = {
  readonly migrations: readonly PackMigration[]
  /**
   * The address of the module that exports the pack's tools or transactions. SQLite writes in a
   * thread of its own, which loads this module and runs each transaction by its name.
   */
  readonly transactions: string
}

export type SecretNeed = SettingNeed & { readonly optional?: true }
export type SettingNeed = { /** What it is for, in a few words. */ readonly for: string }

/** What a pack needs from its operator, besides providers for the ports of its tools. */
export type PackNeeds = {
  /** By the name of the environment variable. */
  readonly secrets?: Readonly<Record<string, SecretNeed>>
  /** Environment variables that are not secret: addresses, folders, names of models. */
  readonly settings?: Readonly<Record<string, SettingNeed>>
  /** The hosts it talks to. */
  readonly hosts?: readonly string[]
}

/** For whom a pack sends requests, and where to. */
export type PackFetch = {
  readonly tenant: string
  /** An address that the operator configured: it is allowed although it is in a private network. */
  readonly trusted?: string
  readonly maxBytes?: number
  /**
   * Send with the tenant's credential of this name, or with this principal's where each person has
   * one.
   */
  readonly account?: { readonly credential: string; readonly principal: string }
}

/** A file that a pack created, to be downloaded from a browser. */
export type PackArtifact = {
  readonly tenant: string
  readonly bytes: Uint8Array
  readonly mediaType: string
}

/** An audit record as a pack reads it. */
export type PackAuditRecord = {
  readonly id: string
  readonly phase: string
  readonly call_id: string
  readonly request_id: string
  /** The key of a write; empty for reads and for calls that are no longer stored. */
  readonly idempotency_key: string
  readonly principal: string
  readonly actor: string
  readonly tool_name: string
  readonly input_hash: string
  readonly output_hash: string
  readonly success: boolean
  readonly outcome: string
  readonly code: string
  readonly error: string
  readonly duration_ms: number
  readonly created_at: number
}

/** What a vendor reported about a call whose outcome was unknown. */
export type PackEvidence = {
  readonly tenant: string
  readonly callId: string
  readonly text: string
  /** What the tool would have returned. */
  readonly output: unknown
}

/** Whose calls are emptied. */
export type PackErasure = {
  readonly tenant: string
  /** As the tools name them (`requestId`). */
  readonly requestIds: readonly string[]
  /**
   * `keep` the idempotency keys where a repetition would be executed again; `forget` them where
   * they may be derived from what is erased.
   */
  readonly keys: 'keep' | 'forget'
}

/** What the providers of a pack are created with. */
export type PackGiven = {
  /** A secret it declared; undefined where an optional one is not set. */
  readonly secret: (name: string) => string | undefined
  /** A setting it declared; undefined where it is not set. */
  readonly setting: (name: string) => string | undefined
  /** Reads its own tables, in portable SQL. Transactions do the writing. */
  readonly query: (sql: string, values: readonly SqlValue[]) => Promise<readonly Row[]>
  readonly values: ValueStore
  /** The web's `fetch`, through the server's egress rules. */
  readonly fetch: (going: PackFetch) => typeof fetch
  /** Stores it at an address that a browser can fetch; everyone who knows the address may. */
  readonly keepArtifact: (artifact: PackArtifact) => Promise<{ readonly url: string }>
  /** A folder on this machine for the pack's files. */
  readonly folder: string
  readonly now: () => number
  /** Where clients reach the server, without a slash at its end. */
  readonly publicUrl: string
  /** Calls a tool through the pipeline, as every surface does; for calls, not while it is created. */
  readonly call: (request: CallRequest) => Promise<Outcome>
  /** The caller that a principal is now; undefined where there is none, or it is disabled. */
  readonly callerOf: (tenant: string, principal: string) => Promise<Caller | undefined>
  /** The caller for work that no person asked for: webhooks, schedules. */
  readonly systemCaller: (tenant: string) => Caller
  /** The audit records of these requests, oldest first: the newest `limit` of them. */
  readonly audit: (filter: {
    readonly tenant: string
    readonly requestIds: readonly string[]
    readonly limit?: number
  }) => Promise<readonly PackAuditRecord[]>
  /** Records as done what a vendor later reported as done; false where it was settled before. */
  readonly settleUnknown: (evidence: PackEvidence) => Promise<boolean>
  /** The calls of one of its tools whose outcome is unknown, the newest first. */
  readonly unknownCalls: (filter: UnknownCallFilter) => Promise<readonly UnknownCall[]>
  /**
   * Empties the stored inputs and answers of the calls of these requests, for people who asked to
   * be erased. A call that has not ended keeps them: `underWay` counts those, to erase again later.
   */
  readonly eraseCalls: (order: PackErasure) => Promise<{
    readonly erased: number
    readonly underWay: number
  }>
}

/** Approval requests for the routes of a pack. An agent never decides. */
export type PackApprovals = {
  readonly list: (viewer: Caller, state: 'pending') => Promise<readonly Approval[]>
  readonly get: (viewer: Caller, id: string) => Promise<Approval>
  readonly decide: (
    decider: Caller,
    id: string,
    decision: {
      readonly verdict: 'approve' | 'deny'
      /** The digest of what the person was shown. */
      readonly digest: string
      readonly reason?: string
    },
  ) => Promise<Approval>
}

/** What the routes and the demo of a pack work with, besides what its providers receive. */
export type PackServices = PackGiven & {
  /** Approval requests, as the given person may see and decide them. */
  readonly approvals: PackApprovals
  /** The tools that a caller may use now. */
  readonly tools: (caller: Caller) => Promise<readonly Tool[]>
  /** The answer of a call, for the caller who made it; undefined where it is not stored. */
  readonly answer: (caller: Caller, callId: string) => Promise<Outcome | undefined>
  /** Cancels a call whose effect has not begun; false where it is too late. */
  readonly cancel: (caller: Caller, callId: string) => Promise<boolean>
  /** The tenant of an installation that has only one. */
  readonly home: string
}

/**
 * People whom a pack knows itself, such as the visitors of a web site: they have no account, and
 * their principal begins with the name of the pack and a colon.
 */
export type PackPrincipals = {
  /** The rights that such a caller has now; undefined where they have none any more. */
  readonly currentCaller: (caller: Caller, given: PackGiven) => Promise<Caller | undefined>
}

/** A request to a route of a pack. */
export type PackRequest = {
  /** The web's request; its body has arrived whole, so that a signature over it can be verified. */
  readonly request: Request
  /** The parts of the path that begin with a colon in the route. */
  readonly params: Readonly<Record<string, string>>
  /** Who sent it; undefined for routes with `auth: 'none'`. */
  readonly caller: Caller | undefined
  /** The address of the client, behind the proxies that the server trusts. */
  readonly address: string
  readonly services: PackServices
}

/** A path that the server answers for a pack: a webhook, a page, a stream. */
export type PackRoute = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Begins with the name of the pack: `/weather/:tenant/webhook`. */
  readonly path: string
  /**
   * `token`: a bearer token, as for calls. `person`: a signed-in person; others see the sign-in
   * page. `none`: the handler itself verifies a signature or a secret address.
   */
  readonly auth: 'none' | 'token' | 'person'
  /** The largest body that is read. Default: 1 MB. */
  readonly maxBytes?: number
  readonly handle: (request: PackRequest) => Promise<Response>
}

/**
 * Calls a tool at regular times. Each time has an idempotency key of its own, so that on any number
 * of nodes it is called once.
 */
export type PackSchedule = {
  readonly name: string
  readonly every: Duration
  /** Called by the system caller of each tenant. */
  readonly tool: string
  readonly input?: Readonly<Record<string, unknown>>
}

/** What a command of a pack works with. */
export type PackCommandContext = {
  /** The words behind the command's name. */
  readonly args: readonly string[]
  readonly stdout: {
    readonly write: (text: string) => unknown
    readonly columns?: number | undefined
  }
  readonly stderr: { readonly write: (text: string) => unknown }
  /** Prints rows under headings, aligned and made safe for the terminal. */
  readonly printTable: (headings: readonly string[], rows: readonly (readonly unknown[])[]) => void
  /** Prints why a call failed, as every command does. Returns the exit code. */
  readonly printFailure: (envelope: Envelope) => number
  /** Calls a tool in the app that the command line names, local or behind a server. */
  readonly call: (
    tool: string,
    input: Readonly<Record<string, unknown>>,
    idempotencyKey?: string,
  ) => Promise<Envelope>
}

/** A command of the `surehand` program. */
export type PackCommand = {
  readonly name: string
  readonly summary: string
  readonly usage: string
  /** Returns the exit code. */
  readonly run: (context: PackCommandContext) => Promise<number>
}

/** A demo of a pack that is running: emulators of vendors, each in a process of its own. */
export type RunningDemo = {
  /** Takes the place of the pack's secrets and settings: keys and addresses of the emulators. */
  readonly environment: Readonly<Record<string, string>>
  /** Writes example data; called on every start, once the server listens. */
  readonly seed?: (services: PackServices) => Promise<void>
  /** What to look at, for the start page; an address without a host is one of the server. */
  readonly links?: readonly { readonly title: string; readonly url: string }[]
  readonly stop: () => Promise<void>
}

export type PackDemo = (given: {
  /** For the emulators' data. */ readonly folder: string
  readonly publicUrl: string
  readonly tenant: string
}) => Promise<RunningDemo>

/**
 * A named list of tools with the capabilities that it grants to roles, its tables and its
 * providers.
 *
 * @example
 * const pack: Pack = definePack({ name: 'weather', tools: [weather] })
 * const runtime = createRuntime({ packs: [pack] })
 */
export type Pack = {
  readonly name: string
  readonly tools: readonly Tool[]
  readonly grants: ReadonlyMap<string, readonly (string | Grant)[]>
  readonly publication: PackPublication | undefined
  readonly data: PackData | undefined
  readonly needs: PackNeeds
  /** Creates the default providers of its ports. */
  readonly providers: ((given: PackGiven) => Readonly<Record<string, object>>) | undefined
  readonly routes: readonly PackRoute[]
  readonly schedules: readonly PackSchedule[]
  readonly commands: readonly PackCommand[]
  readonly principals: PackPrincipals | undefined
  /** Pages that the console shows. */
  readonly views: readonly PackView[]
  /** Started by `surehand serve --demo`. */
  readonly demo: PackDemo | undefined
}

export type PackForm = {
  readonly name: string
  readonly tools: readonly Tool[]
  readonly grants?: Readonly<Record<string, readonly (string | Grant)[]>>
  readonly publication?: PackPublication
  readonly data?: PackData
  readonly needs?: PackNeeds
  readonly providers?: (given: PackGiven) => Readonly<Record<string, object>>
  readonly routes?: readonly PackRoute[]
  readonly schedules?: readonly PackSchedule[]
  readonly commands?: readonly PackCommand[]
  readonly principals?: PackPrincipals
  readonly views?: readonly PackView[]
  readonly demo?: PackDemo
}

/**
 * Defines a pack: tools that belong together, and what they need.
 *
 * @example
 * const pack = definePack({
 *   name: 'weather',
 *   tools: [weather],
 *   grants: { user: ['weather.read'] },
 * })
 */
export function definePack(form: PackForm): Pack {
  const seen = new Set<string>()
  for (const tool of form.tools) {
    const name = `${tool.id}@${tool.version}`
    if (seen.has(name)) throw new TypeError(`Pack "${form.name}" lists the tool "${name}" twice.`)
    seen.add(name)
  }
  const { routes = [], schedules = [] } = form
  for (const { path } of routes)
    if (!path.startsWith(`/${form.name}/`))
      throw new TypeError(
        `The route "${path}" of pack "${form.name}" must begin with "/${form.name}/".`,
      )
  for (const { every } of schedules) toMs(every)
  return Object.freeze({
    name: form.name,
    tools: Object.freeze([...form.tools]),
    grants: new Map(Object.entries(form.grants ?? {})),
    publication: form.publication,
    data: form.data,
    needs: form.needs ?? {},
    providers: form.providers,
    routes,
    schedules,
    commands: form.commands ?? [],
    principals: form.principals,
    views: checkViews(form),
    demo: form.demo,
  })
}
