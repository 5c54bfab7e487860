import { safeLine } from '@surehand/cli'
import type { Listed } from './last-list.ts'
import { dataOf, tell, type Use } from './use.ts'

/** Ticks things off: tasks are completed, habits recorded for the day. Each is told by its name. */
export async function finish(use: Use, chosen: readonly Listed[]): Promise<number> {
  const on = use.flags.get('on')
  const done: unknown[] = []
  const lines: string[] = []
  for (const { kind, id, name } of chosen) {
    if (kind === 'project') {
      lines.push(
        `"${safeLine(name)}" is a project: surehand pm projects shows it; "surehand call project.update" closes it.`,
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
    const data = await dataOf<{ readonly message: string }>(use, tool, input)
    done.push(data)
    lines.push(safeLine(data.message))
  }
  return tell(use, done, lines)
}
