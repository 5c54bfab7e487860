import { type Caller, ToolError } from '@surehand/core'
import { auditEntryBy, isAdministrator, isNarrowed } from '@surehand/core/internal'
import { type AuditStore, type Clock, systemEntropy } from '@surehand/core/ports'
import type { Directory } from './directory.ts'
import type { OpenSession, OpenSessions } from './open-sessions.ts'

export type SessionsApiOptions = {
  readonly open: OpenSessions
  readonly audit: Pick<AuditStore, 'append'>
}

/** The open sessions of a person: for the person, and for administrators of the tenant. */
export type SessionsApi = {
  readonly list: (by: Caller, principal: string) => Promise<readonly OpenSession[]>
  /** Ends one of the person's sessions, on every node at once. */
  readonly end: (by: Caller, principal: string, id: string) => Promise<void>
  /** Ends all of them but `except`; how many there were. */
  readonly endOthers: (by: Caller, principal: string, except?: string) => Promise<number>
}

type Context = { readonly directory: Directory; readonly clock: Clock }

export function createSessionsApi(
  options: SessionsApiOptions | undefined,
  { directory, clock }: Context,
): SessionsApi {
  const entropy = systemEntropy()

  async function listOpen(by: Caller, principal: string): Promise<readonly OpenSession[]> {
    const { open } = requireSessions(options)
    refuseOthers(by, principal)
    const listed = await open.list({ tenant: by.tenant, principal })
    const live = await Promise.all(
      listed.map(async ({ token }) => token === undefined || isLive(by.tenant, token)),
    )
    return listed.filter((_, place) => live[place])
  }

  // A session ends with the token that it was opened with.
  async function isLive(tenant: string, token: string): Promise<boolean> {
    const record = await directory.token(tenant, token)
    return record !== undefined && record.revokedAt === undefined
  }

  async function end(
    by: Caller,
    principal: string,
    sessions: readonly OpenSession[],
  ): Promise<void> {
    const { open, audit } = requireSessions(options)
    if (sessions.length === 0) return
    await open.end({ tenant: by.tenant, principal }, sessions)
    const now = clock.now()
    const made = { id: entropy.newId('aud', now), now }
    const entry = auditEntryBy(by, made, {
      phase: 'change',
      call_id: entropy.newId('chg', now),
      surface: 'administration',
      tool_name: 'session',
      // The name of a person must be erasable, and only the text of a record is.
      error: principal,
      success: true,
      outcome: 'ended',
    })
    await audit.append(entry, 'before-answer')
  }

  return {
    list: listOpen,
    async end(by, principal, id) {
      const found = (await listOpen(by, principal)).filter((session) => session.id === id)
      if (found.length === 0)
        throw new ToolError(
          'TOOL_RESOURCE_NOT_FOUND',
          'There is no such session. It may have ended meanwhile: list them again.',
        )
      await end(by, principal, found)
    },
    async endOthers(by, principal, except) {
      const others = (await listOpen(by, principal)).filter(({ id }) => id !== except)
      await end(by, principal, others)
      return others.length
    },
  }
}

function requireSessions(options: SessionsApiOptions | undefined): SessionsApiOptions {
  if (options !== undefined) return options
  throw new ToolError('TOOL_TEMPORARILY_DISABLED', 'This server keeps no list of sessions.')
}

function refuseOthers(by: Caller, principal: string): void {
  if (by.actor === 'ai_agent')
    throw new ToolError(
      'TOOL_INSUFFICIENT_PERMISSIONS',
      'An agent cannot see or end the sessions of people. The person does it with their own token.',
    )
  if (isAdministrator(by)) return
  if (by.principal !== principal)
    throw new ToolError(
      'TOOL_ROLE_NOT_AUTHORIZED',
      'Only an administrator may see and end the sessions of other people.',
    )
  if (isNarrowed(by))
    throw new ToolError(
      'TOOL_INSUFFICIENT_PERMISSIONS',
      'This credential is limited to some capabilities. Use one that is not to see and end sessions.',
    )
}
