import type { Person } from '../person.ts'
import { optionalField } from '../task/task.ts'
import { judgeHealth } from './health.ts'
import { type Project, roleIn } from './project.ts'
import type { ProjectFacts } from './project-facts.ts'
import type { HealthName, ProjectSummary } from './shapes.ts'

/** A project in a list. */
export function toSummary(project: Project, facts: ProjectFacts, person: Person): ProjectSummary {
  return {
    id: project.id,
    name: project.name,
    state: project.state,
    priority: project.priority,
    role: roleIn(project, person),
    ...optionalField('current_phase', project.phase),
    ...optionalField('progress', facts.progress),
    ...optionalField('health', judgeKnownHealth(facts)),
    ...optionalField('target_day', project.targetDay),
    open_tasks: facts.openTasks,
    overdue_tasks: facts.overdueTasks,
    last_updated: new Date(facts.changedAt).toISOString(),
  }
}

/** The health, or undefined when there are no signals. */
export function judgeKnownHealth(facts: ProjectFacts): HealthName | undefined {
  const { level } = judgeHealth(facts)
  return level === 'unknown' ? undefined : level
}
