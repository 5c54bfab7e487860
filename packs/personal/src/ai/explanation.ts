import type { ReadContract } from '@surehand/core'
import { z } from 'zod'
import { Factors } from './weigh.ts'

const Step = z.object({
  step: z.number().int().min(1),
  title: z.string(),
  detail: z.string().describe('What was examined.'),
  conclusion: z.string().describe('What follows from it.'),
})

const Share = z.number().min(0).max(1)

export const Confidence = z.object({
  overall_confidence: Share,
  confidence_level: z.enum(['high', 'medium', 'low']).describe('high from 0.8, medium from 0.6.'),
  confidence_breakdown: z.object({
    data_quality: Share,
    model_certainty: Share,
    factor_agreement: Share,
    historical_accuracy: Share,
  }),
})
export type Confidence = z.infer<typeof Confidence>

export const Advice = z.object({
  action: z.string(),
  rationale: z.string(),
  expected_impact: z.string(),
  effort_level: z.enum(['low', 'medium', 'high']),
  time_sensitivity: z.enum(['immediate', 'today', 'this_week', 'flexible']),
})
export type Advice = z.infer<typeof Advice>

const Recommendations = z.object({
  primary_recommendation: Advice,
  alternative_options: z.array(Advice).optional(),
  warning_flags: z.array(z.string()).optional(),
})

const Context = z.object({
  generated_at: z.iso.datetime(),
  time_zone: z.string(),
  period: z.object({ from: z.string(), to: z.string() }).optional(),
  data_used: z
    .record(z.string(), z.number().int())
    .describe('How many records of each kind were read.'),
  is_partial: z
    .boolean()
    .describe('Some data could not be read; the rest is explained without it.'),
  missing: z.array(z.string()).describe('The data that could not be read, and why.'),
  formulas: z.object({
    data_quality: z.string(),
    model_certainty: z.string(),
    factor_agreement: z.string(),
    historical_accuracy: z.string(),
  }),
})

/** The data of Explain Protocol 1.0. */
export const Explanation = z.object({
  subject: z.object({
    type: z.enum(['task', 'habit', 'project', 'time', 'decision']),
    id: z.string(),
    name: z.string(),
  }),
  reasoning: z.object({ total_steps: z.number().int(), steps: z.array(Step) }),
  factors: Factors,
  confidence: Confidence,
  recommendations: Recommendations,
  context: Context,
})
export type Explanation = z.infer<typeof Explanation>

/** Numbers the steps of an explanation. */
export function numberSteps(
  steps: readonly Omit<z.infer<typeof Step>, 'step'>[],
): Explanation['reasoning'] {
  return {
    total_steps: steps.length,
    steps: steps.map((one, index) => ({ step: index + 1, ...one })),
  }
}

/** The contract of every explanation: it analyses data without returning it. */
export const EXPLAIN_CONTRACT = {
  effect: 'read',
  permissions: { roles: ['user'], capabilities: [{ name: 'ai.explain', scope: 'analysis_only' }] },
  securityLevel: 'confidential',
  // A retry after a timeout would take as long again.
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
