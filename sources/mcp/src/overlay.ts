import type { Contract, Duration, Limit, Permissions } from '@surehand/core'
import type { ForeignSource } from '@surehand/core/host'
import type { ApprovalKind } from '@surehand/core/internal'
import type { ListedTool } from './listing.ts'

/** What an administrator specifies for a mounted tool. It is plain data, for settings files. */
export type ToolOverlay = {
  /** Default: a write. Only an administrator can declare a tool a read. */
  readonly effect?: 'read' | `writes.${string}`
  readonly reversible?: boolean
  readonly permissions?: Permissions
  readonly auth?: 'none' | 'session' | 'service'
  readonly approval?: ApprovalKind | 'none'
  readonly limits?: readonly Limit<unknown>[]
  readonly timeout?: Duration
  readonly retries?: number
  readonly latencyBudget?: Duration
  readonly securityLevel?: 'public' | 'internal' | 'confidential' | 'restricted'
  /** The server deduplicates by `_meta["surehand/idempotencyKey"]`. */
  readonly deduplicates?: boolean
  /** A call that the tool answers with an error has done nothing, and may be repeated. */
  readonly failsWithoutEffect?: boolean
  /** How people ask for it, to find it by: "look something up". */
  readonly phrases?: readonly string[]
  /** Leaves the tool out. */
  readonly leaveOut?: true
}

/** By the names that the server uses. */
export type Overlay = Readonly<Record<string, ToolOverlay>>

export type MountedContract = {
  readonly contract: Contract<unknown, unknown, { readonly source: ForeignSource }>
  readonly by: keyof ForeignSource
}

/**
 * The contract of a mounted tool. Hints of the server can only make it stricter: without an overlay
 * it is an irreversible write that a person confirms, and a tool that calls itself destructive
 * requires an administrator's approval.
 */
export function mountedContract(
  namespace: string,
  tool: ListedTool,
  overlay: ToolOverlay,
): MountedContract {
  const { permissions, auth, limits, timeout, retries, latencyBudget, securityLevel } = overlay
  const common = { permissions, auth, limits, timeout, retries, latencyBudget, securityLevel }
  // Lenient: an answer that does not match its schema still reports what was done.
  const kept = { ...dropUndefined(common), outputValidation: 'lenient' } as const
  if (overlay.effect === 'read') return { contract: { ...kept, effect: 'read' }, by: 'read' }
  const kind = overlay.approval ?? (tool.hints.destructiveHint === true ? 'admin' : 'confirm')
  return {
    contract: {
      ...kept,
      effect: overlay.effect ?? `writes.${namespace}`,
      reversible: overlay.reversible ?? false,
      idempotency: 'caller',
      ...(kind === 'none'
        ? {}
        : {
            approval: {
              kind,
              asks: () => `Call "${tool.title}" (${tool.name}) of ${namespace} with this input?`,
            },
          }),
    },
    by: overlay.deduplicates === true ? 'writeOnce' : 'write',
  }
}

type Given<T> = { readonly [Key in keyof T]?: Exclude<T[Key], undefined> }

function dropUndefined<T extends object>(record: T): Given<T> {
  // Type erased: Object.entries loses which value belongs to which key.
  return Object.fromEntries(
    Object.entries(record).filter(([, value]) => value !== undefined),
  ) as Given<T>
}
