/** The contract that all reads over time share; every user has it over their own data. */
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

/** Permissions over the caller's own data, for these capabilities. */
export function ownRights<const N extends readonly string[]>(...names: N) {
  return {
    roles: ['user'],
    capabilities: names.map((name) => ({ name, scope: 'self_only' })),
  } as const
}
