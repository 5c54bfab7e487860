/** Memories belong to one person: nobody else's are read or changed. */
export const memoryPermissions = {
  roles: ['user'],
  capabilities: [{ name: 'travel.memory', scope: 'self' }],
} as const

export const MEMORY_ID_LENGTH = 64
export const MAX_MEMORY_CHARACTERS = 4_000
