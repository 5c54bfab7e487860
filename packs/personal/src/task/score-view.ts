import { z } from 'zod'

/** A factor as it is told. */
export const FactorView = z.object({
  id: z.string(),
  name: z.string(),
  category: z.enum(['time', 'importance', 'energy', 'context', 'history']),
  raw_score: z.number().min(0).max(10),
  weight: z.number().min(0).max(1),
  weighted_contribution: z.number().min(0).max(10),
  evidence: z.array(z.string()),
})
