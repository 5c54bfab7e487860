import { z } from 'zod'

export const Item = z.object({
  item: z.string().describe('What to make; each client asks for its own.'),
  note: z.string().optional().describe('What somebody added who was asked about it.'),
  trap: z.object({ file: z.string(), side: z.enum(['before', 'after']) }).optional(),
})
export const Made = z.object({ receipt: z.string(), item: z.string() })
export type Wanted = z.infer<typeof Item>
