import { z } from 'zod'

/** The record that a judgement is based on: which one, what it says, and when. */
export const Evidence = z.object({
  kind: z
    .enum(['task', 'habit', 'habit_record', 'project', 'project_log', 'deep_work', 'given'])
    .describe('What kind of record it is; given: said in the question.'),
  id: z.string().describe('By which it can be looked up again.'),
  said: z.string().describe('What the record says.'),
  at: z.string().optional().describe('When: a day or a moment.'),
})
export type Evidence = z.infer<typeof Evidence>
