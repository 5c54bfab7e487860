/** What every search of the pack has in common. Its answers are the same for every person. */
export const travelRead = {
  effect: 'read',
  permissions: { roles: ['user'] },
  retries: 1,
} as const
