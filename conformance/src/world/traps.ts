import { defineTool, type Tool, ToolError } from '@surehand/core'
import { z } from 'zod'
import { orders } from './ports.ts'
import { Made } from './writes.ts'

/** Tools whose names are those of every object's own members. */
export const oddNames: readonly Tool[] = ['constructor', '__proto__'].map((id) =>
  defineTool({
    id,
    title: `The tool ${id}`,
    category: 'custom',
    description: 'Answers its own name.',
    input: z.object({}),
    output: z.object({ name: z.string() }),
    contract: { effect: 'none' },
    examples: [{ name: 'plain', input: {} }],
    execute: async () => ({ name: id }),
  }),
)

type Taking = { readonly maxInputBytes?: number; readonly unknownKeys?: 'refuse' }

function taking<T extends z.ZodObject>(
  id: string,
  input: T,
  example: z.input<T>,
  contract: Taking = {},
): Tool {
  return defineTool({
    id,
    title: `Take (${id})`,
    category: 'custom',
    description: 'Makes an item of whatever it is given.',
    input,
    output: Made,
    ports: { out: orders },
    contract: { effect: 'writes.order', reversible: true, idempotency: 'caller', ...contract },
    examples: [{ name: 'plain', input: example }],
    execute: ({ input: given, ports, idempotencyKey, signal }) =>
      ports.out.make({ ...(given as object), item: 'thing', key: idempotencyKey }, signal),
  })
}

/** Every kind of field that can be wrong. */
export const Kinds = z.object({
  name: z.string().min(3).max(20),
  count: z.number().int().min(1).max(9),
  flag: z.boolean().optional(),
  colour: z.enum(['red', 'blue']).default('red'),
  tags: z.array(z.string().max(10)).max(3).optional(),
  where: z.object({ city: z.string(), zip: z.string().regex(/^\d{5}$/) }).optional(),
})

export const takers: readonly Tool[] = [
  taking('input.any', z.object({ payload: z.unknown() }), { payload: 'text' }),
  taking(
    'input.small',
    z.object({ payload: z.unknown() }),
    { payload: 'text' },
    { maxInputBytes: 1_000 },
  ),
  taking('input.kinds', Kinds, {
    name: 'lamp',
    count: 3,
    tags: ['a'],
    where: { city: 'Bonn', zip: '53111' },
  }),
  taking(
    'input.strict',
    z.object({ name: z.string() }),
    { name: 'lamp' },
    { unknownKeys: 'refuse' },
  ),
]

/** Checks more than a schema can. */
export const checked = defineTool({
  id: 'input.checked',
  title: 'Take what makes sense',
  category: 'custom',
  description: 'Makes an item from one day to a later one.',
  input: z.object({ from: z.number(), to: z.number() }),
  output: Made,
  ports: { out: orders },
  contract: { effect: 'writes.order', reversible: true, idempotency: 'caller' },
  examples: [{ name: 'a week', input: { from: 1, to: 7 } }],
  check({ input }) {
    if (input.to <= input.from)
      throw new ToolError('TOOL_INVALID_FIELD_VALUE', 'It would end before it begins.', {
        details: { field: 'to' },
      })
  },
  execute: ({ input, ports, idempotencyKey, signal }) =>
    ports.out.make({ ...input, item: 'span', key: idempotencyKey }, signal),
})
