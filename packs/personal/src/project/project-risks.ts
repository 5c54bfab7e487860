import { defineTool } from '@surehand/core'
import { PageCursor } from '@surehand/documents'
import { z } from 'zod'
import type { Person } from '../person.ts'
import { personalData } from '../personal-data.ts'
import { optionalField } from '../task/task.ts'
import { accessibleProjects } from './accessible-projects.ts'
import { computeRisks, Risk } from './computed-risks.ts'
import { findProject } from './find-project.ts'
import { cutPage, sortByKey } from './page.ts'
import type { Project } from './project.ts'
import { openProjectContext, PROJECT_READ, type ProjectContext } from './project-context.ts'
import { logEvidence, readProjectEvidence } from './project-evidence.ts'
import { type ProjectFacts, readProjectFacts } from './project-facts.ts'
import { HealthName, ProjectNamed, SEVERITIES, Severity } from './shapes.ts'
import { judgeKnownHealth } from './summary.ts'

export const projectRisks = defineTool({
  id: 'project.risks',
  title: 'Risks of Projects',
  category: 'project_management',
  version: '2.0.0',
  aliases: ['tools.project.risks'],
  description:
    'List the risks of a project, or of all active projects: recorded risks, and risks that follow from the data (overdue tasks, obstacles, a target that will be missed, inactivity, long waits), each with its evidence.',
  input: z.object({
    project_name: ProjectNamed.optional(),
    least_severity: Severity.default('low'),
    limit: z.number().int().min(1).max(50).default(20).describe('How many projects per page.'),
    cursor: PageCursor.optional(),
  }),
  output: z.object({
    projects: z.array(
      z.object({
        project: z.string(),
        project_id: z.string(),
        health: HealthName.optional(),
        risks: z.array(Risk),
      }),
    ),
    total: z.number().int().describe('The number of projects examined.'),
    next_cursor: z.string().optional(),
  }),
  contract: PROJECT_READ,
  ports: { data: personalData },
  examples: [
    {
      name: 'of one project',
      description: 'The risks of one project',
      input: { project_name: 'PersonalManager' },
    },
  ],
  async execute(execution) {
    const { project_name, least_severity, limit, cursor } = execution.input
    const context = await openProjectContext(execution, 'project.read')
    const projects =
      project_name === undefined
        ? await accessibleProjects(context.read, context.reach, { states: ['active', 'on_hold'] })
        : [await findProject(project_name, context)]
    const { items, nextCursor } = cutPage(sortByKey(projects, keyOf), { limit, cursor }, keyOf)
    const facts = await readProjectFacts(items, context)
    const found = await Promise.all(
      items.map((project) => readRisks(project, facts.get(project.id), context)),
    )
    return {
      projects: found.map(({ risks, ...project }) => ({
        ...project,
        risks: filterBySeverity(risks, least_severity),
      })),
      total: projects.length,
      ...optionalField('next_cursor', nextCursor),
    }
  },
})

function keyOf({ nameKey }: Project): string {
  return nameKey
}

function filterBySeverity(risks: readonly Risk[], least: Severity): Risk[] {
  return risks
    .filter(({ severity }) => SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(least))
    .sort((one, other) => SEVERITIES.indexOf(one.severity) - SEVERITIES.indexOf(other.severity))
}

async function readRisks(
  project: Project,
  facts: ProjectFacts | undefined,
  context: ProjectContext & { readonly person: Person },
) {
  if (facts === undefined) throw new TypeError(`The facts of project ${project.id} are missing.`)
  const evidence = await readProjectEvidence(project, facts, context)
  const recorded = evidence.openRisks.map((entry): Risk => {
    const { text, severity = 'medium' } = entry
    return {
      text,
      severity,
      source: 'recorded',
      evidence: [logEvidence(entry, context.localTime.zone)],
    }
  })
  return {
    project: project.name,
    project_id: project.id,
    ...optionalField('health', judgeKnownHealth(facts)),
    risks: [...recorded, ...computeRisks(facts, evidence)],
  }
}
