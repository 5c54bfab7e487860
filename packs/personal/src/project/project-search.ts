import { defineTool } from '@surehand/core'
import { PageCursor } from '@surehand/documents'
import { z } from 'zod'
import { findMatches } from '../match-name.ts'
import { nameKey } from '../name-key.ts'
import { personalData } from '../personal-data.ts'
import { escapeLike } from '../task/find-task.ts'
import { optionalField } from '../task/task.ts'
import { accessibleProjects } from './accessible-projects.ts'
import { cutPage, sortByKey } from './page.ts'
import { PROJECT_COLUMNS, type Project, toProject } from './project.ts'
import { openProjectContext, PROJECT_READ, type ProjectContext } from './project-context.ts'
import { readProjectFacts } from './project-facts.ts'
import { Limit, PROJECT_STATES, ProjectSummary } from './shapes.ts'
import { toSummary } from './summary.ts'

const MOST_WORDS = 8
const COLUMNS = PROJECT_COLUMNS.map((column) => `p.${column}`).join(', ')
const VISIBLE = PROJECT_STATES.filter((state) => state !== 'deleted')

const Output = z.object({
  projects: z.array(ProjectSummary.extend({ description: z.string().optional() })),
  total: z.number().int(),
  matched_by: z
    .enum(['words', 'spelling'])
    .describe('spelling: no project contains these words; these names are similar.'),
  next_cursor: z.string().optional(),
})

export const projectSearch = defineTool({
  id: 'project.search',
  title: 'Search Projects',
  category: 'project_management',
  version: '2.0.0',
  aliases: ['tools.project.search'],
  description:
    'Find projects by words in their name, phase, description or path, including archived and completed ones; misspelt names are found too. Searches your projects and those of which you are a member.',
  input: z.object({
    query: z.string().trim().min(1).max(200).describe('Words that must all occur.'),
    limit: Limit.default(20),
    cursor: PageCursor.optional(),
  }),
  output: Output,
  contract: PROJECT_READ,
  ports: { data: personalData },
  examples: [
    {
      name: 'by a word',
      description: 'Projects about the manager',
      input: { query: 'manager' },
    },
  ],
  async execute(execution): Promise<z.infer<typeof Output>> {
    const { query, limit, cursor } = execution.input
    const context = await openProjectContext(execution, 'project.read')
    const byWords = await searchByWords(query, context)
    const found =
      byWords.length > 0
        ? byWords
        : findMatches(
            query,
            await accessibleProjects(context.read, context.reach, { states: VISIBLE }),
          )
    const keyOf = (project: Project) =>
      `${matchRank(project.nameKey, nameKey(query))} ${project.nameKey}`
    const { items, nextCursor } = cutPage(sortByKey(found, keyOf), { limit, cursor }, keyOf)
    const facts = await readProjectFacts(items, context)
    return {
      projects: items.flatMap((project) => {
        const known = facts.get(project.id)
        return known === undefined
          ? []
          : [
              {
                ...toSummary(project, known, context.person),
                ...optionalField('description', project.description),
              },
            ]
      }),
      total: found.length,
      matched_by: byWords.length > 0 || found.length === 0 ? 'words' : 'spelling',
      ...optionalField('next_cursor', nextCursor),
    }
  },
})

async function searchByWords(
  query: string,
  { read, reach }: ProjectContext,
): Promise<readonly Project[]> {
  const words = nameKey(query).split(' ').slice(0, MOST_WORDS)
  const holds = words.map(() => "p.search_key like ? escape '!'").join(' and ')
  const rows = await read(
    `${reach.sql} select ${COLUMNS} from reached r join pm_projects p on p.tenant = r.tenant and p.id = r.id where ${holds}`,
    ...reach.values,
    ...words.map((word) => `%${escapeLike(word)}%`),
  )
  return rows.map(toProject)
}

// Exact names first, then names that begin with the query, contain it, and then projects that only
// mention it.
function matchRank(key: string, wanted: string): number {
  if (key === wanted) return 0
  if (key.startsWith(wanted)) return 1
  return key.includes(wanted) ? 2 : 3
}
