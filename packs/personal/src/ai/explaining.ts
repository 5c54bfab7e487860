import type { ReadContract } from '@surehand/core'
import { z } from 'zod'

/** What every explanation asks for: to look at data without handing it out. */
export const EXPLAINS = {
  effect: 'read',
  permissions: { roles: ['user'], capabilities: [{ name: 'ai.explain', scope: 'analysis_only' }] },
  securityLevel: 'confidential',
  // whoever ran out of time would only take as long again
  retries: 0,
  limits: [
    { calls: 30, per: '1m' },
    { calls: 500, per: '1h' },
  ],
} as const satisfies ReadContract<never, never, never>

export const LeastConfidence = z
  .number()
  .min(0)
  .max(1)
  .default(0)
  .describe('Refuse to explain with less confidence than this.')
