import type { Caller, Pack, Runtime } from '@surehand/core'
import {
  type AuditStore,
  type CallTrace,
  type Clock,
  type Entropy,
  type Maybe,
  systemClock,
  systemEntropy,
} from '@surehand/core/ports'
import { type AllowedSites, createEdge, type Edge } from '@surehand/edge'
import type { DryRunSchema, FiguresSchema, ProgramViewSchema } from '@surehand/edge/api'
import type { IdentityApi, OpenSessions, Session, Sessions, SignedIn } from '@surehand/identity'
import type { ImportsApi } from '@surehand/imports'
import type { CredentialsApi, Vault } from '@surehand/vault'
import type { z } from 'zod'
import { createInboxFeed, type InboxFeed } from './inbox-feed.ts'
import type { HttpNotifications } from './notification-settings.ts'
import type { HttpOAuth } from './page/client-consent-page.ts'
import type { HttpWebhooks } from './webhooks-api.ts'

/** Finds out who calls; `createIdentity` of `@surehand/identity` is one. */
export type HttpIdentity = {
  readonly authenticate: (bearer: string) => Maybe<SignedIn | undefined>
  readonly authenticateSession: (session: Session) => Promise<Caller | undefined>
  /** The open sessions of people; without it, signing out only removes the cookie. */
  readonly openSessions?: OpenSessions | undefined
}

export type RetentionView = {
  readonly calls: number
  readonly traces: number
  readonly figures: number
}

/** The audit as administrators read it. Export and verification depend on the store. */
export type HttpAudit = {
  readonly list: AuditStore['list']
  readonly figures: AuditStore['figures']
  /** The stored passes of a call through the pipeline; without it, none are stored. */
  readonly traces?: (tenant: string, callId: string) => Maybe<readonly CallTrace[]>
  /** What waited and ran at times, the oldest first. */
  readonly samples?: (filter: HealthFilter) => Promise<readonly HealthSampleView[]>
  /** JSON lines, without their line ends. */
  readonly export?: (tenant: string) => AsyncIterable<string>
  readonly verify?: (tenant: string) => Promise<unknown>
  /** Proves that a record is in the tree under a signed head, without disclosing others. */
  readonly prove?: (tenant: string, recordId: string) => Promise<unknown>
  /** How many days what is stored about calls is kept. */
  readonly retention?: RetentionView
  /** The keys that sign heads of the tree. */
  readonly publicKeys?: () => readonly PublicAuditKeyView[]
}

export type HealthFilter = {
  readonly tenant: string
  readonly since: number
  readonly stepMs: number
}

/** Counts at a time. */
export type HealthSampleView = z.output<typeof FiguresSchema>['samples'][number]

/** A public key as clients receive it: SPKI (DER) in Base64. */
export type PublicAuditKeyView = { readonly key_id: string; readonly public_key: string }

/**
 * The credentials of tenant tools, and how people authorize them; `@surehand/vault` implements it.
 */
export type HttpVault = {
  readonly credentials: CredentialsApi
  readonly begin: Vault['beginAuthorization']
  readonly finish: Vault['finishAuthorization']
}

type ProgramView = z.output<typeof ProgramViewSchema>

export type HttpPrograms = {
  readonly propose: (by: Caller, form: unknown) => Promise<ProgramView>
  readonly list: (by: Caller) => Promise<readonly ProgramView[]>
  readonly get: (by: Caller, id: string) => Promise<ProgramView>
  readonly dryRun: (
    by: Caller,
    id: string,
    input: unknown,
  ) => Promise<z.output<typeof DryRunSchema>>
  readonly accept: (by: Caller, id: string, digest: string) => Promise<ProgramView>
  readonly remove: (by: Caller, id: string) => Promise<void>
}

export type HttpFiles = {
  readonly find: (
    caller: Caller,
    id: string,
  ) => Promise<{ readonly bytes: Uint8Array; readonly mediaType: string } | undefined>
}

export type HttpOptions = {
  readonly runtime: Runtime
  readonly identity: HttpIdentity
  /**
   * Where clients reach this surface, as in `https://tools.example`; links and the own origin are
   * derived from it.
   */
  readonly publicUrl: string
  /** Host headers with their ports that are served. Default: the host of the public URL. */
  readonly hosts?: readonly string[]
  /** Further origins whose pages may call; their responses carry CORS headers. Default: none. */
  readonly corsOrigins?: readonly string[]
  /** For tenants, principals, tokens and sign-in links. */
  readonly identityApi?: IdentityApi
  /** For the pages; without it there are none. */
  readonly sessions?: Sessions
  readonly audit?: HttpAudit
  /** For the sources of tenant tools: imported documents and mounted servers. */
  readonly imports?: ImportsApi
  readonly vault?: HttpVault
  /** Composite tools that are proposed as data; `@surehand/programs` implements it. */
  readonly programs?: HttpPrograms
  /** Files that answers link to. */
  readonly files?: HttpFiles
  readonly notifications?: HttpNotifications
  /** The webhooks that the ends of calls are posted to. */
  readonly webhooks?: HttpWebhooks
  /** Packs whose views are shown. */
  readonly packs?: readonly Pack[]
  /** The requests of OAuth clients; without it, people cannot connect any. */
  readonly oauth?: HttpOAuth | undefined
  /**
   * Limits by token and by address. Surfaces of one app share it, so that requests add up; default:
   * one of its own.
   */
  readonly edge?: Edge
  /** How long a body may take to arrive. Default: 10 s. */
  readonly bodyTimeoutMs?: number
  /** The longest `Prefer: wait` that is granted. Default: 60 s. */
  readonly longestWaitMs?: number
  readonly clock?: Clock
  readonly entropy?: Entropy
  /** Receives unexpected exceptions, for the log; the client learns only that something failed. */
  readonly onError?: (thrown: unknown, requestId: string) => void
}

/** The options with every default filled in. */
export type Surface = Required<
  Pick<
    HttpOptions,
    | 'runtime'
    | 'identity'
    | 'edge'
    | 'bodyTimeoutMs'
    | 'longestWaitMs'
    | 'clock'
    | 'entropy'
    | 'onError'
  >
> &
  AllowedSites & {
    /** The origin of the public URL. */
    readonly origin: string
    readonly corsOrigins: ReadonlySet<string>
    readonly identityApi: IdentityApi | undefined
    readonly sessions: Sessions | undefined
    readonly audit: HttpAudit | undefined
    readonly imports: ImportsApi | undefined
    readonly vault: HttpVault | undefined
    readonly programs: HttpPrograms | undefined
    readonly files: HttpFiles | undefined
    readonly notifications: HttpNotifications | undefined
    readonly webhooks: HttpWebhooks | undefined
    readonly oauth: HttpOAuth | undefined
    readonly packs: readonly Pack[]
    readonly inboxFeed: InboxFeed
    readonly approvalUrl: (approvalId: string) => string
    readonly questionUrl: (questionId: string) => string
    readonly fetchAnswer: (callId: string) => string
  }

export function normalizeOptions(options: HttpOptions): Surface {
  const { origin, host } = new URL(options.publicUrl)
  const { corsOrigins = [], clock = systemClock(), onError = () => undefined } = options
  return {
    runtime: options.runtime,
    identity: options.identity,
    origin,
    hosts: new Set((options.hosts ?? [host]).map((name) => name.toLowerCase())),
    origins: new Set([origin, ...corsOrigins]),
    corsOrigins: new Set(corsOrigins),
    identityApi: options.identityApi,
    sessions: options.sessions,
    audit: options.audit,
    imports: options.imports,
    vault: options.vault,
    programs: options.programs,
    files: options.files,
    notifications: options.notifications,
    webhooks: options.webhooks,
    packs: options.packs ?? [],
    oauth: options.oauth,
    approvalUrl: (approvalId) => `${origin}/approvals/${encodeURIComponent(approvalId)}`,
    questionUrl: (questionId) => `${origin}/questions/${encodeURIComponent(questionId)}`,
    fetchAnswer: (callId) => `GET /v1/calls/${encodeURIComponent(callId)}`,
    inboxFeed: createInboxFeed({
      runtime: options.runtime,
      clock,
      onError: (thrown) => onError(thrown, 'inbox feed'),
    }),
    edge: options.edge ?? createEdge({ clock }),
    bodyTimeoutMs: options.bodyTimeoutMs ?? 10_000,
    longestWaitMs: options.longestWaitMs ?? 60_000,
    clock,
    entropy: options.entropy ?? systemEntropy(),
    onError,
  }
}
