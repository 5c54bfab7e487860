import { type Caller, ToolError } from '@surehand/core'
import type { AdminApi } from '@surehand/core/host'
import { type AdminItem, type Clock, systemEntropy } from '@surehand/core/ports'
import type { z } from 'zod'
import { credentialText, readCredential } from './credential-text.ts'
import { type Directory, type Kept, linkItemId, readRecord } from './directory.ts'
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
import { isSecretOf, newSecret, secretHash } from './secret.ts'

export type IdentityDeskOptions = {
  /** `runtime.administration`: who may, versions and the record are its business. */
  readonly administration: AdminApi
  readonly directory: Directory
  readonly clock: Clock
  readonly home: string
}

export type Listed<T> = Kept<T> & { readonly id: string }
export type ListedToken = Listed<Omit<TokenRecord, 'hash'>>
export type MadeToken = {
  readonly id: string /** Shown once: it is kept nowhere. */
  readonly token: string
  readonly lastFour: string
}

/** Where administrators keep houses, people and tokens. */
export type IdentityDesk = {
  readonly tenants: {
    readonly list: (by: Caller) => Promise<readonly Listed<TenantRecord>[]>
    readonly put: (
      by: Caller,
      id: string,
      record: unknown,
      expected?: number,
    ) => Promise<Listed<TenantRecord>>
  }
  readonly principals: {
    readonly list: (by: Caller) => Promise<readonly Listed<PrincipalRecord>[]>
    readonly put: (
      by: Caller,
      id: string,
      record: unknown,
      expected?: number,
    ) => Promise<Listed<PrincipalRecord>>
  }
  readonly tokens: {
    readonly list: (by: Caller) => Promise<readonly ListedToken[]>
    readonly create: (by: Caller, form: unknown) => Promise<MadeToken>
    readonly revoke: (by: Caller, id: string) => Promise<void>
  }
  readonly links: {
    /** A text that signs somebody in once, with these roles, within its life. */
    readonly create: (by: Caller, link: LinkForm) => Promise<string>
    /** Whoever is first; undefined: it was used, it is too late, or it never was one. */
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

/** The house itself, where nobody has signed in yet. */
export function houseCaller(tenant: string): Caller {
  return { tenant, principal: 'system', actor: 'system', roles: ['admin'], capabilities: [] }
}

export function identityDesk(options: IdentityDeskOptions): IdentityDesk {
  const { administration, home } = options
  return {
    tenants: {
      async list(by) {
        refuseGuest(by, home)
        return (await administration.list(by, 'tenant')).map((item) => listed(item, TenantRecord))
      },
      async put(by, id, record, expected) {
        refuseGuest(by, home)
        const value = parsed(TenantRecord, record)
        if (id === home && value.disabled)
          throw new ToolError(
            'TOOL_GATE_CLOSED',
            'The first house can not be closed: nobody could open it again.',
          )
        return listed(
          await put(options, by, { kind: 'tenant', id: parsed(tenantId(), id), value, expected }),
          TenantRecord,
        )
      },
    },
    principals: {
      list: async (by) =>
        (await administration.list(by, 'principal')).map((item) => listed(item, PrincipalRecord)),
      put: async (by, id, record, expected) =>
        listed(
          await put(options, by, {
            kind: 'principal',
            id: parsed(principalId(), id),
            value: parsed(PrincipalRecord, record),
            expected,
          }),
          PrincipalRecord,
        ),
    },
    tokens: tokensOf(options),
    links: linksOf(options),
  }
}

function tokensOf(options: IdentityDeskOptions): IdentityDesk['tokens'] {
  const { administration, clock } = options
  const chance = systemEntropy()
  return {
    list: async (by) =>
      (await administration.list(by, 'token')).map((item) =>
        withoutHash(listed(item, tokenRecord())),
      ),
    async create(by, form) {
      const { expiresInSeconds, ...asked } = parsed(tokenForm(), form)
      const owner = await administration.get(by, 'principal', asked.principal)
      if (owner === undefined) throw missing('principal', asked.principal)
      const [id, secret] = [chance.newId('', clock.now()).slice(1), newSecret()]
      const value: TokenRecord = {
        ...asked,
        hash: secretHash(secret),
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
        token: credentialText('sh', { tenant: by.tenant, id, secret }),
        lastFour: value.lastFour,
      }
    },
    async revoke(by, id) {
      const item = await administration.get(by, 'token', id)
      if (item === undefined) throw missing('token', id)
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

function linksOf(options: IdentityDeskOptions): IdentityDesk['links'] {
  const { administration, clock, directory } = options
  const chance = systemEntropy()

  // made on first use, so that a link can sign in whoever is not written down yet
  async function writeDown(tenant: string, { principal, roles }: LinkRecord): Promise<boolean> {
    const house = houseCaller(tenant)
    const item = await administration.get(house, 'principal', principal)
    if (item !== undefined) return !readRecord(item, PrincipalRecord).disabled
    await put(options, house, {
      kind: 'principal',
      id: principal,
      value: parsed(PrincipalRecord, { roles }),
      expected: undefined,
    })
    return true
  }

  return {
    async create(by, { principal, roles, lifeSeconds }) {
      const [id, secret] = [chance.newId('', clock.now()).slice(1), newSecret()]
      const value: LinkRecord = {
        principal: parsed(principalId(), principal),
        roles: [...roles],
        hash: secretHash(secret),
        expiresAt: clock.now() + lifeSeconds * 1_000,
      }
      await put(options, by, { kind: 'credential', id: linkItemId(id), value, expected: undefined })
      return credentialText('shl', { tenant: by.tenant, id, secret })
    },
    async redeem(text) {
      const given = readCredential('shl', text)
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
      // of two who come at once the version lets one through
      if (!(await isFirst(() => put(options, houseCaller(given.tenant), used)))) return undefined
      return (await writeDown(given.tenant, link.record))
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
  { administration }: IdentityDeskOptions,
  by: Caller,
  { kind, id, value, expected }: Change,
): Promise<AdminItem> {
  const item = await administration.change(by, {
    kind,
    id,
    value,
    ...(expected === undefined ? {} : { expected }),
  })
  if (item === undefined) throw missing(kind, id)
  return item
}

function listed<T>(item: AdminItem, schema: z.ZodType<T>): Listed<T> {
  return { id: item.id, version: item.version, record: readRecord(item, schema) }
}

function withoutHash({
  record: { hash: _, ...record },
  ...rest
}: Listed<TokenRecord>): ListedToken {
  return { ...rest, record }
}

function parsed<T>(schema: z.ZodType<T>, value: unknown): T {
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

function refuseGuest(by: Caller, home: string): void {
  if (by.tenant !== home)
    throw new ToolError(
      'TOOL_INSUFFICIENT_PERMISSIONS',
      'Houses are kept by the administrators of the first one.',
    )
}

function missing(kind: string, id: string): ToolError {
  return new ToolError('TOOL_RESOURCE_NOT_FOUND', `There is no ${kind} "${id}".`)
}
