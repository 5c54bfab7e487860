import { z } from 'zod'
import { findHabit, readRun } from '../habit/habit.ts'
import { currentStreak } from '../habit/streak.ts'
import type { Person } from '../person.ts'
import { findProject } from '../project/find-project.ts'
import { judgeHealth } from '../project/health.ts'
import type { ProjectContext } from '../project/project-context.ts'
import { readProjectFacts } from '../project/project-facts.ts'
import type { Priority } from '../project/shapes.ts'
import { dueDay } from '../task/due.ts'
import { findTask } from '../task/find-task.ts'
import { scoreTask, summarizeReasons } from '../task/score-task.ts'
import type { Evidence } from './evidence.ts'
import { findSubject } from './explain-error.ts'

export const Link = z.object({
  kind: z.enum(['task', 'project', 'habit']),
  name: z.string().trim().min(1).max(500).describe('Its name, a part of it, or its id.'),
})
export type Link = z.infer<typeof Link>

/** How much a record demands attention, 0 to 10, and the record as evidence. */
export type Demand = { readonly raw: number; readonly evidence: Evidence }

const IMPORTANT: Readonly<Record<Priority, number>> = { high: 10, medium: 6, low: 3 }
const UNKNOWN_HEALTH = 5
const FIRM_STREAK = 21

/**
 * A task counts by its score, a project by its priority and its bad health, a habit by the streak
 * that would be lost.
 */
export async function readDemand(
  { kind, name }: Link,
  context: ProjectContext & { readonly person: Person },
): Promise<Demand> {
  const { read, person, localTime } = context
  switch (kind) {
    case 'task': {
      const task = await findSubject(findTask(read, person, name))
      const score = scoreTask(task, { localTime })
      return {
        raw: score.total_score,
        evidence: {
          kind,
          id: task.id,
          said: `"${task.title}": ${summarizeReasons(score)}`,
          ...(task.due === undefined ? {} : { at: dueDay(task.due, localTime.zone) }),
        },
      }
    }
    case 'project': {
      const project = await findSubject(findProject(name, context))
      const facts = (await readProjectFacts([project], context)).get(project.id)
      const health = facts === undefined ? undefined : judgeHealth(facts)
      const ill =
        health === undefined || health.level === 'unknown'
          ? UNKNOWN_HEALTH
          : 10 - health.factors.total_score
      const said = `"${project.name}": priority ${project.priority}, health ${health?.level ?? 'unknown'}`
      return {
        raw: (IMPORTANT[project.priority] + ill) / 2,
        evidence: { kind, id: project.id, said, at: localTime.today },
      }
    }
    case 'habit': {
      const habit = await findSubject(findHabit(read, person, { query: name }))
      const streak = currentStreak(
        await readRun(read, person, habit),
        { day: localTime.today, zone: localTime.zone },
        habit.frequency,
      )
      return {
        raw: Math.min(10, (10 * streak) / FIRM_STREAK),
        evidence: {
          kind,
          id: habit.id,
          said: `"${habit.name}": a streak of ${streak}`,
          at: localTime.today,
        },
      }
    }
  }
}
