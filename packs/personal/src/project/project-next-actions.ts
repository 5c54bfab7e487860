import { defineTool } from '@surehand/core'
import { PageCursor } from '@surehand/documents'
import { z } from 'zod'
import { personalData } from '../personal-data.ts'
import { isOverdue } from '../task/due.ts'
import { summarizeReasons } from '../task/score-task.ts'
import { optionalField } from '../task/task.ts'
import { accessibleProjects } from './accessible-projects.ts'
import { findProject } from './find-project.ts'
import { type NextAction, rankProjectActions } from './next-actions.ts'
import { cutPage, sortByKey } from './page.ts'
import { openProjectContext, PROJECT_READ, type ProjectContext } from './project-context.ts'
import { readProjectFacts } from './project-facts.ts'
import { Limit, Priority, ProjectNamed } from './shapes.ts'

const MOST_NAMED = 20

const Action = z.object({
  task_id: z.string(),
  title: z.string(),
  project: z.string(),
  owner: z.string().describe('Whose task it is.'),
  priority: Priority.optional(),
  due_day: z.string().optional(),
  overdue: z.boolean(),
  score: z
    .number()
    .min(0)
    .max(10)
    .describe('How pressing it is now; ai.explain_task_recommendation explains why.'),
  reason: z.string(),
})

export const projectNextActions = defineTool({
  id: 'project.next_actions',
  title: 'Next Actions of Projects',
  category: 'project_management',
  version: '2.0.0',
  aliases: ['tools.project.next_actions'],
  description:
    'List the next actions of a project, or of all active projects, the most pressing first, each with its reason. Also names the active projects that have no next action and so do not progress.',
  input: z.object({
    project_name: ProjectNamed.optional(),
    limit: Limit.default(20),
    cursor: PageCursor.optional(),
  }),
  output: z.object({
    next_actions: z.array(Action),
    total: z.number().int(),
    is_cut: z
      .boolean()
      .describe('There are too many to score at once; those due first were scored.'),
    without_next_action: z.array(z.string()).describe('Active projects without a next action.'),
    next_cursor: z.string().optional(),
  }),
  contract: PROJECT_READ,
  ports: { data: personalData },
  examples: [
    {
      name: 'of one project',
      description: 'What to do next for one project',
      input: { project_name: 'PersonalManager' },
    },
    { name: 'of all', description: 'What to do next in any project', input: { limit: 10 } },
  ],
  async execute(execution) {
    const { project_name, limit, cursor } = execution.input
    const context = await openProjectContext(execution, 'project.read')
    const project =
      project_name === undefined ? undefined : await findProject(project_name, context)
    const { actions, isCut } = await rankProjectActions(context, project?.id)
    const { items, nextCursor } = cutPage(sortByKey(actions, keyOf), { limit, cursor }, keyOf)
    return {
      next_actions: items.map(({ task, score, owner }) => ({
        task_id: task.id,
        title: task.title,
        project: task.project?.name ?? '',
        owner,
        ...optionalField('priority', task.priority),
        ...optionalField('due_day', task.due?.day),
        overdue: isOverdue(task.due, context.localTime),
        score: score.total_score,
        reason: summarizeReasons(score),
      })),
      total: actions.length,
      is_cut: isCut,
      without_next_action: await findStuckProjects(context, project?.id),
      ...optionalField('next_cursor', nextCursor),
    }
  },
})

// The highest score first, as texts of equal length.
function keyOf({ score }: NextAction): string {
  return String(100_000 - Math.round(score.total_score * 1000)).padStart(6, '0')
}

async function findStuckProjects(
  context: ProjectContext,
  projectId: string | undefined,
): Promise<string[]> {
  const active = await accessibleProjects(context.read, context.reach, { states: ['active'] })
  const projects = projectId === undefined ? active : active.filter(({ id }) => id === projectId)
  const facts = await readProjectFacts(projects, context)
  return projects
    .filter(({ id }) => facts.get(id)?.nextActions === 0)
    .slice(0, MOST_NAMED)
    .map(({ name }) => name)
}
