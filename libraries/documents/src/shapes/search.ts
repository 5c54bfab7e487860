import { z } from 'zod'

export const Query = z
  .string()
  .min(1, { abort: true })
  .max(1000, { abort: true })
  .regex(/\S/, { error: 'Write at least one word to search for.' })
  .meta({
    title: 'query',
    description: 'What to search for, in natural language or keywords, at most 1000 characters.',
    examples: ['waterproof hiking boots'],
  })

const FieldName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_.-]{0,127}$/, {
    error: 'Use a field name: letters, digits, _ . -, beginning with a letter or _.',
  })
  .describe('The name of a field; dots lead into nested fields.')

const FilterScalar = z.union([z.string().max(1000), z.number(), z.boolean(), z.null()])

const FilterValue = z.union([FilterScalar, z.array(FilterScalar).min(1).max(100)])

const FilterOp = z
  .enum(['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'in', 'notIn', 'contains', 'prefix'])
  .describe(
    'eq, ne: any single value. lt, lte, gt, gte: a number or a string. in, notIn: a list. contains, prefix: a string.',
  )

// one flat object and a refinement, not a union by op: models and function-calling APIs handle
// nested unions badly
export const Filter = z
  .object({ field: FieldName, op: FilterOp, value: FilterValue })
  .refine(({ op, value }) => takes(op, value), {
    error: 'This op takes another kind of value.',
    path: ['value'],
  })
  .meta({
    title: 'filter',
    description: 'A condition that a result must meet.',
    examples: [
      { field: 'price', op: 'lte', value: 5000 },
      { field: 'colour', op: 'in', value: ['blue', 'green'] },
    ],
  })
export type Filter = z.infer<typeof Filter>

export const Sort = z
  .object({
    field: FieldName,
    direction: z.enum(['asc', 'desc']).describe('asc: smallest first. desc: largest first.'),
  })
  .meta({
    title: 'sort',
    description: 'The field to order results by, and the direction.',
    examples: [{ field: 'price', direction: 'asc' }],
  })
export type Sort = z.infer<typeof Sort>

export const PageCursor = z
  .string()
  .regex(/^[ -~]{1,2048}$/, { error: 'Use the cursor exactly as the previous page gave it.' })
  .meta({
    title: 'page cursor',
    description: 'The opaque cursor that the previous page returned. Never made up, never changed.',
    examples: ['eyJvZmZzZXQiOjIwfQ=='],
  })

function takes(op: z.infer<typeof FilterOp>, value: z.infer<typeof FilterValue>): boolean {
  switch (op) {
    case 'eq':
    case 'ne':
      return !Array.isArray(value)
    case 'lt':
    case 'lte':
    case 'gt':
    case 'gte':
      return typeof value === 'number' || typeof value === 'string'
    case 'in':
    case 'notIn':
      return Array.isArray(value)
    case 'contains':
    case 'prefix':
      return typeof value === 'string'
  }
}
