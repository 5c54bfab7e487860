import type { Contract, Duration, Limit, Permissions } from '@surehand/core'
import type { ForeignSource } from '@surehand/core/host'
import type { ApprovalKind } from '@surehand/core/internal'
import type { ListedTool } from './listing.ts'

/** What a person says about a mounted tool; plain data, so that it can stand in a settings file. */
export type ToolOverlay = {
  /** Left out, it is a write. Only a person can say that it is none. */
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
  /** The server does a thing once for every `_meta["surehand/idempotencyKey"]`. */
  readonly deduplicates?: boolean
  /** It is not mounted. */
  readonly leaveOut?: true
}

/** By the tools' names at their server. */
export type Overlay = Readonly<Record<string, ToolOverlay>>

export type MountedContract = {
  readonly contract: Contract<unknown, unknown, { readonly source: ForeignSource }>
  readonly by: keyof ForeignSource
}

/**
 * The contract of a mounted tool. What its server hints can only make it stricter: without a person's word it is a write that can't be
 * undone and that a person confirms, and one that says it destroys needs an administrator's yes.
 */
export function mountedContract(
  namespace: string,
  tool: ListedTool,
  overlay: ToolOverlay,
): MountedContract {
  const { permissions, auth, limits, timeout, retries, latencyBudget, securityLevel } = overlay
  const common = { permissions, auth, limits, timeout, retries, latencyBudget, securityLevel }
  // lenient: the answer of a stranger that is not quite in shape is still the answer to what was done
  const kept = { ...given(common), outputValidation: 'lenient' } as const
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

function given<T extends object>(record: T): Given<T> {
  // erased: Object.entries forgets which value belonged to which key
  return Object.fromEntries(
    Object.entries(record).filter(([, value]) => value !== undefined),
  ) as Given<T>
}
