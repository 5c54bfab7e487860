import type { JsonSchema } from '@surehand/core/internal'

const problems: JsonSchema = {
  type: 'array',
  items: {
    type: 'object',
    properties: { message: { type: 'string' }, path: { type: 'string' }, code: { type: 'string' } },
  },
}

/** What a tool answers: the data, and for a read what of it could not be had. */
export function answerSchema(data: JsonSchema, kind: 'query' | 'mutation'): JsonSchema {
  if (kind === 'mutation') return { type: 'object', properties: { data }, required: ['data'] }
  return {
    type: 'object',
    properties: {
      data,
      incomplete: { type: 'string', description: 'Given when parts of data are missing.' },
      errors: problems,
    },
    required: ['data'],
  }
}
