import { defineTool, transact } from '@surehand/core'
import { Rfc3339DateTime } from '@surehand/documents'
import { z } from 'zod'
import { type Acting, writing } from '../task/writing.ts'
import { SessionView } from './session.ts'
import { ownRights, timeWrite } from './time-contract.ts'
import { type Stop, stopDeepWork } from './writes/stop-deep-work.ts'

export const deepWorkStop = defineTool({
  id: 'time.deep_work_stop',
  title: 'Stop deep work',
  category: 'time_management',
  description:
    'End the session of deep work that is under way. Where the person forgot to stop it, say when it really ended.',
  version: '2.0.0',
  aliases: ['tools.time.deep_work_stop'],
  input: z.object({
    focus: z.int().min(1).max(5).optional().describe('How well it went: 1 scattered, 5 absorbed.'),
    interruptions: z.int().min(0).max(100).optional(),
    note: z.string().trim().min(1).max(1000).optional(),
    ended_at: Rfc3339DateTime.optional().describe('When it ended, if that was earlier than now.'),
  }),
  output: z.object({ session: SessionView, message: z.string() }),
  contract: { ...timeWrite, permissions: ownRights('time.write') },
  examples: [
    { name: 'it went well', input: { focus: 4, interruptions: 1 } },
    { name: 'just stop', input: {} },
  ],
  transaction: transact(stopDeepWork, (execution: Acting<Stop>) =>
    writing(execution, 'time.write'),
  ),
})
