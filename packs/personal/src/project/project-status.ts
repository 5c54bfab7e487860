import { defineTool } from '@surehand/core'
import { atTime, instantText } from '@surehand/dates'
import { Rfc3339DateTime } from '@surehand/documents'
import { z } from 'zod'
import type { Person } from '../person.ts'
import { personalData } from '../personal-data.ts'
import { optionalField } from '../task/task.ts'
import { computeRisks } from './computed-risks.ts'
import { findProject } from './find-project.ts'
import { rankProjectActions } from './next-actions.ts'
import type { Project } from './project.ts'
import { openProjectContext, PROJECT_READ, type ProjectContext } from './project-context.ts'
import { readProjectEvidence } from './project-evidence.ts'
import { readProjectFacts } from './project-facts.ts'
import { latestEntries } from './project-log.ts'
import { TASK_OF_PROJECT } from './reach.ts'
import { HealthName, Priority } from './shapes.ts'
import { readMembers } from './store-project.ts'
import { judgeKnownHealth } from './summary.ts'

const MOST_LINES = 20
const LAST_MINUTE = '23:59'

const Output = z.object({
  basic_info: z.object({
    name: z.string(),
    path: z.string().optional(),
    description: z.string().optional(),
    current_phase: z.string().optional(),
    team_members: z.array(z.string()).optional(),
    target_completion: Rfc3339DateTime.optional(),
  }),
  status_metrics: z.object({
    progress: z.number().min(0).max(100).optional(),
    health: HealthName.optional(),
    priority: Priority.optional(),
    last_updated: Rfc3339DateTime.optional(),
  }),
  completed_work: z.array(z.string()).optional(),
  next_actions: z.array(z.string()).optional(),
  risks: z.array(z.string()).optional(),
})

/** The example of document 004: every field, bound and word. */
export const projectStatus = defineTool({
  id: 'project.status',
  title: 'Get Project Status',
  category: 'project_management',
  version: '2.0.0',
  author: 'PersonalManager Core Team',
  aliases: ['tools.project.status'],
  description: 'Retrieve detailed status information for a specific project',
  detailedDescription:
    'Progress is what somebody said, else the share of tasks that are done. Health comes from overdue tasks, obstacles, risks, the target day and how long nothing happened; where nothing tells it, it is left out.',
  input: z.object({
    project_name: z.string().min(1).describe('Name or partial name of the project'),
  }),
  output: Output,
  errors: {
    TOOL_RESOURCE_NOT_FOUND: z.object({
      searched_name: z.string(),
      available_projects: z.array(z.string()),
    }),
  },
  contract: PROJECT_READ,
  ports: { data: personalData },
  examples: [
    {
      name: 'exact_project_name',
      description: 'Get status using exact project name',
      input: { project_name: 'PersonalManager' },
    },
  ],
  outputExamples: [
    {
      name: 'project_under_way',
      scenario: 'The project was found',
      data: {
        basic_info: {
          name: 'PersonalManager',
          current_phase: 'beta',
          team_members: ['ann'],
          target_completion: '2026-05-01T23:59:00+02:00',
        },
        status_metrics: {
          progress: 62.5,
          health: 'good',
          priority: 'high',
          last_updated: '2026-01-15T08:30:00Z',
        },
        completed_work: ['Import of old notes works'],
        next_actions: ['Write the release notes'],
        risks: ['The only tester is away in March (high)'],
      },
    },
  ],
  sideEffects: [
    { type: 'read', description: 'Reads project files and status information', reversible: false },
  ],
  async execute(execution) {
    const context = await openProjectContext(execution, 'project.read')
    const { read, person, localTime } = context
    const project = await findProject(execution.input.project_name, context)
    const facts = (await readProjectFacts([project], context)).get(project.id)
    if (facts === undefined) throw new TypeError(`The facts of project ${project.id} are missing.`)
    const [members, evidence, next, done] = await Promise.all([
      readMembers(read, person.tenant, project.id),
      readProjectEvidence(project, facts, context),
      rankProjectActions(context, project.id),
      readCompletedWork(project, context, MOST_LINES),
    ])
    return {
      basic_info: {
        name: project.name,
        ...optionalField('path', project.path),
        ...optionalField('description', project.description),
        ...optionalField('current_phase', project.phase),
        team_members: [project.owner, ...members],
        ...optionalField(
          'target_completion',
          project.targetDay &&
            instantText(atTime(project.targetDay, LAST_MINUTE, localTime.zone), localTime.zone),
        ),
      },
      status_metrics: {
        ...optionalField('progress', facts.progress),
        ...optionalField('health', judgeKnownHealth(facts)),
        priority: project.priority,
        last_updated: new Date(facts.changedAt).toISOString(),
      },
      completed_work: done.map(({ text }) => text),
      next_actions: next.actions.slice(0, MOST_LINES).map(({ task }) => task.title),
      risks: [
        ...evidence.openRisks.map(({ text, severity }) => `${text} (${severity ?? 'medium'})`),
        ...evidence.openBlocks.map(({ text }) => `Obstacle: ${text}`),
        ...computeRisks(facts, evidence).map(({ text }) => text),
      ].slice(0, MOST_LINES),
    }
  },
})

const SELECT_DONE = `select t.id, t.title, t.completed_at from reached r join pm_tasks t on t.tenant = r.tenant and t.project_id = r.id
  where r.id = ? and t.state = 'completed' and ${TASK_OF_PROJECT} order by t.completed_at desc, t.id desc limit ?`

/** Completed work, from the log and from completed tasks, the latest first. */
async function readCompletedWork(
  project: Project,
  { read, reach, person }: ProjectContext & { readonly person: Person },
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
