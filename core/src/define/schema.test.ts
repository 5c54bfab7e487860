import { expect, test } from 'vitest'
import { z } from 'zod'
import { zodSchema } from './schema.ts'

const Order = z.object({
  kind: z.discriminatedUnion('is', [
    z.object({ is: z.literal('gift'), to: z.string().trim().min(1) }),
    z.object({ is: z.literal('own') }),
  ]),
  lines: z
    .array(z.object({ id: z.string().regex(/^[a-z]+$/), count: z.int().min(1).default(1) }))
    .max(2),
  note: z.string().nullable().optional(),
  tags: z.record(z.string(), z.boolean()).default({}),
})

// the first is read without compiling, whatever follows with it
test.each([
  ['what fits', { kind: { is: 'gift', to: ' Bob ' }, lines: [{ id: 'tea' }], other: 1 }],
  ['what is missing', { kind: { is: 'own' } }],
  [
    'several problems',
    {
      kind: { is: 'gift', to: ' ' },
      lines: [{ id: '1', count: 0 }, {}, { id: 'c', count: 'two' }],
      note: 3,
    },
  ],
  ['an unknown kind', { kind: { is: 'stolen' }, lines: [] }],
  ['no object', 'tea'],
])('%s is told the same the first time and later', (_, value) => {
  for (const options of [{}, { refuseUnknown: true }]) {
    const schema = zodSchema(Order, options)
    const first = schema.parse(value)
    expect(schema.parse(value)).toEqual(first)
    expect(schema.parse(value)).toEqual(first)
  }
})
