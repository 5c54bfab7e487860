/** What tools of this family have in common: they are every user's, over their own days. */
export const timeRead = {
  effect: 'read',
  securityLevel: 'confidential',
  limits: [
    { calls: 30, per: '1m' },
    { calls: 500, per: '1h' },
  ],
} as const

export const timeWrite = {
  effect: 'writes.time',
  reversible: true,
  idempotency: 'caller',
  securityLevel: 'confidential',
  limits: [
    { calls: 20, per: '1m' },
    { calls: 200, per: '1h' },
  ],
} as const

/** Rights over one's own, by the capabilities' names. */
export function ownRights<const N extends readonly string[]>(...names: N) {
  return {
    roles: ['user'],
    capabilities: names.map((name) => ({ name, scope: 'self_only' })),
  } as const
}
