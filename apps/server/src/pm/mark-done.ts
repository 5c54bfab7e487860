import { safeLine } from '@surehand/cli'
import type { ListedItem } from './last-list.ts'
import { callForData, type PmContext, printResult } from './pm-context.ts'

/** Completes tasks and records habits, and prints one line for each. */
export async function markDone(context: PmContext, chosen: readonly ListedItem[]): Promise<number> {
  const on = context.flags.get('on')
  const done: unknown[] = []
  const lines: string[] = []
  for (const { kind, id, name } of chosen) {
    if (kind === 'project') {
      lines.push(
        `"${safeLine(name)}" is a project. Show it with "surehand pm projects", and close it with "surehand call project.update".`,
      )
      continue
    }
    const [tool, input] =
      kind === 'task'
        ? (['task.complete', { task: id }] as const)
        : ([
            'habit.record_completion',
            { habit_name: id, ...(on === undefined ? {} : { date: on }) },
          ] as const)
    const data = await callForData<{ readonly message: string }>(context, tool, input)
    done.push(data)
    lines.push(safeLine(data.message))
  }
  return printResult(context, done, lines)
}
