/** What roles are given by the demo. */
export const DEMO_GRANTS = {
  user: ['shop.buy', 'shop.read'],
  admin: ['shop.buy', 'shop.read'],
} as const
