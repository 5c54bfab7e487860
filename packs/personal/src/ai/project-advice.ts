import type { Health, SignalId } from '../project/health.ts'
import type { Project } from '../project/project.ts'
import type { ProjectFacts } from '../project/project-facts.ts'
import type { Advice, Explanation } from './explanation.ts'
import type { Factor } from './weigh.ts'

/** What to do for a project: about the signal that costs it most, and about the next ones. */
export function projectAdvice(
  project: Project,
  facts: ProjectFacts,
  { factors, level }: Health,
): Explanation['recommendations'] {
  const costly = factors.factors
    .filter(({ raw_score }) => raw_score < 8)
    .sort((one, other) => costOf(other) - costOf(one))
    .map((factor) => adviceFor(factor, project, facts))
  const [first, ...others] = costly.length > 0 ? costly : [goOn(project, facts)]
  const flags = [
    ...(level === 'critical' ? [`"${project.name}" is critical`] : []),
    ...(project.targetDay !== undefined && project.targetDay < facts.today
      ? [`Its target day ${project.targetDay} has passed`]
      : []),
    ...(facts.nextActions === 0 && facts.openTasks > 0 ? ['It has no next action'] : []),
  ]
  return {
    primary_recommendation: first ?? goOn(project, facts),
    ...(others.length === 0 ? {} : { alternative_options: others }),
    ...(flags.length === 0 ? {} : { warning_flags: flags }),
  }
}

/** How much of the score is lost by it. */
function costOf({ raw_score, weight }: Factor): number {
  return (10 - raw_score) * weight
}

function adviceFor(factor: Factor, project: Project, facts: ProjectFacts): Advice {
  const named = factor.evidence[0]?.said
  const gain = `Up to ${Math.round(costOf(factor) * 10) / 10} points of 10 more health.`
  const because = `${factor.name} scores ${factor.raw_score} of 10${named === undefined ? '' : `: ${named}`}.`
  const base = { rationale: because, expected_impact: gain }
  // erased: the factors of a health are its signals
  switch (factor.id as SignalId) {
    case 'schedule':
      return {
        ...base,
        action: `Move the target day of "${project.name}", or cut what is to be done until ${facts.targetDay ?? 'then'}`,
        effort_level: 'medium',
        time_sensitivity: 'this_week',
      }
    case 'overdue':
      return {
        ...base,
        action: `Do, delegate or put a new day to the ${facts.overdueTasks} overdue tasks of "${project.name}"`,
        effort_level: facts.overdueTasks > 3 ? 'high' : 'medium',
        time_sensitivity: 'today',
      }
    case 'blocked':
      return {
        ...base,
        action: `Clear away what stands in the way of "${project.name}"`,
        effort_level: 'high',
        time_sensitivity: 'today',
      }
    case 'activity':
      return {
        ...base,
        action: `Decide on the next action of "${project.name}", or put it on hold`,
        effort_level: 'low',
        time_sensitivity: 'this_week',
      }
    case 'risks':
      return {
        ...base,
        action: `Settle or accept the open risks of "${project.name}"`,
        effort_level: 'medium',
        time_sensitivity: 'this_week',
      }
  }
}

function goOn(project: Project, facts: ProjectFacts): Advice {
  return {
    action:
      facts.openTasks === 0
        ? `Complete "${project.name}", or give it its next action`
        : `Go on with "${project.name}" as it is`,
    rationale: 'Every signal scores 8 or more.',
    expected_impact: 'It stays as healthy as it is.',
    effort_level: 'low',
    time_sensitivity: 'flexible',
  }
}
