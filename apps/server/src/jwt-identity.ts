import { systemClock } from '@surehand/core/ports'
import { type JwtCallers, jwtCallers } from '@surehand/identity'
import { callerFrom, type JwtSettings } from './jwt-claims.ts'

/** Whom tokens of somebody else's issuer stand for. */
export function jwtIdentity(settings: JwtSettings): JwtCallers {
  const { issuer, audience, jwksUrl, algorithms } = settings
  return jwtCallers({
    issuer,
    audience,
    jwksUrl,
    clock: systemClock(),
    callerFrom: callerFrom(settings),
    // erased: jwtCallers refuses what is none of its algorithms
    ...(algorithms === undefined ? {} : { algorithms: algorithms as never }),
  })
}
