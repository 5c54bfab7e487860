import { z } from 'zod'

export const Item = z.object({
  item: z.string().describe('The item to make; each client has its own.'),
  note: z.string().optional().describe('A note that an operator has added.'),
  trap: z.object({ file: z.string(), side: z.enum(['before', 'after']) }).optional(),
})
export const Made = z.object({ receipt: z.string(), item: z.string() })
export type Wanted = z.infer<typeof Item>
