import { ToolError } from '@surehand/core'
import { canonicalJson, NOTHING_HASHED } from '@surehand/core/internal'
import type { AdminItem, AdminStore, AuditEntry, Clock, Entropy } from '@surehand/core/ports'
import { z } from 'zod'
import { type Envelopes, tamperedError } from './envelope.ts'
import { type Secret, secret } from './secret.ts'
import { cannotDecrypt } from './vault-errors.ts'

export type Secrets = Readonly<Record<string, Secret>>

/** The key of a vault item in the store. */
export type ItemKey = { readonly tenant: string; readonly id: string }

/**
 * The stored value: the record in plain text, and the encrypted secrets, which can be decrypted
 * only with that record under that key.
 */
export type SealedValue = { readonly record: unknown; readonly sealed: string }

export type StoredItem<R> = ItemKey & {
  readonly record: R
  readonly secrets: Secrets
  readonly version: number
  readonly updatedAt: number
}

export type ItemWrite = ItemKey & {
  /** Undefined deletes the item. */
  readonly next: { readonly record: object; readonly secrets: Secrets } | undefined
  /** The version that the write is based on, or undefined where there was none. */
  readonly expected: number | undefined
  /** The person and the outcome that the audit records. */
  readonly principal: string
  readonly outcome: string
}

/**
 * Reads and writes the vault's items, decrypting and encrypting their secrets. A write succeeds
 * only on the version it is based on.
 */
export type VaultItems = {
  readonly read: <R>(place: ItemKey, schema: z.ZodType<R>) => Promise<StoredItem<R> | undefined>
  /** The encrypted item: it may no longer be possible to decrypt it. */
  readonly find: (place: ItemKey) => Promise<AdminItem | undefined>
  /** The version alone, for overwriting an item that can no longer be decrypted. */
  readonly versionOf: (place: ItemKey) => Promise<number | undefined>
  /** The encrypted items. */
  readonly list: (tenant: string) => Promise<readonly AdminItem[]>
  /** Throws an error that names the item and what to do where it cannot be decrypted. */
  readonly open: <R>(item: AdminItem, schema: z.ZodType<R>) => StoredItem<R>
  /** Whether it is encrypted under the newest key. */
  readonly isCurrent: (item: AdminItem) => boolean
  readonly sealedValue: (place: ItemKey, record: object, secrets: Secrets) => SealedValue
  /** The new version, or `stale` where another process wrote first. */
  readonly write: (written: ItemWrite) => Promise<number | 'stale'>
}

export type VaultItemsOptions = {
  readonly store: AdminStore
  readonly envelopes: Envelopes
  readonly clock: Clock
  readonly entropy: Entropy
}

const PREFIX = 'vault'
/**
 * `vault:ID` is a credential, `vault-tokens:ID` its tokens, `vault-consent:ID:PRINCIPAL` an
 * authorization that was started.
 */
export const itemKey = {
  credential: (tenant: string, credential: string): ItemKey => ({
    tenant,
    id: `${PREFIX}:${credential}`,
  }),
  tokens: (tenant: string, credential: string, principal: string | undefined): ItemKey => ({
    tenant,
    id: `${PREFIX}-tokens:${credential}${principal === undefined ? '' : `:${principal}`}`,
  }),
  consent: (tenant: string, credential: string, principal: string): ItemKey => ({
    tenant,
    id: `${PREFIX}-consent:${credential}:${principal}`,
  }),
}

/** The id of the credential, or undefined where the item is something else. */
export function credentialIdOf(item: AdminItem): string | undefined {
  return item.id.startsWith(`${PREFIX}:`) ? item.id.slice(PREFIX.length + 1) : undefined
}

/** Whether the item holds tokens or a pending consent of this credential. */
export function belongsTo(item: AdminItem, credential: string): boolean {
  return [`${PREFIX}-tokens`, `${PREFIX}-consent`].some(
    (kind) => item.id === `${kind}:${credential}` || item.id.startsWith(`${kind}:${credential}:`),
  )
}

const Stored = z.strictObject({ record: z.unknown(), sealed: z.string() })
const Plain = z.record(z.string(), z.string())

export function createVaultItems({
  store,
  envelopes,
  clock,
  entropy,
}: VaultItemsOptions): VaultItems {
  function decrypt(item: AdminItem): {
    readonly record: unknown
    readonly plain: Readonly<Record<string, string>>
  } {
    try {
      if (item.unopened !== undefined) throw item.unopened
      const stored = Stored.safeParse(tryToParseJson(item.value))
      if (!stored.success) throw tamperedError()
      const { record, sealed } = stored.data
      return {
        record,
        plain: Plain.parse(JSON.parse(envelopes.open(sealed, bindingOf(item, record)))),
      }
    } catch (thrown) {
      throw cannotDecrypt(item, thrown)
    }
  }

  function open<R>(item: AdminItem, schema: z.ZodType<R>): StoredItem<R> {
    const { tenant, id, version, updatedAt } = item
    const { record, plain } = decrypt(item)
    const parsed = schema.safeParse(record)
    // The seal is valid, so a newer version of Surehand wrote it.
    if (!parsed.success)
      throw new ToolError(
        'TOOL_CONFIGURATION_ERROR',
        `The stored credential "${item.id}" has a format that this version does not know. Upgrade this node.`,
        { effect: 'none' },
      )
    const secrets = Object.fromEntries(
      Object.entries(plain).map(([name, text]) => [name, secret(text)]),
    )
    return { tenant, id, record: parsed.data, secrets, version, updatedAt }
  }

  function sealedValue(place: ItemKey, record: object, secrets: Secrets): SealedValue {
    const plain = Object.fromEntries(
      Object.entries(secrets).map(([name, held]) => [name, held.reveal()]),
    )
    return { record, sealed: envelopes.seal(JSON.stringify(plain), bindingOf(place, record)) }
  }

  const find = async ({ tenant, id }: ItemKey): Promise<AdminItem | undefined> =>
    store.get(tenant, 'credential', id)
  return {
    async read(place, schema) {
      const item = await find(place)
      return item === undefined ? undefined : open(item, schema)
    },
    find,
    versionOf: async (place) => (await find(place))?.version,
    list: async (tenant) =>
      (await store.list(tenant, 'credential')).filter(({ id }) =>
        /^vault(-tokens|-consent)?:/.test(id),
      ),
    open,
    isCurrent(item) {
      const stored = Stored.safeParse(tryToParseJson(item.value))
      return stored.success && envelopes.isCurrent(stored.data.sealed)
    },
    sealedValue,
    async write(written) {
      const { tenant, id, next, expected } = written
      const value =
        next === undefined
          ? undefined
          : JSON.stringify(sealedValue(written, next.record, next.secrets))
      const changed = await store.change(
        { tenant, kind: 'credential', id, value, expected },
        buildAuditEntry(written, { clock, entropy }),
      )
      return changed.kind === 'stale' ? 'stale' : (changed.item?.version ?? 0)
    },
  }
}

function buildAuditEntry(
  { tenant, id, principal, outcome }: ItemWrite,
  { clock, entropy }: Pick<VaultItemsOptions, 'clock' | 'entropy'>,
): AuditEntry {
  const change = entropy.newId('chg', clock.now())
  return {
    id: entropy.newId('aud', clock.now()),
    phase: 'change',
    call_id: change,
    request_id: change,
    tenant,
    principal,
    actor: 'system',
    surface: 'vault',
    tool_name: `credential:${id}`,
    tool_version: '',
    definition_hash: '',
    // No hash: the hash of a short secret reveals the secret.
    input: NOTHING_HASHED,
    output: NOTHING_HASHED,
    success: true,
    outcome,
    code: '',
    error: '',
    duration_ms: 0,
    source: '',
    created_at: clock.now(),
  }
}

// Tenant, key and record are authenticated with the secrets: after a change of the origins they
// cannot be decrypted.
function bindingOf({ tenant, id }: ItemKey, record: unknown): string {
  return canonicalJson(['surehand vault', tenant, id, record])
}

function tryToParseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A secret that every record of this kind has. */
export function requireSecret({ secrets }: { readonly secrets: Secrets }, name: string): Secret {
  const held = Object.hasOwn(secrets, name) ? secrets[name] : undefined
  if (held === undefined) throw tamperedError()
  return held
}
