import type { Caller, Runtime } from '@surehand/core'
import {
  type AuditFilter,
  type AuditRecord,
  type Clock,
  type Entropy,
  type Maybe,
  systemEntropy,
  systemClock,
} from '@surehand/core/ports'
import {
  createEdgeLimit,
  createStrangers,
  type EdgeLimit,
  type EdgeOptions,
  FEW_GUESSES,
  type Strangers,
} from '@surehand/edge'
import type { IdentityDesk, Session, Sessions, SignedIn } from '@surehand/identity'
import type { ImportDesk } from '@surehand/imports'
import type { CredentialDesk, Vault } from '@surehand/vault'

/** Who is calling; kit's identity is one. */
export type HttpIdentity = {
  readonly authenticate: (bearer: string) => Maybe<SignedIn | undefined>
  readonly ofSession: (session: Session) => Promise<Caller | undefined>
}

/** The audit as administrators read it. Export and verification are there where the store can. */
export type HttpAudit = {
  readonly list: (filter: AuditFilter) => Maybe<readonly AuditRecord[]>
  /** JSON lines, without their line ends. */
  readonly export?: (tenant: string) => AsyncIterable<string>
  readonly verify?: (tenant: string) => Promise<unknown>
}

/** The credentials of tools that tenants bring, and how people agree to them; kit's vault is behind it. */
export type HttpVault = {
  readonly desk: CredentialDesk
  readonly begin: Vault['beginAuthorization']
  readonly finish: Vault['finishAuthorization']
}

export type HttpOptions = {
  readonly runtime: Runtime
  readonly identity: HttpIdentity
  /** Where this surface is reached from outside, as in `https://tools.example`; links and origins are made of it. */
  readonly publicUrl: string
  /** `host:port` as clients send it; without it, the one of the public address. */
  readonly hosts?: readonly string[]
  /** Further origins whose pages may call; they get CORS headers. Without it none. */
  readonly corsOrigins?: readonly string[]
  /** For tenants, principals, tokens and sign-in links. */
  readonly desk?: IdentityDesk
  /** For the pages; without it there are none. */
  readonly sessions?: Sessions
  readonly audit?: HttpAudit
  /** For what tenants bring: documents and mounted servers. */
  readonly imports?: ImportDesk
  readonly vault?: HttpVault
  /** A cheap limit a credential, in this process; `strangers` an address, for requests without a credential that holds. */
  readonly edge?: EdgeOptions & { readonly strangers?: EdgeOptions }
  /** Shared with other doors of the house, so that guesses at each of them add up; without it this surface counts its own. */
  readonly strangers?: Strangers
  /** How many proxies of ours stand in front: so far `X-Forwarded-For` is believed. Without it, not at all. */
  readonly trustedProxies?: number
  readonly bodyTimeoutMs?: number
  /** The longest `Prefer: wait` that is kept. */
  readonly longestWaitMs?: number
  readonly clock?: Clock
  readonly chance?: Entropy
  /** Hears of what nobody expected; the client is told only that something broke. */
  readonly onTrouble?: (thrown: unknown, requestId: string) => void
}

/** The options with nothing left out. */
export type Surface = Required<
  Pick<
    HttpOptions,
    'runtime' | 'identity' | 'bodyTimeoutMs' | 'longestWaitMs' | 'clock' | 'chance' | 'onTrouble'
  >
> & {
  readonly credentials: EdgeLimit
  readonly strangers: Strangers
  readonly origin: string
  readonly hosts: ReadonlySet<string>
  readonly corsOrigins: ReadonlySet<string>
  readonly desk: IdentityDesk | undefined
  readonly sessions: Sessions | undefined
  readonly audit: HttpAudit | undefined
  readonly imports: ImportDesk | undefined
  readonly vault: HttpVault | undefined
  readonly approvalUrl: (approvalId: string) => string
  readonly questionUrl: (questionId: string) => string
}

export function normalOptions(options: HttpOptions): Surface {
  const { origin, host } = new URL(options.publicUrl)
  const {
    edge = { perSecond: 200, burst: 400 },
    trustedProxies = 0,
    clock = systemClock(),
  } = options
  return {
    runtime: options.runtime,
    identity: options.identity,
    origin,
    hosts: new Set((options.hosts ?? [host]).map((name) => name.toLowerCase())),
    corsOrigins: new Set(options.corsOrigins ?? []),
    desk: options.desk,
    sessions: options.sessions,
    audit: options.audit,
    imports: options.imports,
    vault: options.vault,
    approvalUrl: (approvalId) => `${origin}/approvals/${encodeURIComponent(approvalId)}`,
    questionUrl: (questionId) => `${origin}/questions/${encodeURIComponent(questionId)}`,
    credentials: createEdgeLimit(edge, clock),
    strangers:
      options.strangers ?? createStrangers(edge.strangers ?? FEW_GUESSES, trustedProxies, clock),
    bodyTimeoutMs: options.bodyTimeoutMs ?? 10_000,
    longestWaitMs: options.longestWaitMs ?? 60_000,
    clock,
    chance: options.chance ?? systemEntropy(),
    onTrouble: options.onTrouble ?? (() => undefined),
  }
}
