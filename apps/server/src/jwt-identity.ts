import type { Caller } from '@surehand/core'
import type { Clock } from '@surehand/core/ports'
import { createEgress, fetchThrough, readTarget } from '@surehand/egress'
import type { JwtOptions } from '@surehand/identity'
import { createJwtCallers, type JwtCallers } from '@surehand/identity'
import { z } from 'zod'
import type { Settings } from './config/settings.ts'

type JwtSettings = NonNullable<Settings['jwt']>

const Name = z.string().min(1).max(128)
const Roles = z
  .union([z.array(Name).max(50), Name.transform((text) => text.split(' '))])
  .default([])
const Scope = z.string().max(4_000)
/** RFC 8693: another party acts for the subject, within the scope. */
const Acting = z.looseObject({
  act: z.looseObject({ sub: Name }).optional(),
  scope: Scope.optional(),
  // The name that Entra ID and Okta give to the scope.
  scp: z.union([Scope, z.array(Scope).max(200)]).optional(),
})

/** Reads the caller from the claims; undefined where they do not name one completely. */
function callerFrom({ claims: names }: JwtSettings): JwtOptions['callerFrom'] {
  return (claims) => {
    const who = z.object({ tenant: Name, principal: Name, roles: Roles }).safeParse({
      tenant: claims[names.tenant],
      principal: claims[names.principal],
      roles: claims[names.roles],
    })
    const acting = Acting.safeParse(claims)
    if (!who.success || !acting.success) return undefined
    const { act, scope, scp } = acting.data
    const scopes = readScopes(scope, scp)
    const caller: Omit<Caller, 'session'> = {
      ...who.data,
      actor: act === undefined ? 'user' : 'ai_agent',
      capabilities: [],
      ...(scopes === undefined ? {} : { scopes }),
    }
    return caller
  }
}

// OIDC scopes about the issuer's user data; they do not concern our tools.
const OF_THE_ISSUER = new Set(['openid', 'profile', 'email', 'address', 'phone', 'offline_access'])

/**
 * The capabilities that the token is limited to. Undefined: it names no scope, or only those of the
 * issuer. An empty text is a scope with nothing in it. Where a token has both claims, only what is
 * in both counts.
 */
function readScopes(
  scope: string | undefined,
  scp: string | readonly string[] | undefined,
): Caller['scopes'] {
  const lists = [scope, scp].flatMap((claim) => {
    if (claim === undefined) return []
    const named = [claim].flat().flatMap((text) => text.split(' ').filter((name) => name !== ''))
    const ours = named.filter((name) => !OF_THE_ISSUER.has(name))
    return named.length > 0 && ours.length === 0 ? [] : [ours]
  })
  const [first, second] = lists
  return second === undefined ? first : first?.filter((name) => second.includes(name))
}

/** Identifies callers by tokens of an external issuer, whose keys are fetched through egress. */
export function jwtIdentity(
  settings: JwtSettings,
  { clock, home }: { readonly clock: Clock; readonly home: string },
): JwtCallers & { readonly close: () => Promise<void> } {
  const { issuer, audience, jwksUrl, algorithms } = settings
  const { host, port } = readTarget(jwksUrl)
  const egress = createEgress({ clock })
  const callers = createJwtCallers({
    issuer,
    audience,
    jwksUrl,
    clock,
    callerFrom: callerFrom(settings),
    // The operator names the address in the settings, so it may be in the private network.
    get: fetchThrough(egress, { tenant: home, allow: [{ host, port }], maxBytes: MAX_KEYS_BYTES }),
    // jwtCallers refuses unknown algorithms itself
    ...(algorithms === undefined ? {} : { algorithms: algorithms as never }),
  })
  return { ...callers, close: () => egress.close() }
}

const MAX_KEYS_BYTES = 262_144
