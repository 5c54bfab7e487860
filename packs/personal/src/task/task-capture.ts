import { defineTool, transact } from '@surehand/core'
import { z } from 'zod'
import { signInHere } from './read-ahead.ts'
import { readLine } from './read-line.ts'
import { taskWrite } from './task-contract.ts'
import { NotesField } from './task-fields.ts'
import { TaskView } from './task-view.ts'
import { type Capture, captureTask } from './writes/capture-task.ts'
import { type Acting, writing } from './writing.ts'

export const taskCapture = defineTool({
  id: 'task.capture',
  title: 'Capture a task',
  category: 'task_management',
  description:
    'Write a thought or a task down into the inbox, in one line. Dates in words (English, German, French, Spanish) become the due date in the person’s time zone; #tag, @context, !high, +Project and ~15m are understood. Pass on what the person said; the answer tells what was recognised.',
  version: '2.0.0',
  aliases: ['tools.task.capture'],
  input: z.object({
    text: z
      .string()
      .trim()
      .min(1)
      .max(2000)
      .describe(
        'What was said: "call Bob tomorrow 5pm #errands !high @phone +Garden ~15m". Further lines become notes.',
      ),
    notes: NotesField.optional(),
  }),
  output: z.object({
    task: TaskView,
    recognised: z.array(
      z.object({
        kind: z.enum(['due', 'tag', 'context', 'priority', 'project', 'minutes']),
        text: z.string().describe('The words it was read from.'),
        value: z.string(),
      }),
    ),
    not_recognised: z.array(z.object({ text: z.string(), reason: z.string() })),
    message: z.string(),
  }),
  contract: {
    ...taskWrite,
    limits: [
      { calls: 60, per: '1m' },
      { calls: 1000, per: '1h' },
    ],
  },
  examples: [
    { name: 'one line', input: { text: 'Call Bob tomorrow 5pm #errands !high @phone ~15m' } },
    {
      name: 'with notes',
      input: { text: 'Renew the passport', notes: 'The office is open on Tuesdays.' },
    },
  ],
  transaction: transact(captureTask, (execution: Acting<Capture>) => {
    const call = writing(execution, 'task.write')
    const here = signInHere(call.caller, call.now)
    return {
      ...call,
      id: execution.newId('tsk'),
      read: { zone: here.zone, line: readLine(call.input.text, here) },
    }
  }),
})
