import { queryOptions } from '@tanstack/react-query'
import { deleteData, getData, postData, putData } from './client.ts'
import { pages } from './queries.ts'
import type { AuditProof, Figures, WhatIf } from './types.ts'

/** A tenant's policy, as `PUT /v1/policy` takes it. */
export type Policy = {
  readonly enabledTools?: readonly string[]
  readonly disabledTools?: readonly string[]
  readonly limits?: readonly PolicyLimit[]
  readonly approvals?: readonly PolicyApproval[]
  readonly timeouts?: readonly PolicyTimeout[]
  readonly trustedHosts?: readonly string[]
  readonly separateApprover?: boolean
}
export type PolicyLimit = {
  readonly tools: string
  readonly calls: number
  readonly windowMs: number
}
export type PolicyApproval = { readonly tools: string; readonly kind: string }
export type PolicyTimeout = { readonly tools: string; readonly maxMs: number }

export type StoredPolicy = { readonly policy: Policy | null; readonly version: number | null }

export const policyQuery = queryOptions({
  queryKey: ['policy'],
  queryFn: () => getData<StoredPolicy>('v1/policy'),
})

export function savePolicy(policy: Policy, version: number | null): Promise<StoredPolicy> {
  return putData('v1/policy', policy, version ?? undefined)
}

/** A change that has not been made yet. */
export type Change = {
  readonly policy?: Policy
  readonly principals?: Readonly<Record<string, unknown>>
}

/** What the change would have made of the calls of the last days; it is not made by this. */
export function askWhatIf(change: Change, days: number): Promise<WhatIf> {
  return postData('v1/what-if', { ...change, days })
}

/** A versioned record of the administration. */
export type Listed<T> = { readonly id: string; readonly version: number; readonly record: T }

export type Principal = {
  readonly name?: string
  readonly roles: readonly string[]
  /** Names, or objects with a scope and conditions. */
  readonly capabilities: readonly unknown[]
  readonly delegated?: readonly string[]
  readonly disabled: boolean
  readonly timeZone?: string
  readonly locale?: string
}

export type Token = {
  readonly principal: string
  readonly name: string
  readonly actor: 'user' | 'ai_agent'
  readonly scopes?: readonly string[]
  readonly lastFour: string
  readonly oauth?: { readonly client: string }
  readonly createdBy: string
  readonly createdAt: number
  readonly expiresAt?: number
  readonly revokedAt?: number
}

/** With its last use, to the minute; null where it was never used. */
export type ListedToken = Listed<Token> & { readonly lastUsedAt: number | null }

export type Tenant = { readonly name?: string; readonly disabled: boolean }

export const tenantsQuery = pages<Listed<Tenant>>('tenants', 'v1/tenants')

/** Creates a tenant, or changes the one of this version. */
export function saveTenant(id: string, record: Tenant, version?: number): Promise<unknown> {
  return putData(`v1/tenants/${encodeURIComponent(id)}`, record, version)
}

export const principalsQuery = pages<Listed<Principal>>('principals', 'v1/principals')
export const tokensQuery = pages<ListedToken>('tokens', 'v1/tokens')

/** Creates a principal, or changes the one of this version. */
export function savePrincipal(id: string, record: Principal, version?: number): Promise<unknown> {
  return putData(`v1/principals/${encodeURIComponent(id)}`, record, version)
}

export type TokenForm = Pick<Token, 'principal' | 'name' | 'actor'> & {
  readonly scopes?: readonly string[]
  readonly expiresInSeconds?: number
}

export type CreatedToken = { readonly id: string; readonly token: string }

export const createToken = (form: TokenForm): Promise<CreatedToken> => postData('v1/tokens', form)

export const revokeToken = (id: string): Promise<void> =>
  deleteData(`v1/tokens/${encodeURIComponent(id)}`)

// Each reading goes over all answers of the time, so that it is not done every few seconds.
const FIGURES_MS = 30_000

export function figuresOverTimeQuery(hours: number) {
  return queryOptions({
    queryKey: ['figures-over-time', hours],
    queryFn: () => getData<Figures>('v1/figures', { hours }),
    refetchInterval: FIGURES_MS,
  })
}

/** What proves that a record is in the tree of the audit. */
export const readProof = (recordId: string): Promise<AuditProof> =>
  getData(`v1/audit/records/${encodeURIComponent(recordId)}/proof`)
