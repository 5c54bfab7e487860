import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Clock } from '@surehand/core/ports'
import { z } from 'zod'
import { newSecret } from './secret.ts'

/** Who is signed in at a page, and until when. */
export type Session = {
  readonly id: string
  readonly tenant: string
  readonly principal: string
  /** The token they signed in with: when it is revoked, so is this. */
  readonly token?: string
  /** What an issuer said of them, where no record of this house does. */
  readonly claimed?: { readonly roles: readonly string[]; readonly scopes?: readonly string[] }
  readonly expiresAt: number
}

export type SessionOptions = {
  readonly clock: Clock
  /** At least 32 bytes that only this house knows. */
  readonly key: Uint8Array
  readonly lifeSeconds?: number
  /** Off only where pages are served without TLS, on this machine. */
  readonly secure?: boolean
}

/** Signed cookies for pages. */
export type Sessions = {
  /** The value of a `Set-Cookie` header. It ends with the credential it was opened with, if that says when. */
  readonly open: (
    who: Pick<Session, 'tenant' | 'principal' | 'token' | 'claimed'> & {
      readonly expiresAt?: number
    },
  ) => string
  /** From a `Cookie` header; undefined: nobody is signed in. */
  readonly read: (cookies: string | undefined) => Session | undefined
  readonly close: () => string
  /** A text that only this house can make, for this session and this purpose. */
  readonly seal: (session: Session, purpose: string) => string
  readonly isSealed: (session: Session, purpose: string, seal: string) => boolean
}

const LIFE_SECONDS = 8 * 3_600
const SHORTEST_KEY = 32

const Payload = z.strictObject({
  id: z.string(),
  tenant: z.string(),
  principal: z.string(),
  token: z.string().exactOptional(),
  claimed: z
    .strictObject({ roles: z.array(z.string()), scopes: z.array(z.string()).exactOptional() })
    .exactOptional(),
  expiresAt: z.number(),
})

export function createSessions({
  clock,
  key,
  lifeSeconds = LIFE_SECONDS,
  secure = true,
}: SessionOptions): Sessions {
  if (key.byteLength < SHORTEST_KEY)
    throw new TypeError(`The key of sessions needs at least ${SHORTEST_KEY} bytes.`)
  // the prefix makes browsers refuse it from other paths, other hosts and plain HTTP
  const name = secure ? '__Host-surehand' : 'surehand'
  const attributes = `Path=/; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`
  const sign = (text: string): string => createHmac('sha256', key).update(text).digest('base64url')
  // what is signed says what it is for: a seal must never pass for a cookie
  const cookieSignature = (body: string): string => sign(`session\n${body}`)
  const seal = (session: Session, purpose: string): string =>
    sign(`seal\n${session.id}\n${session.principal}\n${purpose}`)

  return {
    open(who) {
      const longest = clock.now() + lifeSeconds * 1_000
      const payload = {
        ...who,
        id: newSecret(),
        expiresAt: Math.min(longest, who.expiresAt ?? longest),
      }
      const body = Buffer.from(JSON.stringify(payload)).toString('base64url')
      return `${name}=${body}.${cookieSignature(body)}; Max-Age=${lifeSeconds}; ${attributes}`
    },
    read(cookies) {
      const [body, signature, ...rest] = cookieNamed(cookies, name)?.split('.') ?? []
      if (
        body === undefined ||
        signature === undefined ||
        rest.length > 0 ||
        !isSame(signature, cookieSignature(body))
      )
        return undefined
      const parsed = Payload.safeParse(JSON.parse(Buffer.from(body, 'base64url').toString()))
      return parsed.success && parsed.data.expiresAt > clock.now() ? parsed.data : undefined
    },
    close: () => `${name}=; Max-Age=0; ${attributes}`,
    seal,
    isSealed: (session, purpose, given) => isSame(given, seal(session, purpose)),
  }
}

function isSame(left: string, right: string): boolean {
  const [one, other] = [Buffer.from(left), Buffer.from(right)]
  return one.length === other.length && timingSafeEqual(one, other)
}

// of two cookies of the name neither is taken: one of them was planted
function cookieNamed(cookies: string | undefined, name: string): string | undefined {
  const values = (cookies ?? '').split(';').flatMap((pair) => {
    const [key = '', ...value] = pair.split('=')
    return key.trim() === name ? [value.join('=').trim()] : []
  })
  return values.length === 1 ? values[0] : undefined
}
