import type { Caller } from '@surehand/core'
import { systemClock } from '@surehand/core/ports'
import type { JwtOptions } from '@surehand/identity'
import { createJwtCallers, type JwtCallers } from '@surehand/identity'
import { z } from 'zod'
import type { Settings } from './config/settings.ts'

type JwtSettings = NonNullable<Settings['jwt']>

const Name = z.string().min(1).max(128)
const Roles = z
  .union([z.array(Name).max(50), Name.transform((text) => text.split(' '))])
  .default([])
/** RFC 8693: another party acts for the subject. */
const Acting = z.looseObject({
  act: z.looseObject({ sub: Name }).optional(),
  scope: z.string().max(4_000).optional(),
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
    const { act, scope } = acting.data
    const caller: Omit<Caller, 'session'> = {
      ...who.data,
      actor: act === undefined ? 'user' : 'ai_agent',
      capabilities: [],
      ...readScopes(scope),
    }
    return caller
  }
}

// OIDC scopes about the issuer's user data; they do not concern our tools.
const OF_THE_ISSUER = new Set([
  '',
  'openid',
  'profile',
  'email',
  'address',
  'phone',
  'offline_access',
])

function readScopes(scope: string | undefined): Pick<Caller, 'scopes'> {
  const scopes = (scope ?? '').split(' ').filter((name) => !OF_THE_ISSUER.has(name))
  return scopes.length === 0 ? {} : { scopes }
}

/** Identifies callers by tokens of an external issuer. */
export function jwtIdentity(settings: JwtSettings): JwtCallers {
  const { issuer, audience, jwksUrl, algorithms } = settings
  return createJwtCallers({
    issuer,
    audience,
    jwksUrl,
    clock: systemClock(),
    callerFrom: callerFrom(settings),
    // jwtCallers refuses unknown algorithms itself
    ...(algorithms === undefined ? {} : { algorithms: algorithms as never }),
  })
}
