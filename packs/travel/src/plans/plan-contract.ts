/** What every tool that changes a plan has in common: a person changes only their own plans. */
export const planWrite = {
  effect: 'writes.plan',
  reversible: true,
  idempotency: 'caller',
  permissions: { roles: ['user'], capabilities: [{ name: 'travel.plan', scope: 'self' }] },
  timeout: '5s',
  retries: 1,
} as const

export const PLAN_ID_LENGTH = 64
