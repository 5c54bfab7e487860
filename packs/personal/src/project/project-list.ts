import { defineTool } from '@surehand/core'
import { PageCursor } from '@surehand/documents'
import { z } from 'zod'
import { personalData } from '../personal-data.ts'
import { optionalField } from '../task/task.ts'
import { accessibleProjects } from './accessible-projects.ts'
import { cutPage, sortByKey } from './page.ts'
import type { Project } from './project.ts'
import { openProjectContext, PROJECT_READ } from './project-context.ts'
import { type ProjectFacts, readProjectFacts } from './project-facts.ts'
import { HEALTHS, Limit, PRIORITIES, ProjectState, ProjectSummary } from './shapes.ts'
import { judgeKnownHealth, toSummary } from './summary.ts'

const SORTS = ['health', 'priority', 'name', 'progress'] as const
type Sort = (typeof SORTS)[number]

export const projectList = defineTool({
  id: 'project.list',
  title: 'List Projects',
  category: 'project_management',
  version: '2.0.0',
  aliases: ['tools.project.list'],
  description:
    'List your projects and those of which you are a member, with progress, health and task counts. Sorted by health, the worst come first; by progress, the furthest.',
  input: z.object({
    sort: z.enum(SORTS).default('priority'),
    states: z
      .array(ProjectState.exclude(['deleted']))
      .min(1)
      .max(4)
      .default(['active', 'on_hold']),
    limit: Limit.default(50),
    cursor: PageCursor.optional(),
  }),
  output: z.object({
    projects: z.array(ProjectSummary),
    total: z.number().int(),
    next_cursor: z.string().optional(),
  }),
  contract: PROJECT_READ,
  ports: { data: personalData },
  examples: [
    {
      name: 'what needs me',
      description: 'The least healthy first',
      input: { sort: 'health', limit: 20 },
    },
  ],
  async execute(execution) {
    const { sort, states, limit, cursor } = execution.input
    const context = await openProjectContext(execution, 'project.read')
    const projects = await accessibleProjects(context.read, context.reach, { states })
    // When sorted by name or priority, only the projects of the page are counted.
    const counted =
      sort === 'health' || sort === 'progress'
        ? await readProjectFacts(projects, context)
        : new Map<string, ProjectFacts>()
    const keyOf = (project: Project) => sortKey(project, counted.get(project.id), sort)
    const { items, nextCursor } = cutPage(sortByKey(projects, keyOf), { limit, cursor }, keyOf)
    const facts = counted.size > 0 ? counted : await readProjectFacts(items, context)
    const summaries = items.flatMap((project) => {
      const known = facts.get(project.id)
      return known === undefined ? [] : [toSummary(project, known, context.person)]
    })
    return {
      projects: summaries,
      total: projects.length,
      ...optionalField('next_cursor', nextCursor),
    }
  },
})

// Projects without a known value sort last.
function sortKey(
  { nameKey, priority }: Project,
  facts: ProjectFacts | undefined,
  sort: Sort,
): string {
  switch (sort) {
    case 'name':
      return nameKey
    case 'priority':
      return `${PRIORITIES.indexOf(priority)} ${nameKey}`
    case 'health': {
      const health = facts === undefined ? undefined : judgeKnownHealth(facts)
      return `${health === undefined ? HEALTHS.length : HEALTHS.length - 1 - HEALTHS.indexOf(health)} ${nameKey}`
    }
    case 'progress':
      return `${facts?.progress === undefined ? 'none' : String(100_000 - Math.round(facts.progress * 100)).padStart(6, '0')} ${nameKey}`
  }
}
