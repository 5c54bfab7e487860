import { z } from 'zod'
import type { Caller } from '../call/caller.ts'
import { hashJson, NOTHING_HASHED } from '../call/canonical.ts'
import type { PageRequest } from '../call/page.ts'
import { ToolError } from '../call/tool-error.ts'
import { once } from '../define/once.ts'
import { isAdministrator } from '../permissions/credential.ts'
import type { AdminItem, AdminKind, AdminStore } from '../ports/administration.ts'
import { auditEntryBy } from '../ports/audit-entry-by.ts'
import { type Administration, POLICY_ID, policyForm } from './administration.ts'

export const WEBHOOK_ID: RegExp = /^[A-Za-z0-9_-]{1,64}$/

/** A webhook: where the ends of calls are posted, and the secret that signs them. */
export const webhookForm = once(() =>
  z.strictObject({
    url: z.url({ protocol: /^https?$/, error: 'is not an http(s) address' }),
    /** `whsec_` and 24 to 64 bytes in base64, as Standard Webhooks has it. */
    secret: z
      .string()
      .regex(/^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/, 'is "whsec_" and 24 to 64 bytes in base64'),
    /** Nothing is sent while it is set; what is due waits for the usual pauses. */
    disabled: z.literal(true).exactOptional(),
  }),
)

export type Webhook = z.infer<ReturnType<typeof webhookForm>>

/** A change as an administrator sends it. */
export type AdminForm = {
  readonly kind: AdminKind
  readonly id: string
  /** Plain JSON; undefined removes the item. */
  readonly value: unknown
  /** The version that the administrator read; undefined when there is none yet. */
  readonly expected?: number
}

/** What administrators can read and change while the server runs. */
export type AdminApi = {
  readonly get: (by: Caller, kind: AdminKind, id: string) => Promise<AdminItem | undefined>
  readonly list: (by: Caller, kind: AdminKind, page?: PageRequest) => Promise<readonly AdminItem[]>
  /** Versioned and recorded in the audit; it applies to every node's next write. */
  readonly change: (by: Caller, form: AdminForm) => Promise<AdminItem | undefined>
}

export type AdminApiParts = {
  readonly store: AdminStore
  readonly administration: Administration
  readonly now: () => number
  readonly newId: (prefix: string) => string
}

export function createAdminApi({ store, administration, now, newId }: AdminApiParts): AdminApi {
  return {
    async get(by, kind, id) {
      requireAdministrator(by)
      return store.get(by.tenant, kind, id)
    },
    async list(by, kind, page) {
      requireAdministrator(by)
      return store.list(by.tenant, kind, page)
    },
    async change(by, { kind, id, value, expected }) {
      requireAdministrator(by)
      requireValidValue(kind, id, value)
      const audit = auditEntryBy(
        by,
        { id: newId('aud'), now: now() },
        {
          phase: 'change',
          call_id: newId('chg'),
          surface: 'administration',
          // The name of a person must be erasable, and only the text of a record is.
          ...(kind === 'principal' || kind === 'notification'
            ? { tool_name: kind, error: id }
            : { tool_name: `${kind}:${id}` }),
          // the hash of a short secret reveals the secret
          input:
            kind === 'credential' ||
            kind === 'token' ||
            kind === 'webhook' ||
            kind === 'notification'
              ? NOTHING_HASHED
              : { hash: hashJson(value ?? null), bytes: 0 },
          success: true,
          outcome: value === undefined ? 'removed' : 'set',
        },
      )
      const json = value === undefined ? undefined : JSON.stringify(value)
      const changed = await store.change(
        { tenant: by.tenant, kind, id, value: json, expected },
        audit,
      )
      if (changed.kind === 'stale') throw staleVersionError(kind, id, changed.item)
      // the change is made even if this fails: the next claim reports that the cached version is
      // old
      await administration.reload(by.tenant).catch(() => undefined)
      return changed.item
    },
  }
}

function requireAdministrator(by: Caller): void {
  if (by.actor === 'ai_agent')
    throw new ToolError(
      'TOOL_INSUFFICIENT_PERMISSIONS',
      'Only people may administer a tenant, not agents.',
    )
  if (!isAdministrator(by))
    throw new ToolError(
      'TOOL_ROLE_NOT_AUTHORIZED',
      'Only an administrator may do this, with a credential that is not limited to some capabilities.',
    )
}

function requireValidValue(kind: AdminKind, id: string, value: unknown): void {
  if (kind === 'webhook' && value !== undefined) requireValidWebhook(id, value)
  if (kind !== 'policy' || value === undefined) return
  const parsed = policyForm().safeParse(value)
  if (id === POLICY_ID && parsed.success) return
  const problems = parsed.success
    ? []
    : parsed.error.issues.map(({ path, message }) => ({
        field: path.join('.'),
        error: message,
        provided_value: null,
      }))
  const message =
    id === POLICY_ID ? 'This is not a policy.' : `A tenant's policy has the id "${POLICY_ID}".`
  throw new ToolError('TOOL_INVALID_INPUT', message, { details: { validation_errors: problems } })
}

function requireValidWebhook(id: string, value: unknown): void {
  const parsed = webhookForm().safeParse(value)
  if (parsed.success && WEBHOOK_ID.test(id)) return
  const problems = parsed.success
    ? [{ field: 'id', error: 'is 1 to 64 letters, digits, "-" and "_"', provided_value: null }]
    : parsed.error.issues.map(({ path, message }) => ({
        field: path.join('.'),
        error: message,
        provided_value: null,
      }))
  throw new ToolError('TOOL_INVALID_INPUT', 'This is not a webhook.', {
    details: { validation_errors: problems },
  })
}

function staleVersionError(kind: AdminKind, id: string, item: AdminItem | undefined): ToolError {
  return new ToolError(
    'TOOL_RESOURCE_ALREADY_EXISTS',
    `The ${kind} "${id}" was changed since you read it. Read it again, then repeat your change.`,
    {
      details: { source_code: 'stale_version', version: item?.version ?? null },
    },
  )
}
