import { createHmac, timingSafeEqual } from 'node:crypto'
import { Refusal } from '../refusal.ts'
import type { Shop } from '../shop.ts'

/** The browser that sent a request. */
export type Visitor = {
  /** Names the browser; new where the request had no cookie. */
  readonly session: string
  readonly isNew: boolean
  /** The cart that the browser has open. */
  readonly cartId: string | undefined
}

const SESSION_COOKIE = 'tt_session'
const CART_COOKIE = 'tt_cart'
const SESSION = /^web_[A-Za-z0-9_-]{20,64}$/
const CART = /^cart_[A-Za-z0-9_-]{1,64}$/
const MONTH_SECONDS = 30 * 24 * 60 * 60

export function readVisitor({ newId }: Shop, request: Request): Visitor {
  const cookies = readCookies(request.headers.get('cookie') ?? '')
  const known = cookies.get(SESSION_COOKIE) ?? ''
  const cartId = cookies.get(CART_COOKIE) ?? ''
  const isKnown = SESSION.test(known)
  return {
    session: isKnown ? known : newId('web'),
    isNew: !isKnown,
    cartId: CART.test(cartId) ? cartId : undefined,
  }
}

function readCookies(header: string): ReadonlyMap<string, string> {
  return new Map(
    header.split(';').map((pair) => {
      const [name = '', ...value] = pair.trim().split('=')
      return [name, value.join('=')]
    }),
  )
}

export function sessionCookie({ origin }: Shop, session: string): string {
  return cookie(SESSION_COOKIE, session, origin)
}

export function cartCookie({ origin }: Shop, cartId: string): string {
  return cookie(CART_COOKIE, cartId, origin)
}

function cookie(name: string, value: string, origin: string): string {
  const secure = origin.startsWith('https:') ? '; Secure' : ''
  return `${name}=${value}; Path=/; Max-Age=${MONTH_SECONDS}; HttpOnly; SameSite=Lax${secure}`
}

/** The token that a form of this browser must carry: pages of other sites cannot know it. */
export function csrfToken({ store }: Shop, { session }: Visitor): string {
  const secret = String(store.one("select value from secrets where name = 'csrf'")?.value)
  return createHmac('sha256', secret).update(session).digest('base64url')
}

export function requireCsrf(shop: Shop, visitor: Visitor, token: string): void {
  const expected = Buffer.from(csrfToken(shop, visitor))
  const given = Buffer.from(token)
  if (visitor.isNew || expected.length !== given.length || !timingSafeEqual(expected, given))
    throw new Refusal(
      'form_expired',
      'This form was opened too long ago or by another site. Go back, reload the page and send it again.',
    )
}
