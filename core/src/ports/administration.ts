import type { Maybe } from '../call/maybe.ts'
import type { PageRequest } from '../call/page.ts'
import type { ToolError } from '../call/tool-error.ts'
import type { AuditEntry } from './audit.ts'

export type AdminKind =
  | 'token'
  | 'policy'
  | 'tool'
  /** A change of the tools that all tenants share, made while the server ran. */
  | 'definition'
  | 'pin'
  /** A composite that was proposed as data; see `@surehand/programs`. */
  | 'program'
  | 'credential'
  | 'webhook'
  /** How a person wants to hear of what waits for them; the id is the principal. */
  | 'notification'
  | 'principal'
  | 'tenant'

/** Something that an administrator may change while the server runs. */
export type AdminItem = {
  readonly tenant: string
  readonly kind: AdminKind
  readonly id: string
  /** JSON, as its owner writes it. */
  readonly value: string
  /** Of this item: 1 when it is made, one more with every change. */
  readonly version: number
  readonly updatedAt: number
  /**
   * Why an encrypted value cannot be decrypted; then `value` is empty. Code that needs the value
   * throws this, and other items keep working.
   */
  readonly unopened?: ToolError
}

export type AdminChange = Pick<AdminItem, 'tenant' | 'kind' | 'id'> & {
  /** Undefined: it is taken away. */
  readonly value: string | undefined
  /** The version that was looked at when the change was made up; undefined: there is none yet. */
  readonly expected: number | undefined
}

export type Changed =
  | {
      readonly kind: 'changed'
      readonly item: AdminItem | undefined
      readonly adminVersion: number
    }
  /** Somebody was first: look again. */
  | { readonly kind: 'stale'; readonly item: AdminItem | undefined }

/**
 * Tokens, policies, tools, pins and credentials. Every change raises the tenant's version, which a
 * write's claim compares.
 */
export type AdminStore = {
  readonly version: (tenant: string) => Maybe<number>
  readonly get: (tenant: string, kind: AdminKind, id: string) => Maybe<AdminItem | undefined>
  /**
   * Ordered by id. With a page request, at most `limit` items whose id comes after `after` in the
   * order of this store.
   */
  readonly list: (
    tenant: string,
    kind: AdminKind,
    page?: PageRequest,
  ) => Maybe<readonly AdminItem[]>
  /** One transaction: compared, changed, counted and recorded. */
  readonly change: (change: AdminChange, audit: AuditEntry) => Maybe<Changed>
}
