import { daysBetween } from '@surehand/dates'
import { z } from 'zod'
import { Evidence } from '../ai/evidence.ts'
import { judgeHealth } from './health.ts'
import type { ProjectEvidence } from './project-evidence.ts'
import type { ProjectFacts } from './project-facts.ts'
import { Severity } from './shapes.ts'

export const Risk = z.object({
  text: z.string(),
  severity: Severity,
  source: z
    .enum(['recorded', 'computed'])
    .describe('recorded: written down by a person; computed: follows from the data.'),
  evidence: z.array(Evidence),
})
export type Risk = z.infer<typeof Risk>

const MANY_OVERDUE = 3
const LONG_BLOCK_DAYS = 7
const QUIET_DAYS = 14
const DEAD_DAYS = 30

/**
 * The risks of a project that follow from its own data. Without evidence only the counts are given.
 */
export function computeRisks(
  facts: ProjectFacts,
  evidence?: Pick<ProjectEvidence, 'signals' | 'waiting'>,
): readonly Risk[] {
  if (facts.state !== 'active') return []
  const found = [
    overdueRisk(facts),
    blockedRisk(facts),
    lateRisk(facts),
    inactivityRisk(facts),
    noNextActionRisk(facts),
  ]
  const waiting = evidence?.waiting ?? []
  const risks = found.flatMap((risk) => (risk === undefined ? [] : [risk]))
  return [
    ...risks.map(
      ({ text, severity, signal }): Risk => ({
        text,
        severity,
        source: 'computed',
        evidence: [...(evidence?.signals[signal] ?? [])],
      }),
    ),
    ...waiting.map(
      (one): Risk => ({
        text: `${one.said} since ${one.at}`,
        severity: 'medium',
        source: 'computed',
        evidence: [one],
      }),
    ),
  ]
}

type Found = {
  readonly text: string
  readonly severity: Severity
  readonly signal: 'overdue' | 'blocked' | 'schedule' | 'activity'
}

function overdueRisk({ overdueTasks }: ProjectFacts): Found | undefined {
  if (overdueTasks === 0) return undefined
  const text = overdueTasks === 1 ? 'One task is overdue' : `${overdueTasks} tasks are overdue`
  return { text, severity: overdueTasks >= MANY_OVERDUE ? 'high' : 'medium', signal: 'overdue' }
}

function blockedRisk({ openBlocks, oldestBlockDay, today }: ProjectFacts): Found | undefined {
  if (openBlocks === 0 || oldestBlockDay === undefined) return undefined
  const text = `${openBlocks === 1 ? 'One obstacle has' : `${openBlocks} obstacles have`} been open since ${oldestBlockDay}`
  return {
    text,
    severity: daysBetween(oldestBlockDay, today) >= LONG_BLOCK_DAYS ? 'high' : 'medium',
    signal: 'blocked',
  }
}

function lateRisk(facts: ProjectFacts): Found | undefined {
  const schedule = judgeHealth(facts).factors.factors.find(({ id }) => id === 'schedule')
  if (schedule === undefined || schedule.raw_score > 7 || facts.targetDay === undefined)
    return undefined
  const severity = schedule.raw_score <= 3 ? 'high' : 'medium'
  const done = `${facts.progress ?? 0} % done`
  const text =
    facts.targetDay < facts.today
      ? `Its target day ${facts.targetDay} has passed with ${done}`
      : `Behind schedule: ${done}, to be finished on ${facts.targetDay}`
  return { text, severity, signal: 'schedule' }
}

function inactivityRisk({ lastActivityDay, createdOn, today }: ProjectFacts): Found | undefined {
  const idle = daysBetween(lastActivityDay ?? createdOn, today)
  if (idle < QUIET_DAYS) return undefined
  return {
    text: `Nothing happened for ${idle} days`,
    severity: idle >= DEAD_DAYS ? 'high' : 'medium',
    signal: 'activity',
  }
}

function noNextActionRisk({ openTasks, nextActions }: ProjectFacts): Found | undefined {
  if (nextActions > 0 || openTasks === 0) return undefined
  return { text: 'It has open tasks but no next action', severity: 'low', signal: 'activity' }
}
