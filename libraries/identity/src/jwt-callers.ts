import { type Caller, ToolError } from '@surehand/core'
import type { Clock } from '@surehand/core/ports'
import {
  createRemoteJWKSet,
  customFetch,
  errors,
  type FetchImplementation,
  type JWTPayload,
  jwtVerify,
} from 'jose'

/** Asymmetric only: a list with HS256 in it would take the public key for a shared secret. */
export const JWT_ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
] as const
export type JwtAlgorithm = (typeof JWT_ALGORITHMS)[number]

export type JwtOptions = {
  readonly issuer: string
  readonly audience: string
  readonly jwksUrl: string
  readonly algorithms?: readonly JwtAlgorithm[]
  /** What the claims say about the caller; undefined: they say too little. */
  readonly callerFrom: (claims: JWTPayload) => Omit<Caller, 'session'> | undefined
  readonly clock: Clock
  readonly toleranceSeconds?: number
  /** How long after fetching keys an unknown key id does not fetch again. */
  readonly coolDownMs?: number
  /** Goes out for the keys; the house's egress where there is one. */
  readonly get?: FetchImplementation
}

export type JwtCallers = {
  /** Undefined: it is no token of this issuer for this audience, now. */
  readonly read: (token: string) => Promise<Claimed | undefined>
}

/** Whom the issuer names, and until when. */
export type Claimed = { readonly caller: Caller; readonly expiresAt: number }

const TOLERANCE_SECONDS = 30
const COOL_DOWN_MS = 30_000
const LONGEST = 16_384

/** Callers by tokens that an OIDC issuer signs. */
export function jwtCallers(options: JwtOptions): JwtCallers {
  const algorithms = [...(options.algorithms ?? ['RS256', 'ES256', 'EdDSA'])]
  const odd = algorithms.find(
    (algorithm) => !(JWT_ALGORITHMS as readonly string[]).includes(algorithm),
  )
  if (odd !== undefined)
    throw new TypeError(`Tokens signed with ${odd} can not be told from forged ones.`)
  const keys = createRemoteJWKSet(new URL(options.jwksUrl), {
    cooldownDuration: options.coolDownMs ?? COOL_DOWN_MS,
    ...(options.get === undefined ? {} : { [customFetch]: options.get }),
  })
  return {
    async read(token) {
      if (token.length > LONGEST) return undefined
      const claims = await verified(() =>
        jwtVerify(token, keys, {
          issuer: options.issuer,
          audience: options.audience,
          algorithms,
          clockTolerance: options.toleranceSeconds ?? TOLERANCE_SECONDS,
          currentDate: new Date(options.clock.now()),
          // one that never ends could not be waited out
          requiredClaims: ['exp', 'sub'],
        }),
      )
      const caller = claims === undefined ? undefined : options.callerFrom(claims)
      if (claims === undefined || caller === undefined) return undefined
      return {
        caller: { ...caller, session: `jwt:${claims.jti ?? claims.sub}` },
        expiresAt: (claims.exp ?? 0) * 1_000,
      }
    },
  }
}

// these say that our own side has trouble, not that the token is bad
const KEYS_OUT_OF_REACH = new Set(['ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID', 'ERR_JOSE_GENERIC'])

// the token's fault is nobody signed in; keys out of reach is trouble, and told as such
async function verified(
  verify: () => Promise<{ readonly payload: JWTPayload }>,
): Promise<JWTPayload | undefined> {
  try {
    return (await verify()).payload
  } catch (thrown) {
    if (thrown instanceof errors.JOSEError && !KEYS_OUT_OF_REACH.has(thrown.code)) return undefined
    throw new ToolError(
      'TOOL_RESOURCE_UNAVAILABLE',
      "The token can not be checked now: its issuer's keys are out of reach.",
      {
        cause: thrown,
      },
    )
  }
}
