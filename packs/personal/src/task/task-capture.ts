import { defineTool, defineTransaction, type Tx, transact } from '@surehand/core'
import { z } from 'zod'
import type { WriteExecution } from '../person.ts'
import { guessProject } from './find-project.ts'
import { type Line, readLine } from './read-line.ts'
import { insertTask } from './store-task.ts'
import { optionalField, type Task } from './task.ts'
import { taskWrite } from './task-contract.ts'
import { NotesField } from './task-fields.ts'
import { TaskView, taskView } from './task-view.ts'
import {
  buildWriteRequest,
  credentialLocalTime,
  readRequestTime,
  type WriteRequest,
} from './write-request.ts'

type Capture = { readonly text: string; readonly notes?: string | undefined }

/**
 * The line as parsed before the transaction, in the zone of the credential. It is parsed again when
 * the person has set another zone.
 */
type CaptureArgs = {
  readonly id: string
  readonly read: { readonly zone: string; readonly line: Line }
}

/** Captures a line of text as a task in the inbox. What is not recognised stays in the title. */
const captureTask = defineTransaction(
  'task.capture',
  async (tx: Tx, call: WriteRequest<Capture> & CaptureArgs) => {
    const localTime = await readRequestTime(tx, call)
    const line =
      localTime.zone === call.read.zone ? call.read.line : readLine(call.input.text, localTime)
    const project =
      line.project === undefined
        ? undefined
        : await guessProject(tx.all, call.person, line.project.name)
    const isLost = line.project !== undefined && project === undefined
    const { project: hint, recognised, repeats, ...read } = line
    const notes = [read.notes, call.input.notes].filter((text) => text !== undefined).join('\n')
    const task: Task = {
      ...read,
      // A project hint without a match stays in the title.
      title: isLost ? `${read.title} ${hint?.text}`.slice(0, 400) : read.title,
      id: call.id,
      state: 'inbox',
      deferrals: 0,
      createdAt: localTime.now,
      updatedAt: localTime.now,
      ...optionalField('notes', notes === '' ? undefined : notes),
      ...optionalField('project', project),
    }
    await insertTask(tx, call.person, task)
    return {
      task: taskView(task, localTime),
      recognised: recognised
        .filter(({ kind }) => kind !== 'project' || !isLost)
        .map((one) =>
          one.kind === 'project' && project !== undefined ? { ...one, value: project.name } : one,
        ),
      not_recognised: listNotRecognised(line, isLost),
      message: `"${task.title}" is in the inbox.`,
    }
  },
)

function listNotRecognised(
  { project, repeats }: Line,
  isLost: boolean,
): { text: string; reason: string }[] {
  const lost =
    isLost && project !== undefined
      ? [
          {
            text: project.text,
            reason: `No single project is called "${project.name}", so the hint stays in the title.`,
          },
        ]
      : []
  const repeating =
    repeats === undefined
      ? []
      : [
          {
            text: repeats,
            reason:
              'A task is done once, so only the first date is used. For something that repeats, create a habit.',
          },
        ]
  return [...lost, ...repeating]
}

export const taskCapture = defineTool({
  id: 'task.capture',
  title: 'Capture a task',
  category: 'task_management',
  description:
    'Capture a thought or a task into the inbox, in one line. Dates in words (English, German, French, Spanish) become the due date in the person’s time zone; #tag, @context, !high, +Project and ~15m are recognised. Pass on the person’s words; the answer lists what was recognised.',
  version: '2.0.0',
  aliases: ['tools.task.capture'],
  input: z.object({
    text: z
      .string()
      .trim()
      .min(1)
      .max(2000)
      .describe(
        'The person’s words: "call Bob tomorrow 5pm #errands !high @phone +Garden ~15m". Further lines become notes.',
      ),
    notes: NotesField.optional(),
  }),
  output: z.object({
    task: TaskView,
    recognised: z.array(
      z.object({
        kind: z.enum(['due', 'tag', 'context', 'priority', 'project', 'minutes']),
        text: z.string().describe('The words from which it was read.'),
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
  transaction: transact(captureTask, (execution: WriteExecution<Capture>) => {
    const call = buildWriteRequest(execution, 'task.write')
    const localTime = credentialLocalTime(call.caller, call.now)
    return {
      ...call,
      id: execution.newId('tsk'),
      read: { zone: localTime.zone, line: readLine(call.input.text, localTime) },
    }
  }),
})
