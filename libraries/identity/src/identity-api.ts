import { type Caller, ToolError } from '@surehand/core'
import type { AdminApi } from '@surehand/core/host'
import { type AdminItem, type Clock, type PageRequest, systemEntropy } from '@surehand/core/ports'
import type { z } from 'zod'
import { formatCredential, parseCredential } from './credential-text.ts'
import { type Directory, linkItemId, readRecord, type VersionedRecord } from './directory.ts'
import {
  type LinkRecord,
  PrincipalRecord,
  principalId,
  TenantRecord,
  type TokenRecord,
  tenantId,
  tokenForm,
  tokenRecord,
} from './records.ts'
import { hashSecret, isSecretOf, newSecret } from './secret.ts'
import { createSessionsApi, type SessionsApi, type SessionsApiOptions } from './sessions-api.ts'
import type { TokenUses } from './use-notes.ts'

export type IdentityApiOptions = {
  /** `runtime.administration` checks permissions and versions, and writes the audit. */
  readonly administration: AdminApi
  readonly directory: Directory
  readonly clock: Clock
  readonly home: string
  readonly tokenUses?: TokenUses
  /** For the list of sessions. `audit` records which were ended, and by whom. */
  readonly sessions?: SessionsApiOptions
}

export type ListedRecord<T> = VersionedRecord<T> & { readonly id: string }
export type ListedToken = ListedRecord<Omit<TokenRecord, 'hash'>> & {
  /** To the minute; null where it was never used, or the server does not note it. */
  readonly lastUsedAt: number | null
}
export type CreatedToken = {
  readonly id: string
  /** Shown once: only its hash is stored. */
  readonly token: string
  readonly lastFour: string
}

/** Manages tenants, principals and tokens, for administrators. Lists are ordered by id. */
export type IdentityApi = {
  readonly tenants: {
    readonly list: (
      by: Caller,
      page?: PageRequest,
    ) => Promise<readonly ListedRecord<TenantRecord>[]>
    readonly put: (
      by: Caller,
      id: string,
      record: unknown,
      expected?: number,
    ) => Promise<ListedRecord<TenantRecord>>
  }
  readonly principals: {
    readonly list: (
      by: Caller,
      page?: PageRequest,
    ) => Promise<readonly ListedRecord<PrincipalRecord>[]>
    readonly put: (
      by: Caller,
      id: string,
      record: unknown,
      expected?: number,
    ) => Promise<ListedRecord<PrincipalRecord>>
  }
  readonly tokens: {
    readonly list: (by: Caller, page?: PageRequest) => Promise<readonly ListedToken[]>
    readonly create: (by: Caller, form: unknown) => Promise<CreatedToken>
    readonly revoke: (by: Caller, id: string) => Promise<void>
  }
  readonly sessions: SessionsApi
  readonly links: {
    /** Creates a text that signs a person in once, with these roles, before it expires. */
    readonly create: (by: Caller, link: LinkForm) => Promise<string>
    /** Accepts a link once. Undefined where it was used before, has expired or is not a link. */
    readonly redeem: (
      text: string,
    ) => Promise<{ readonly tenant: string; readonly principal: string } | undefined>
  }
}

export type LinkForm = {
  readonly principal: string
  readonly roles: readonly string[]
  readonly lifeSeconds: number
}

/** The caller for actions of the server itself, before a person has signed in. */
export function systemCaller(tenant: string): Caller {
  return { tenant, principal: 'system', actor: 'system', roles: ['admin'], capabilities: [] }
}

export function createIdentityApi(options: IdentityApiOptions): IdentityApi {
  const { administration, home } = options
  return {
    tenants: {
      async list(by, page) {
        requireHomeTenant(by, home)
        const items = await administration.list(by, 'tenant', page)
        return items.map((item) => toListed(item, TenantRecord))
      },
      async put(by, id, record, expected) {
        requireHomeTenant(by, home)
        const value = parseInput(TenantRecord, record)
        if (id === home && value.disabled)
          throw new ToolError(
            'TOOL_GATE_CLOSED',
            'The home tenant cannot be disabled: no administrator could enable it again.',
          )
        return toListed(
          await put(options, by, {
            kind: 'tenant',
            id: parseInput(tenantId(), id),
            value,
            expected,
          }),
          TenantRecord,
        )
      },
    },
    principals: {
      list: async (by, page) =>
        (await administration.list(by, 'principal', page)).map((item) =>
          toListed(item, PrincipalRecord),
        ),
      put: async (by, id, record, expected) =>
        toListed(
          await put(options, by, {
            kind: 'principal',
            id: parseInput(principalId(), id),
            value: parseInput(PrincipalRecord, record),
            expected,
          }),
          PrincipalRecord,
        ),
    },
    tokens: createTokensApi(options),
    sessions: createSessionsApi(options.sessions, options),
    links: createLinksApi(options),
  }
}

function createTokensApi(options: IdentityApiOptions): IdentityApi['tokens'] {
  const { administration, clock } = options
  const entropy = systemEntropy()
  return {
    list: async (by, page) =>
      Promise.all(
        (await administration.list(by, 'token', page)).map(async (item) => ({
          ...withoutHash(toListed(item, tokenRecord())),
          lastUsedAt: (await options.tokenUses?.read(item)) ?? null,
        })),
      ),
    async create(by, form) {
      const { expiresInSeconds, ...asked } = parseInput(tokenForm(), form)
      const owner = await administration.get(by, 'principal', asked.principal)
      if (owner === undefined) throw recordNotFound('principal', asked.principal)
      const [id, secret] = [entropy.newId('', clock.now()).slice(1), newSecret()]
      const value: TokenRecord = {
        ...asked,
        hash: hashSecret(secret),
        lastFour: secret.slice(-4),
        createdBy: by.principal,
        createdAt: clock.now(),
        ...(expiresInSeconds === undefined
          ? {}
          : { expiresAt: clock.now() + expiresInSeconds * 1_000 }),
      }
      await put(options, by, { kind: 'token', id, value, expected: undefined })
      return {
        id,
        token: formatCredential('sh', { tenant: by.tenant, id, secret }),
        lastFour: value.lastFour,
      }
    },
    async revoke(by, id) {
      const item = await administration.get(by, 'token', id)
      if (item === undefined) throw recordNotFound('token', id)
      const record = readRecord(item, tokenRecord())
      if (record.revokedAt !== undefined) return
      await put(options, by, {
        kind: 'token',
        id,
        value: { ...record, revokedAt: clock.now() },
        expected: item.version,
      })
    },
  }
}

function createLinksApi(options: IdentityApiOptions): IdentityApi['links'] {
  const { administration, clock, directory } = options
  const entropy = systemEntropy()

  // Created when the link is used, so that a link can sign in a person who has no record yet.
  async function ensurePrincipal(
    tenant: string,
    { principal, roles }: LinkRecord,
  ): Promise<boolean> {
    const system = systemCaller(tenant)
    const item = await administration.get(system, 'principal', principal)
    if (item !== undefined) return !readRecord(item, PrincipalRecord).disabled
    await put(options, system, {
      kind: 'principal',
      id: principal,
      value: parseInput(PrincipalRecord, { roles }),
      expected: undefined,
    })
    return true
  }

  return {
    async create(by, { principal, roles, lifeSeconds }) {
      const [id, secret] = [entropy.newId('', clock.now()).slice(1), newSecret()]
      const value: LinkRecord = {
        principal: parseInput(principalId(), principal),
        roles: [...roles],
        hash: hashSecret(secret),
        expiresAt: clock.now() + lifeSeconds * 1_000,
      }
      await put(options, by, { kind: 'credential', id: linkItemId(id), value, expected: undefined })
      return formatCredential('shl', { tenant: by.tenant, id, secret })
    },
    async redeem(text) {
      const given = parseCredential('shl', text)
      if (given === undefined || !(await directory.isOpen(given.tenant))) return undefined
      const link = await directory.link(given.tenant, given.id)
      if (link === undefined || !isSecretOf(given.secret, link.record.hash)) return undefined
      if (link.record.usedAt !== undefined || link.record.expiresAt <= clock.now()) return undefined
      const used = {
        kind: 'credential',
        id: linkItemId(given.id),
        value: { ...link.record, usedAt: clock.now() },
        expected: link.version,
      } as const
      // Of two requests at once, the version check lets only one through.
      if (!(await isFirst(() => put(options, systemCaller(given.tenant), used)))) return undefined
      return (await ensurePrincipal(given.tenant, link.record))
        ? { tenant: given.tenant, principal: link.record.principal }
        : undefined
    },
  }
}

async function isFirst(change: () => Promise<unknown>): Promise<boolean> {
  try {
    await change()
    return true
  } catch (thrown) {
    if (thrown instanceof ToolError && thrown.details?.source_code === 'stale_version') return false
    throw thrown
  }
}

type Change = {
  readonly kind: 'tenant' | 'principal' | 'token' | 'credential'
  readonly id: string
  readonly value: object
  readonly expected: number | undefined
}

async function put(
  { administration }: IdentityApiOptions,
  by: Caller,
  { kind, id, value, expected }: Change,
): Promise<AdminItem> {
  const item = await administration.change(by, {
    kind,
    id,
    value,
    ...(expected === undefined ? {} : { expected }),
  })
  if (item === undefined) throw recordNotFound(kind, id)
  return item
}

function toListed<T>(item: AdminItem, schema: z.ZodType<T>): ListedRecord<T> {
  return { id: item.id, version: item.version, record: readRecord(item, schema) }
}

function withoutHash({
  record: { hash: _, ...record },
  ...rest
}: ListedRecord<TokenRecord>): Omit<ListedToken, 'lastUsedAt'> {
  return { ...rest, record }
}

function parseInput<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const problems = result.error.issues.map(({ path, message }) => ({
    field: path.join('.'),
    error: message,
    provided_value: null,
  }))
  throw new ToolError(
    'TOOL_INVALID_INPUT',
    problems.map(({ field, error }) => `${field || 'It'} ${error}.`).join(' '),
    {
      details: { validation_errors: problems },
    },
  )
}

function requireHomeTenant(by: Caller, home: string): void {
  if (by.tenant !== home)
    throw new ToolError(
      'TOOL_INSUFFICIENT_PERMISSIONS',
      'Only administrators of the home tenant can manage tenants.',
    )
}

function recordNotFound(kind: string, id: string): ToolError {
  return new ToolError('TOOL_RESOURCE_NOT_FOUND', `There is no ${kind} "${id}".`)
}
