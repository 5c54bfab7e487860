import { type Caller, ToolError } from '@surehand/core'
import { auditEntryBy, isNarrowed, sha256 } from '@surehand/core/internal'
import {
  type AdminChange,
  type AdminStore,
  type Clock,
  systemEntropy,
  type ValueStore,
} from '@surehand/core/ports'
import type { ClientConnection } from '@surehand/http'
import { clientGrantRecord, type Identity } from '@surehand/identity'
import { z } from 'zod'

export type ConsentsOptions = {
  readonly admin: AdminStore
  readonly values: ValueStore
  readonly identity: Pick<Identity, 'directory'>
  readonly clock: Clock
  /** How long a consent lasts. */
  readonly lifeMs: number
  /** What the clients' tokens are good for. */
  readonly resource: string
}

export type GivenConsent = { readonly id: string; readonly expiresAt: number }

/**
 * The consents of people to OAuth clients. Each is a token record of the person's tenant, which
 * administrators list and revoke like any other.
 */
export type Consents = {
  /** Throws where this person cannot consent. An earlier consent to the same client ends. */
  readonly give: (by: Caller, client: ConsentedClient) => Promise<GivenConsent>
  readonly end: (tenant: string, id: string, principal: string) => Promise<void>
  /** Those of this person that have neither ended nor expired, the newest first. */
  readonly list: (by: Caller) => Promise<readonly ClientConnection[]>
  /** Whether the consent has neither ended nor expired, and the person is not disabled. */
  readonly isAlive: (tenant: string, id: string) => Promise<boolean>
}

export type ConsentedClient = {
  readonly id: string
  readonly name: string
  /** Undefined: all that the person delegates to agents. */
  readonly scopes: readonly string[] | undefined
}

// Each connected program of a person is one; the oldest ends when there are more.
const MOST_PER_PERSON = 50
const MAX_ATTEMPTS = 8
const LOST_RACES =
  'Other clients were being connected for you at the same moment, and nothing was allowed to this one. Connect it again.'
const Given = z.array(z.strictObject({ id: z.string(), client: z.string(), expiresAt: z.number() }))
type Given = z.infer<typeof Given>

export function createConsents(options: ConsentsOptions): Consents {
  const { admin, identity, clock, lifeMs, resource } = options
  const entropy = systemEntropy()

  async function change(by: Caller, made: AdminChange, facts: RecordedChange): Promise<boolean> {
    const now = clock.now()
    const audit = auditEntryBy(
      by,
      { id: entropy.newId('aud', now), now },
      {
        phase: 'change',
        call_id: entropy.newId('chg', now),
        surface: 'oauth',
        tool_name: `token:${made.id}`,
        success: true,
        ...facts,
      },
    )
    return (await admin.change(made, audit)).kind === 'changed'
  }

  async function end(tenant: string, id: string, principal: string): Promise<void> {
    const by: Caller = { tenant, principal, actor: 'user', roles: [], capabilities: [] }
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const item = await admin.get(tenant, 'token', id)
      if (item === undefined) return
      const made = { tenant, kind: 'token', id, value: undefined, expected: item.version } as const
      if (await change(by, made, { outcome: 'consent_ended' })) return
    }
    throw new ToolError('TOOL_STORAGE_ERROR', 'The consent could not be ended. Try again.')
  }

  return {
    async give(by, { id: client, name, scopes }) {
      await requirePerson(by, identity)
      const { tenant, principal } = by
      const now = clock.now()
      const given = { id: entropy.newId('', now).slice(1), client, expiresAt: now + lifeMs }
      const record = clientGrantRecord(
        {
          principal,
          name: name.slice(0, 200),
          oauth: { client, resource },
          expiresAt: given.expiresAt,
          ...(scopes === undefined ? {} : { scopes: [...scopes] }),
        },
        now,
      )
      const made: AdminChange = {
        tenant,
        kind: 'token',
        id: given.id,
        value: JSON.stringify(record),
        expected: undefined,
      }
      // The client is named in the text, the only field of a record that can be erased.
      await change(by, made, { outcome: 'consented', error: `OAuth client ${client}: ${name}` })
      const replaced = await remember(options, by, given)
      if (replaced === undefined) {
        await end(tenant, given.id, principal)
        throw new ToolError('TOOL_STORAGE_ERROR', LOST_RACES)
      }
      for (const old of replaced) await end(tenant, old.id, principal)
      return given
    },
    end,
    list: (by) => listConsents(options, by),
    async isAlive(tenant, id) {
      const { directory } = identity
      if (!(await directory.isOpen(tenant))) return false
      const token = await directory.token(tenant, id)
      if (token?.oauth === undefined || token.revokedAt !== undefined) return false
      if ((token.expiresAt ?? 0) <= clock.now()) return false
      return (await directory.principal(tenant, token.principal))?.disabled === false
    },
  }
}

type RecordedChange = { readonly outcome: string; readonly error?: string }

async function requirePerson(
  by: Caller,
  { directory }: Pick<Identity, 'directory'>,
): Promise<void> {
  if (by.actor !== 'user')
    throw new ToolError(
      'TOOL_INSUFFICIENT_PERMISSIONS',
      'Only a signed-in person can let a client act for them, not an agent.',
    )
  // A client gets what the person delegates to agents, which may be more than this sign-in has.
  if (isNarrowed(by))
    throw new ToolError(
      'TOOL_INSUFFICIENT_PERMISSIONS',
      'This sign-in is limited to some capabilities, and nothing was allowed. Sign in without limits to connect a client.',
    )
  if ((await directory.principal(by.tenant, by.principal)) === undefined)
    throw new ToolError(
      'TOOL_INSUFFICIENT_PERMISSIONS',
      `"${by.principal}" is not entered in tenant "${by.tenant}", and nothing was allowed. Ask an administrator to enter you, then connect again.`,
    )
}

async function listConsents(
  { values, identity, clock }: ConsentsOptions,
  { tenant, principal }: Caller,
): Promise<readonly ClientConnection[]> {
  const text = await values.get(tenant, listKey(principal))
  const ids = text === undefined ? [] : Given.parse(JSON.parse(text)).map(({ id }) => id)
  const tokens = await Promise.all(
    ids.map(async (id) => ({ id, token: await identity.directory.token(tenant, id) })),
  )
  return tokens
    .flatMap(({ id, token }) => {
      if (token?.oauth === undefined || token.revokedAt !== undefined) return []
      const { name, scopes, createdAt, expiresAt = 0 } = token
      if (token.principal !== principal || expiresAt <= clock.now()) return []
      return [{ id, name, client: token.oauth.client, scopes, createdAt, expiresAt }]
    })
    .reverse()
}

const ENTRIES = 'surehand.oauth:'
const listKey = (principal: string): string => `${ENTRIES}consents:${sha256(principal)}`

/**
 * Deletes what OAuth has stored about a person beside the consents themselves: the list of them, and
 * the library's grants, tokens and requests, which name the person.
 */
export async function forgetOAuthEntries(
  values: ValueStore,
  home: string,
  { tenant, principal }: Pick<Caller, 'tenant' | 'principal'>,
): Promise<void> {
  const named = JSON.stringify(`${tenant}/${principal}`)
  await values.delete(tenant, listKey(principal))
  for (const { key, value } of await values.list(home, ENTRIES))
    if (value.includes(named)) await values.delete(home, key)
}

/**
 * Adds a consent to the person's list, and returns those that end: expired, replaced, too many.
 * Undefined where the list was changed by others each time.
 */
async function remember(
  { values, clock, lifeMs }: ConsentsOptions,
  { tenant, principal }: Caller,
  given: Given[number],
): Promise<Given | undefined> {
  const key = listKey(principal)
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const text = await values.get(tenant, key)
    const before = text === undefined ? [] : Given.parse(JSON.parse(text))
    const kept = before
      .filter(({ client, expiresAt }) => client !== given.client && expiresAt > clock.now())
      .slice(1 - MOST_PER_PERSON)
    const isWritten = await values.replace(tenant, key, {
      expected: text,
      value: JSON.stringify([...kept, given]),
      ttlMs: lifeMs,
    })
    if (isWritten) return before.filter((one) => !kept.includes(one))
  }
  return undefined
}
