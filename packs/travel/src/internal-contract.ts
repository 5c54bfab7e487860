/** Parts of other tools, which the pack calls itself: no agent may call or see them. */
export const internalPermissions = {
  capabilities: ['travel.operate'],
  when: { attribute: 'caller.actor', op: 'eq', value: 'system' },
} as const
