/** The grants of the demo's roles. */
export const DEMO_GRANTS = {
  user: ['shop.buy', 'shop.read'],
  admin: ['shop.buy', 'shop.read'],
} as const
