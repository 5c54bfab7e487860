import type { ReviewFacts, TaskSelection } from './review-facts.ts'
import type { HabitReview } from './review-habits.ts'

type ReviewText = {
  readonly facts: ReviewFacts
  readonly habits: readonly HabitReview[]
  readonly goalMinutes: number
  readonly days: number
}

const MOST_NAMED = 5

/** The events of a day or week as sentences with the names of tasks and habits. */
export function reviewSentences({
  facts,
  habits,
  goalMinutes,
  days,
}: ReviewText): readonly string[] {
  const kept = habits.filter(({ outcome }) => outcome === 'kept')
  const missed = habits.filter(({ outcome }) => outcome === 'missed')
  const { minutes, focus } = facts.deepWork
  const goal = goalMinutes * days
  return [
    facts.completed.count === 0
      ? 'Nothing was completed.'
      : `${formatCount(facts.completed.count, 'task')} completed: ${listTitles(facts.completed)}.`,
    ...(kept.length === 0 ? [] : [`Habits kept: ${listNames(kept.map(withStreak))}.`]),
    ...(missed.length === 0
      ? []
      : [
          `Habits missed: ${listNames(missed.map(({ name, done, expected }) => `"${name}" (${done} of ${expected})`))}.`,
        ]),
    ...(minutes === 0 && goal === 0
      ? []
      : [
          `${minutes} minutes of deep work${focus === undefined ? '' : `, focus ${focus} of 5`}; the goal was ${goal}.`,
        ]),
    ...(facts.slipped.count === 0
      ? []
      : [`${formatCount(facts.slipped.count, 'task')} slipped: ${listTitles(facts.slipped)}.`]),
    ...(facts.overdue.count === 0
      ? []
      : [`${formatCount(facts.overdue.count, 'task')} overdue now: ${listTitles(facts.overdue)}.`]),
    facts.inboxCount === 0
      ? 'The inbox is empty.'
      : `${facts.inboxCount} in the inbox: clarify them with task.organize.`,
  ]
}

/** The sentences that only a weekly review has. */
export function weekSentences(
  { stuckProjects, waiting }: ReviewFacts,
  change: { readonly completed: number; readonly minutes: number },
): readonly string[] {
  const oldest = waiting.tasks[0]
  return [
    ...(stuckProjects.length === 0
      ? []
      : [
          `Projects without a next action: ${listNames(stuckProjects.map((name) => `"${name}"`))}.`,
        ]),
    ...(oldest === undefined
      ? []
      : [
          `${formatCount(waiting.count, 'task')} waiting for others, the longest "${oldest.title}" for ${oldest.waitingFor} since ${oldest.waitingSince}.`,
        ]),
    `Compared with the week before: ${formatChange(change.completed)} tasks, ${formatChange(change.minutes)} minutes of deep work.`,
  ]
}

function withStreak({ name, current_streak, streak_unit }: HabitReview): string {
  return current_streak > 1 ? `"${name}" (${current_streak} ${streak_unit} in a row)` : `"${name}"`
}

function listTitles({ tasks, count }: TaskSelection): string {
  return listNames(
    tasks.map(({ title }) => `"${title}"`),
    count,
  )
}

function listNames(names: readonly string[], count: number = names.length): string {
  const shown = names.slice(0, MOST_NAMED)
  const more = count - shown.length
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ')
}

function formatCount(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}

function formatChange(change: number): string {
  return change > 0 ? `+${change}` : String(change)
}
