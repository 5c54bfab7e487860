/** What every tool that reads a plan has in common: a person reads only their own plans. */
export const planRead = {
  effect: 'read',
  permissions: { roles: ['user'], capabilities: [{ name: 'travel.plan', scope: 'self' }] },
  timeout: '10s',
} as const
