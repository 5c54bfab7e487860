import { defineTransaction, type Tx } from '@surehand/core'
import { guessProject } from '../find-project.ts'
import { insertTask } from '../keep-task.ts'
import { type Line, readLine } from '../read-line.ts'
import { given, type Task } from '../task.ts'
import { taskView } from '../task-view.ts'
import { hereWhen, type Writing } from '../writing.ts'

export type Capture = { readonly text: string; readonly notes?: string | undefined }

/** The line as it was read before the transaction, in the zone of the sign-in; where the person said another, it is read again. */
type Read = { readonly id: string; readonly read: { readonly zone: string; readonly line: Line } }

/** Writes a thought down before it is lost: what can not be understood is kept as it was said. */
export const captureTask = defineTransaction(
  'task.capture',
  async (tx: Tx, call: Writing<Capture> & Read) => {
    const here = await hereWhen(tx, call)
    const line = here.zone === call.read.zone ? call.read.line : readLine(call.input.text, here)
    const project =
      line.project === undefined
        ? undefined
        : await guessProject(tx.all, call.person, line.project.said)
    const isLost = line.project !== undefined && project === undefined
    const { project: said, recognised, repeats, ...read } = line
    const notes = [read.notes, call.input.notes].filter((text) => text !== undefined).join('\n')
    const task: Task = {
      ...read,
      // a sign that leads nowhere stays in sight
      title: isLost ? `${read.title} ${said?.text}`.slice(0, 400) : read.title,
      id: call.id,
      state: 'inbox',
      deferrals: 0,
      createdAt: here.now,
      updatedAt: here.now,
      ...given('notes', notes === '' ? undefined : notes),
      ...given('project', project),
    }
    await insertTask(tx, call.person, task)
    return {
      task: taskView(task, here),
      recognised: recognised
        .filter(({ kind }) => kind !== 'project' || !isLost)
        .map((one) =>
          one.kind === 'project' && project !== undefined ? { ...one, value: project.name } : one,
        ),
      not_recognised: notRecognised(line, isLost),
      message: `"${task.title}" is in the inbox.`,
    }
  },
)

function notRecognised(
  { project, repeats }: Line,
  isLost: boolean,
): { text: string; reason: string }[] {
  const lost =
    isLost && project !== undefined
      ? [
          {
            text: project.text,
            reason: `No single project is called "${project.said}"; it stays in the title.`,
          },
        ]
      : []
  const repeating =
    repeats === undefined
      ? []
      : [
          {
            text: repeats,
            reason: 'A task is done once: only its first day is kept. What repeats is a habit.',
          },
        ]
  return [...lost, ...repeating]
}
