import type { DueHabit } from '../habit/due-habits.ts'
import type { LocalTime } from '../local-time.ts'
import { type Health, judgeHealth } from '../project/health.ts'
import type { Project } from '../project/project.ts'
import type { ProjectFacts } from '../project/project-facts.ts'
import { dueDay } from '../task/due.ts'
import type { Ranked } from '../task/next-actions.ts'
import { summarizeReasons } from '../task/score-task.ts'
import type { Evidence } from './evidence.ts'
import type { Advice } from './explanation.ts'
import { effortOf, sensitivityOf } from './task-factors.ts'
import { type Factors, weigh } from './weigh.ts'

type Family = 'task' | 'habit' | 'project' | 'inbox'

/** A task, habit, project or the inbox as something to do now, scored by the same four factors. */
export type Candidate = {
  readonly family: Family
  readonly id: string
  readonly advice: Advice
  readonly factors: Factors
  /** The tool call that carries it out, or that shows more. */
  readonly call: { readonly tool: string; readonly input: Readonly<Record<string, unknown>> }
}

type Judged = {
  readonly urgency: number
  readonly importance: number
  readonly fit: number
  readonly momentum: number
  readonly evidence: readonly Evidence[]
  readonly confidence: number
}

function weighCandidate({
  urgency,
  importance,
  fit,
  momentum,
  evidence,
  confidence,
}: Judged): Factors {
  const base = { confidence, evidence: [] }
  return weigh([
    {
      ...base,
      id: 'urgency',
      name: 'How soon it must be done',
      category: 'time',
      weight: 0.4,
      raw: urgency,
      evidence,
    },
    {
      ...base,
      id: 'importance',
      name: 'How much it matters',
      category: 'importance',
      weight: 0.3,
      raw: importance,
    },
    {
      ...base,
      id: 'fit',
      name: 'How well it fits just now',
      category: 'context',
      weight: 0.15,
      raw: fit,
    },
    {
      ...base,
      id: 'momentum',
      name: 'The cost of leaving it',
      category: 'momentum',
      weight: 0.15,
      raw: momentum,
    },
  ])
}

export function taskCandidate({ task, score }: Ranked, { zone }: LocalTime): Candidate {
  const raw = (id: string) => score.factors.find((factor) => factor.id === id)?.raw_score ?? 5
  const said = summarizeReasons(score)
  return {
    family: 'task',
    id: task.id,
    advice: {
      action: `Do "${task.title}"`,
      rationale: said,
      expected_impact:
        task.project === undefined
          ? 'One next action is done.'
          : `"${task.project.name}" progresses.`,
      effort_level: effortOf(task),
      time_sensitivity: sensitivityOf(score),
    },
    factors: weighCandidate({
      urgency: raw('urgency'),
      importance: raw('importance'),
      fit: (raw('energy_fit') + raw('context_fit') + raw('time_fit')) / 3,
      momentum: Math.max(raw('age'), raw('put_off')),
      evidence: [
        {
          kind: 'task',
          id: task.id,
          said: `"${task.title}": ${said}`,
          ...(task.due === undefined ? {} : { at: dueDay(task.due, zone) }),
        },
      ],
      confidence: 0.9,
    }),
    call: { tool: 'task.complete', input: { task: task.id } },
  }
}

const FIRM_STREAK = 10

export function habitCandidate(
  { habit, streak, daysLeft, remindAt, until }: DueHabit,
  localTime: LocalTime,
  minutes: number | undefined,
): Candidate {
  const isLate = remindAt !== undefined && remindAt <= localTime.now
  const lasts = habit.targetDuration ?? 10
  const said = `"${habit.name}" is open until ${until}, with a streak of ${streak}`
  return {
    family: 'habit',
    id: habit.id,
    advice: {
      action: `Do "${habit.name}"`,
      rationale: isLate ? `${said}; its time was ${habit.reminderTime}.` : `${said}.`,
      expected_impact: `The streak becomes ${streak + 1}.`,
      effort_level:
        habit.difficulty === 'hard' ? 'high' : habit.difficulty === 'medium' ? 'medium' : 'low',
      time_sensitivity: daysLeft === 0 ? 'today' : 'this_week',
    },
    factors: weighCandidate({
      urgency: Math.max(1, 7.5 - 1.5 * daysLeft + (isLate ? 1.5 : 0)),
      importance: 5,
      fit: minutes === undefined ? 6 : lasts <= minutes ? 8 : 0,
      momentum: (10 * streak) / FIRM_STREAK,
      evidence: [{ kind: 'habit', id: habit.id, said, at: localTime.today }],
      confidence: 0.9,
    }),
    call: { tool: 'habit.record_completion', input: { habit_name: habit.id } },
  }
}

/** Only for a project in trouble: a healthy one is represented by its tasks. */
export function projectCandidate(project: Project, facts: ProjectFacts): Candidate | undefined {
  const health = judgeHealth(facts)
  const isAimless = facts.nextActions === 0
  if (health.level !== 'critical' && health.level !== 'warning' && !isAimless) return undefined
  const said = `"${project.name}" ${isAimless ? 'has no next action' : `is ${health.level}`}`
  return {
    family: 'project',
    id: project.id,
    advice: {
      action: isAimless
        ? `Decide on the next action of "${project.name}"`
        : `Take care of "${project.name}"`,
      rationale: isAimless
        ? `${said}, so it does not progress.`
        : `${said}; the signal that lowers it most is "${findWorst(health)}".`,
      expected_impact: isAimless ? 'It can get on.' : 'Its health improves.',
      effort_level: isAimless ? 'low' : 'medium',
      time_sensitivity: health.level === 'critical' ? 'today' : 'this_week',
    },
    factors: weighCandidate({
      urgency: health.level === 'unknown' ? 3 : 10 - health.factors.total_score,
      importance: { high: 10, medium: 6, low: 2 }[project.priority],
      fit: isAimless ? 7 : 5,
      momentum: isAimless ? 6 : 4,
      evidence: [{ kind: 'project', id: project.id, said, at: facts.today }],
      confidence: health.level === 'unknown' ? 0.5 : 0.8,
    }),
    call: {
      tool: isAimless ? 'project.status' : 'ai.explain_project_health',
      input: { project_name: project.id },
    },
  }
}

function findWorst({ factors }: Health): string {
  return (
    [...factors.factors].sort(
      (one, other) => (10 - other.raw_score) * other.weight - (10 - one.raw_score) * one.weight,
    )[0]?.name ?? ''
  )
}

const FULL_INBOX = 20

export function inboxCandidate(inbox: {
  readonly count: number
  readonly oldest: Evidence | undefined
}): Candidate | undefined {
  if (inbox.count === 0) return undefined
  const things = inbox.count === 1 ? 'one thing' : `${inbox.count} items`
  return {
    family: 'inbox',
    id: 'inbox',
    advice: {
      action: `Clarify ${things} in the inbox`,
      rationale: `${inbox.oldest?.said ?? 'The oldest item'} has not been clarified.`,
      expected_impact: 'Important items become next actions.',
      effort_level: inbox.count > 10 ? 'medium' : 'low',
      time_sensitivity: inbox.count >= FULL_INBOX ? 'today' : 'this_week',
    },
    factors: weighCandidate({
      urgency: (8 * inbox.count) / FULL_INBOX,
      importance: 5,
      fit: 7,
      momentum: Math.min(10, inbox.count / 2),
      evidence: inbox.oldest === undefined ? [] : [inbox.oldest],
      confidence: 0.8,
    }),
    call: { tool: 'task.organize', input: {} },
  }
}
