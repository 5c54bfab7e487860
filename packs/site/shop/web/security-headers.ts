import type { Shop } from '../shop.ts'

/**
 * A policy without inline scripts or styles. Return addresses are allowed in form-action, because
 * browsers apply it to the redirect after a payment, too.
 */
export function contentSecurityPolicy({ settings }: Shop): string {
  const { embed, returnOrigins } = settings
  const embedOrigin = embed === undefined ? '' : ` ${new URL(embed.script).origin}`
  return [
    "default-src 'none'",
    `script-src 'self' 'inline-speculation-rules'${embedOrigin}`,
    "style-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    `connect-src 'self'${embedOrigin}`,
    `frame-src 'self'${embedOrigin}`,
    `form-action ${["'self'", ...returnOrigins].join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

export function withSecurityHeaders(shop: Shop, response: Response): Response {
  const { headers } = response
  headers.set('x-content-type-options', 'nosniff')
  headers.set('referrer-policy', 'same-origin')
  if (headers.get('content-type')?.startsWith('text/html') === true) {
    headers.set('content-security-policy', contentSecurityPolicy(shop))
    headers.set('cache-control', 'no-store')
    headers.set('cross-origin-opener-policy', 'same-origin')
  }
  return response
}
