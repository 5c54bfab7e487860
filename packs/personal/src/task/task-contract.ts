/** The contract that all reads over tasks share: every user has it over their own tasks. */
export const taskRead = {
  effect: 'read',
  permissions: { roles: ['user'], capabilities: [{ name: 'task.read', scope: 'self_only' }] },
  securityLevel: 'confidential',
  limits: [
    { calls: 60, per: '1m' },
    { calls: 1000, per: '1h' },
  ],
} as const

export const taskWrite = {
  effect: 'writes.task',
  reversible: true,
  idempotency: 'caller',
  permissions: { roles: ['user'], capabilities: [{ name: 'task.write', scope: 'self_only' }] },
  securityLevel: 'confidential',
  limits: [
    { calls: 30, per: '1m' },
    { calls: 500, per: '1h' },
  ],
} as const
