import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Caller } from '@surehand/core'
import { ToolError } from '@surehand/core'
import type { PackGiven, PackServices } from '@surehand/core/host'
import { VISIT } from '../visitor-contract.ts'
import { findSession, findSiteOfKey } from './site-data.ts'

/** The name of a visitor's principal begins with it: `site:ses_…`. */
const PREFIX = 'site:'
const IDLE_MS = 30 * 60_000

/** An authenticated visitor: in person, and the agent that acts for them. */
export type Visitor = {
  readonly tenant: string
  readonly session: string
  /** Decides about approvals. */
  readonly person: Caller
  /** Calls tools. It never decides. */
  readonly agent: Caller
}

export type OpenedVisitor = {
  readonly token: string
  readonly session: string
  readonly expiresAt: number
  readonly site: { readonly name: string; readonly origins: readonly string[] }
}

type OpenRequest = {
  readonly key: string
  /** The origin of the page, as the browser told the widget. */
  readonly origin: string
  readonly address: string
  readonly locale?: string | undefined
  readonly timeZone?: string | undefined
}

type OpenServices = Pick<PackServices, 'query' | 'values' | 'call' | 'systemCaller'>

/** Opens a session for a page of the site. The token is returned once and stored nowhere. */
export async function openVisitor(
  services: OpenServices,
  { key, origin, address, locale, timeZone }: OpenRequest,
): Promise<OpenedVisitor> {
  const site = await findSiteOfKey(services.query, key)
  if (site === undefined)
    throw refusalError(
      'This publishable key is not valid. Ask the owner of the site for a new one.',
    )
  if (!site.contract.origins.includes(origin))
    throw refusalError(
      `Pages of ${origin} may not use this key. Add the origin to the contract of the site.`,
    )
  if (site.isStopped)
    throw new ToolError('TOOL_TEMPORARILY_DISABLED', 'The agent of this site is switched off.')
  const session = `ses_${randomBytes(18).toString('base64url')}`
  const secret = randomBytes(32).toString('base64url')
  const { tenant } = site
  const token = `svt_${Buffer.from(tenant).toString('base64url')}.${session}.${secret}`
  const outcome = await services.call({
    tool: 'site.open_session',
    input: {
      sessionId: session,
      tokenHash: hashToken(token),
      key,
      origin,
      address,
      ...(locale === undefined ? {} : { locale }),
      ...(timeZone === undefined ? {} : { timeZone }),
    },
    caller: services.systemCaller(tenant),
    surface: 'site',
  })
  if (outcome.status !== 'done')
    throw outcome.status === 'failed'
      ? outcome.error
      : new ToolError('TOOL_INTERNAL_ERROR', 'The session could not be opened.')
  await services.values.set(tenant, aliveKey(session), '1', IDLE_MS)
  const { expiresAt } = outcome.data as { expiresAt: number }
  return {
    token,
    session,
    expiresAt,
    site: { name: site.contract.name, origins: site.contract.origins },
  }
}

const TOKEN = /^svt_([A-Za-z0-9_-]{1,128})\.(ses_[A-Za-z0-9_-]{16,64})\.([A-Za-z0-9_-]{43})$/

type AuthServices = Pick<PackServices, 'query' | 'values' | 'now'>

/** The visitor of a request with `Authorization: Bearer svt_…`; undefined where it is not valid. */
export async function authenticateVisitor(
  services: AuthServices,
  request: Request,
): Promise<Visitor | undefined> {
  const token = /^Bearer (svt_\S+)$/.exec(request.headers.get('authorization') ?? '')?.[1]
  const parts = token === undefined ? null : TOKEN.exec(token)
  if (token === undefined || parts === null) return undefined
  const tenant = Buffer.from(parts[1] ?? '', 'base64url').toString()
  const session = parts[2] ?? ''
  const stored = await findSession(services.query, { tenant, session, now: services.now() })
  if (stored === undefined || !isSameHash(stored.tokenHash, hashToken(token))) return undefined
  if ((await services.values.get(tenant, aliveKey(session))) === undefined) return undefined
  await services.values.set(tenant, aliveKey(session), '1', IDLE_MS)
  return toVisitor({ tenant, session, locale: stored.locale, timeZone: stored.timeZone })
}

type VisitorForm = {
  readonly tenant: string
  readonly session: string
  readonly locale: string | undefined
  readonly timeZone: string | undefined
}

function toVisitor({ tenant, session, locale, timeZone }: VisitorForm): Visitor {
  const person: Caller = {
    tenant,
    principal: `${PREFIX}${session}`,
    actor: 'user',
    roles: [],
    capabilities: [VISIT],
    session,
    ...(locale === undefined ? {} : { locale }),
    ...(timeZone === undefined ? {} : { timeZone }),
  }
  return { tenant, session, person, agent: { ...person, actor: 'ai_agent', delegated: [VISIT] } }
}

/** For calls that continue later: a visitor whose session has ended has no rights any more. */
export async function currentVisitor(
  caller: Caller,
  { query, now }: Pick<PackGiven, 'query' | 'now'>,
): Promise<Caller | undefined> {
  const session = caller.principal.slice(PREFIX.length)
  if (caller.session !== session) return undefined
  const stored = await findSession(query, { tenant: caller.tenant, session, now: now() })
  return stored === undefined ? undefined : caller
}

function aliveKey(session: string): string {
  return `site/alive/${session}`
}

function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

function isSameHash(left: string, right: string): boolean {
  return timingSafeEqual(Buffer.from(left), Buffer.from(right))
}

function refusalError(message: string): ToolError {
  return new ToolError('TOOL_INSUFFICIENT_PERMISSIONS', message)
}
