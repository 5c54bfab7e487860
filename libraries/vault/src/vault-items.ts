import { ToolError } from '@surehand/core'
import { canonicalJson, NOTHING_HASHED } from '@surehand/core/internal'
import type { AdminItem, AdminStore, AuditEntry, Clock, Entropy } from '@surehand/core/ports'
import { z } from 'zod'
import { type Envelopes, tampered } from './envelope.ts'
import { type Secret, secret } from './secret.ts'
import { doesNotOpen } from './trouble.ts'

export type Secrets = Readonly<Record<string, Secret>>

/** Where something of the vault stands in the store. */
export type Place = { readonly tenant: string; readonly id: string }

/** What stands in the store: the record in plain sight, and its secrets, which open only beside that record at that place. */
export type SealedValue = { readonly record: unknown; readonly sealed: string }

export type Kept<R> = Place & {
  readonly record: R
  readonly secrets: Secrets
  readonly version: number
  readonly updatedAt: number
}

export type Written = Place & {
  /** Undefined: it is taken away. */
  readonly next: { readonly record: object; readonly secrets: Secrets } | undefined
  /** The version that was looked at; undefined: there was none. */
  readonly expected: number | undefined
  /** Who, and what to call it in the audit. */
  readonly principal: string
  readonly outcome: string
}

/** The vault's shelves: everything comes out opened and goes in sealed; a write compares the version it was made up by. */
export type VaultItems = {
  readonly read: <R>(place: Place, schema: z.ZodType<R>) => Promise<Kept<R> | undefined>
  /** Not opened: it may not open any more. */
  readonly find: (place: Place) => Promise<AdminItem | undefined>
  /** For whoever writes over it, though it may not open any more. */
  readonly versionOf: (place: Place) => Promise<number | undefined>
  /** Not opened: for whoever only looks. */
  readonly list: (tenant: string) => Promise<readonly AdminItem[]>
  /** Throws what names it and its mend, where it does not open. */
  readonly open: <R>(item: AdminItem, schema: z.ZodType<R>) => Kept<R>
  /** Is it sealed under the newest key? */
  readonly isCurrent: (item: AdminItem) => boolean
  readonly sealedValue: (place: Place, record: object, secrets: Secrets) => SealedValue
  /** The new version; `stale`: somebody was first, look again. */
  readonly write: (written: Written) => Promise<number | 'stale'>
}

export type VaultItemsOptions = {
  readonly store: AdminStore
  readonly envelopes: Envelopes
  readonly clock: Clock
  readonly chance: Entropy
}

const PREFIX = 'vault'
/** `vault:ID` is a credential, `vault-tokens:ID` what was granted with it, `vault-consent:ID:PRINCIPAL` a consent that is being asked for. */
export const placeOf = {
  credential: (tenant: string, credential: string): Place => ({
    tenant,
    id: `${PREFIX}:${credential}`,
  }),
  tokens: (tenant: string, credential: string, principal: string | undefined): Place => ({
    tenant,
    id: `${PREFIX}-tokens:${credential}${principal === undefined ? '' : `:${principal}`}`,
  }),
  consent: (tenant: string, credential: string, principal: string): Place => ({
    tenant,
    id: `${PREFIX}-consent:${credential}:${principal}`,
  }),
}

/** The credential's own id, of an item that is one. */
export function credentialIdOf(item: AdminItem): string | undefined {
  return item.id.startsWith(`${PREFIX}:`) ? item.id.slice(PREFIX.length + 1) : undefined
}

/** Is it something that lives and ends with this credential? */
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
  chance,
}: VaultItemsOptions): VaultItems {
  function opened(item: AdminItem): {
    readonly record: unknown
    readonly plain: Readonly<Record<string, string>>
  } {
    try {
      if (item.unopened !== undefined) throw item.unopened
      const stored = Stored.safeParse(asJson(item.value))
      if (!stored.success) throw tampered()
      const { record, sealed } = stored.data
      return {
        record,
        plain: Plain.parse(JSON.parse(envelopes.open(sealed, boundTo(item, record)))),
      }
    } catch (thrown) {
      throw doesNotOpen(item, thrown)
    }
  }

  function open<R>(item: AdminItem, schema: z.ZodType<R>): Kept<R> {
    const { record, plain } = opened(item)
    const parsed = schema.safeParse(record)
    // sealed by us, so it was written by a version of ours that knows more
    if (!parsed.success)
      throw new ToolError(
        'TOOL_CONFIGURATION_ERROR',
        `The stored credential "${item.id}" can not be read.`,
        { effect: 'none' },
      )
    const secrets = Object.fromEntries(
      Object.entries(plain).map(([name, text]) => [name, secret(text)]),
    )
    return {
      tenant: item.tenant,
      id: item.id,
      record: parsed.data,
      secrets,
      version: item.version,
      updatedAt: item.updatedAt,
    }
  }

  function sealedValue(place: Place, record: object, secrets: Secrets): SealedValue {
    const plain = Object.fromEntries(
      Object.entries(secrets).map(([name, held]) => [name, held.reveal()]),
    )
    return { record, sealed: envelopes.seal(JSON.stringify(plain), boundTo(place, record)) }
  }

  function entryOf({ tenant, id, principal, outcome }: Written): AuditEntry {
    const change = chance.newId('chg', clock.now())
    return {
      id: chance.newId('aud', clock.now()),
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
      // the hash of a short secret tells the secret
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

  const find = async ({ tenant, id }: Place): Promise<AdminItem | undefined> =>
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
      const stored = Stored.safeParse(asJson(item.value))
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
        entryOf(written),
      )
      return changed.kind === 'stale' ? 'stale' : (changed.item?.version ?? 0)
    },
  }
}

// tenant, place and everything that is said about the secrets: with another origin beside them they do not open
function boundTo({ tenant, id }: Place, record: unknown): string {
  return canonicalJson(['surehand vault', tenant, id, record])
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A secret that a record of its kind always has. */
export function secretNamed({ secrets }: { readonly secrets: Secrets }, name: string): Secret {
  const held = Object.hasOwn(secrets, name) ? secrets[name] : undefined
  if (held === undefined) throw tampered()
  return held
}
