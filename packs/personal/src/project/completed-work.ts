import type { Person } from '../person.ts'
import type { Project } from './project.ts'
import type { Looking } from './project-facts.ts'
import { latestEntries } from './project-log.ts'
import { TASK_OF_PROJECT } from './reach.ts'

const SELECT_DONE = `select t.id, t.title, t.completed_at from reached r join pm_tasks t on t.tenant = r.tenant and t.project_id = r.id
  where r.id = ? and t.state = 'completed' and ${TASK_OF_PROJECT} order by t.completed_at desc, t.id desc limit ?`

/** What was achieved, as somebody wrote it down or as tasks that are done tell it; the latest first. */
export async function completedWork(
  project: Project,
  { read, reach, person }: Looking & { readonly person: Person },
  limit: number,
): Promise<readonly { readonly text: string; readonly at: number }[]> {
  const [tasks, log] = await Promise.all([
    read(`${reach.sql} ${SELECT_DONE}`, ...reach.values, project.id, limit),
    latestEntries(
      read,
      { tenant: person.tenant, projectId: project.id },
      { kind: 'completed_work', limit },
    ),
  ])
  const done = tasks.map(({ title, completed_at }) => ({
    text: String(title),
    at: Number(completed_at),
  }))
  return [...log.map(({ text, at }) => ({ text, at })), ...done]
    .sort((one, other) => other.at - one.at)
    .slice(0, limit)
}
