import { z } from 'zod'
import { optionalField } from '../task/task.ts'
import type { Project } from './project.ts'
import { Priority, Progress, ProjectState } from './shapes.ts'

/** A project in the answer of a write. */
export const ProjectInfo = z.object({
  id: z.string(),
  name: z.string(),
  state: ProjectState,
  priority: Priority,
  description: z.string().optional(),
  path: z.string().optional(),
  current_phase: z.string().optional(),
  progress: Progress.optional().describe(
    'Only when it was set; otherwise it is computed from the tasks.',
  ),
  target_day: z.string().optional(),
  team_members: z.array(z.string()).describe('Its owner first.'),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
})
export type ProjectInfo = z.infer<typeof ProjectInfo>

export function projectInfo(project: Project, members: readonly string[]): ProjectInfo {
  return {
    id: project.id,
    name: project.name,
    state: project.state,
    priority: project.priority,
    ...optionalField('description', project.description),
    ...optionalField('path', project.path),
    ...optionalField('current_phase', project.phase),
    ...optionalField('progress', project.givenProgress),
    ...optionalField('target_day', project.targetDay),
    team_members: [project.owner, ...members],
    created_at: new Date(project.createdAt).toISOString(),
    updated_at: new Date(project.updatedAt).toISOString(),
  }
}
