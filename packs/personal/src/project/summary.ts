import type { Person } from '../person.ts'
import { given } from '../task/task.ts'
import { healthOf } from './health.ts'
import { type Project, roleIn } from './project.ts'
import type { ProjectFacts } from './project-facts.ts'
import type { HealthName, ProjectSummary } from './shapes.ts'

/** A project as lists show it. */
export function summaryOf(project: Project, facts: ProjectFacts, person: Person): ProjectSummary {
  return {
    id: project.id,
    name: project.name,
    state: project.state,
    priority: project.priority,
    role: roleIn(project, person),
    ...given('current_phase', project.phase),
    ...given('progress', facts.progress),
    ...given('health', knownHealth(facts)),
    ...given('target_day', project.targetDay),
    open_tasks: facts.openTasks,
    overdue_tasks: facts.overdueTasks,
    last_updated: new Date(facts.changedAt).toISOString(),
  }
}

/** Without signals nobody knows, and nothing is said. */
export function knownHealth(facts: ProjectFacts): HealthName | undefined {
  const { level } = healthOf(facts)
  return level === 'unknown' ? undefined : level
}
