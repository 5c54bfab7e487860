import { z } from 'zod'

/** The record that a judgement is based on: which one, what it says, and when. */
export const Evidence = z.object({
  kind: z
    .enum(['task', 'habit', 'habit_record', 'project', 'project_log', 'deep_work', 'given'])
    .describe('The kind of record; given: stated in the request.'),
  id: z.string().describe('The id by which it can be looked up.'),
  said: z.string().describe('What the record says.'),
  at: z.string().optional().describe('A day or an instant.'),
})
export type Evidence = z.infer<typeof Evidence>
