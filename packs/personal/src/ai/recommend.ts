import { defineTool } from '@surehand/core'
import { dayOf } from '@surehand/dates'
import { z } from 'zod'
import { readDueHabits } from '../habit/due-habits.ts'
import type { Person } from '../person.ts'
import { personalData } from '../personal-data.ts'
import { accessibleProjects } from '../project/accessible-projects.ts'
import { openProjectContext, type ProjectContext } from '../project/project-context.ts'
import { readProjectFacts } from '../project/project-facts.ts'
import type { ReadContext } from '../read-context.ts'
import { contextKey } from '../task/decision.ts'
import { rankNextActions } from '../task/next-actions.ts'
import { LEVELS, optionalField } from '../task/task.ts'
import {
  type Candidate,
  habitCandidate,
  inboxCandidate,
  projectCandidate,
  taskCandidate,
} from './candidates.ts'
import { createDataLoader } from './data-loader.ts'
import { Advice, EXPLAIN_CONTRACT } from './explanation.ts'
import { Factors } from './weigh.ts'

const MOST_OF_A_FAMILY = 50

const Recommendation = Advice.extend({
  rank: z.number().int(),
  family: z.enum(['task', 'habit', 'project', 'inbox']),
  id: z.string(),
  factors: Factors,
  call: z
    .object({ tool: z.string(), input: z.record(z.string(), z.unknown()) })
    .describe('The tool call that carries it out, or that shows more.'),
})

export const recommend = defineTool({
  id: 'ai.recommend',
  title: 'Recommend What To Do Now',
  category: 'ai_explanation',
  version: '2.0.0',
  aliases: ['tools.ai.recommend'],
  description:
    'Recommend what to do now, across tasks, habits, projects and the inbox, the most pressing first, each with its reason and the records behind it. Computed from your own data.',
  input: z.object({
    energy: z.enum(LEVELS).optional().describe('The available energy.'),
    context: z
      .string()
      .trim()
      .min(1)
      .max(100)
      .optional()
      .describe('Where you are, such as "home" or "phone".'),
    minutes: z.number().int().min(1).max(1440).optional().describe('The available minutes.'),
    limit: z.number().int().min(1).max(20).default(5),
  }),
  output: z.object({
    recommendations: z.array(Recommendation),
    considered: z.object({
      tasks: z.number().int(),
      habits: z.number().int(),
      projects: z.number().int(),
      inbox: z.number().int(),
    }),
    message: z.string(),
    context: z.object({
      generated_at: z.iso.datetime(),
      time_zone: z.string(),
      is_partial: z.boolean(),
      missing: z.array(z.string()),
    }),
  }),
  contract: EXPLAIN_CONTRACT,
  ports: { data: personalData },
  examples: [
    {
      name: 'now',
      description: 'With half an hour and little energy',
      input: { minutes: 30, energy: 'low' },
    },
  ],
  async execute(execution) {
    const { energy, context, minutes, limit } = execution.input
    const gather = createDataLoader(execution)
    const projectContext = await gather.required(() => openProjectContext(execution, 'ai.explain'))
    const { read, person, localTime } = projectContext
    const situation = {
      localTime,
      ...optionalField('energy', energy),
      ...optionalField('context', context === undefined ? undefined : contextKey(context)),
      ...optionalField('minutes', minutes),
    }
    const tasks = await gather.optional(
      'tasks',
      () => rankNextActions(projectContext, situation),
      [],
    )
    const habits = await gather.optional(
      'habits',
      () => readDueHabits(read, person, { day: localTime.today, localTime }),
      [],
    )
    const projects = await gather.optional(
      'projects',
      () => readProjectCandidates(projectContext),
      {
        count: 0,
        candidates: [],
      },
    )
    const inbox = await gather.optional('the inbox', () => readInbox(projectContext), {
      count: 0,
      oldest: undefined,
    })
    const candidates = [
      ...tasks.slice(0, MOST_OF_A_FAMILY).map((ranked) => taskCandidate(ranked, localTime)),
      ...habits
        .filter(({ doneOn }) => doneOn === undefined)
        .slice(0, MOST_OF_A_FAMILY)
        .map((due) => habitCandidate(due, localTime, minutes)),
      ...projects.candidates,
      ...[inboxCandidate(inbox)].flatMap((one) => one ?? []),
    ].sort(byScore)
    return {
      recommendations: candidates
        .slice(0, limit)
        .map(({ family, id, advice, factors, call }, index) => ({
          rank: index + 1,
          family,
          id,
          ...advice,
          factors,
          call: { tool: call.tool, input: { ...call.input } },
        })),
      considered: {
        tasks: tasks.length,
        habits: habits.length,
        projects: projects.count,
        inbox: inbox.count,
      },
      message: describeFirst(candidates[0]),
      context: {
        generated_at: new Date(localTime.now).toISOString(),
        time_zone: localTime.zone,
        is_partial: gather.missing.length > 0,
        missing: [...gather.missing],
      },
    }
  },
})

function describeFirst(first: Candidate | undefined): string {
  return first === undefined
    ? 'Nothing to do: no next action, habit, project or inbox item is open.'
    : `${first.advice.action}: ${first.advice.rationale}`
}

function byScore(one: Candidate, other: Candidate): number {
  return other.factors.total_score - one.factors.total_score || (one.id < other.id ? -1 : 1)
}

// Only the person's own projects: those of others are looked after by their owners.
async function readProjectCandidates(
  context: ProjectContext & { readonly person: Person },
): Promise<{ readonly count: number; readonly candidates: readonly Candidate[] }> {
  const projects = await accessibleProjects(context.read, context.reach, {
    states: ['active'],
  })
  const own = projects.filter(({ owner }) => owner === context.person.owner)
  const facts = await readProjectFacts(own, context)
  const candidates = own.flatMap((project) => {
    const known = facts.get(project.id)
    return known === undefined ? [] : (projectCandidate(project, known) ?? [])
  })
  return { count: own.length, candidates }
}

const COUNT_INBOX =
  "select count(*) as n from pm_tasks where tenant = ? and owner = ? and state = 'inbox'"
const SELECT_OLDEST =
  "select id, title, created_at from pm_tasks where tenant = ? and owner = ? and state = 'inbox' order by created_at, id limit 1"

async function readInbox({ read, person, localTime }: ReadContext) {
  const [counted] = await read(COUNT_INBOX, person.tenant, person.owner)
  const [row] = await read(SELECT_OLDEST, person.tenant, person.owner)
  const oldest =
    row === undefined
      ? undefined
      : {
          kind: 'task' as const,
          id: String(row.id),
          said: `"${String(row.title)}"`,
          at: dayOf(Number(row.created_at), localTime.zone),
        }
  return { count: Number(counted?.n ?? 0), oldest }
}
