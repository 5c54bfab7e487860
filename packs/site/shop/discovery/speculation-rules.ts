/**
 * What the browser may load before it is needed: pages that only show something. Pages of the cart,
 * of payments and of holds are never loaded beforehand.
 */
export function speculationRules(): object {
  const safe = [
    '/',
    '/shop',
    '/shop/*',
    '/products/*',
    '/appointments',
    '/journal',
    '/journal/*',
    '/help',
    '/help/*',
  ]
  return {
    prefetch: [{ where: { href_matches: safe }, eagerness: 'moderate' }],
    prerender: [{ where: { href_matches: ['/products/*', '/shop/*'] }, eagerness: 'conservative' }],
  }
}
