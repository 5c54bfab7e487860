import type { Row } from '@surehand/core/internal'
import { addDays, dayOf } from '@surehand/dates'
import type { Evidence } from '../ai/evidence.ts'
import type { Person } from '../person.ts'
import type { SignalEvidence } from './health.ts'
import type { Project } from './project.ts'
import type { ProjectContext } from './project-context.ts'
import { OVERDUE_TASK, type ProjectFacts } from './project-facts.ts'
import { type LogEntry, openEntries } from './project-log.ts'
import { OPEN_TASK, TASK_OF_PROJECT } from './reach.ts'

const MOST_SHOWN = 5
const LONG_WAIT_DAYS = 7

const TASKS = 'from reached r join pm_tasks t on t.tenant = r.tenant and t.project_id = r.id'
const SELECT_OVERDUE = `select t.id, t.title, t.due_day ${TASKS}
  where r.id = ? and ${OPEN_TASK} and ${OVERDUE_TASK} and ${TASK_OF_PROJECT} order by t.due_key, t.id limit ${MOST_SHOWN}`
const SELECT_WAITING = `select t.id, t.title, t.waiting_for, t.waiting_since ${TASKS}
  where r.id = ? and t.state = 'waiting_for' and t.waiting_since <= ? and ${TASK_OF_PROJECT} order by t.waiting_since, t.id limit ${MOST_SHOWN}`

/** The records behind the signals of one project. */
export type ProjectEvidence = {
  readonly signals: SignalEvidence
  readonly waiting: readonly Evidence[]
  readonly openRisks: readonly LogEntry[]
  readonly openBlocks: readonly LogEntry[]
}

export async function readProjectEvidence(
  project: Project,
  facts: ProjectFacts,
  { read, reach, localTime, person }: ProjectContext & { readonly person: Person },
): Promise<ProjectEvidence> {
  const place = { tenant: person.tenant, projectId: project.id }
  const [overdue, waiting, openRisks, openBlocks] = await Promise.all([
    read(
      `${reach.sql} ${SELECT_OVERDUE}`,
      ...reach.values,
      project.id,
      localTime.today,
      localTime.now,
    ),
    read(
      `${reach.sql} ${SELECT_WAITING}`,
      ...reach.values,
      project.id,
      addDays(localTime.today, -LONG_WAIT_DAYS),
    ),
    openEntries(read, place, 'risk'),
    openEntries(read, place, 'blocked'),
  ])
  return {
    signals: {
      schedule: scheduleEvidence(project, facts),
      overdue: overdue.map(overdueTask),
      blocked: openBlocks.slice(0, MOST_SHOWN).map((entry) => logEvidence(entry, localTime.zone)),
      activity: [
        {
          kind: 'project',
          id: project.id,
          said: `"${project.name}" last changed`,
          at: dayOf(facts.changedAt, localTime.zone),
        },
      ],
      risks: openRisks.slice(0, MOST_SHOWN).map((entry) => logEvidence(entry, localTime.zone)),
    },
    waiting: waiting.map(waitingTask),
    openRisks,
    openBlocks,
  }
}

function scheduleEvidence(
  { id, name, targetDay, givenProgress }: Project,
  { progress, doneTasks, openTasks }: ProjectFacts,
): readonly Evidence[] {
  if (targetDay === undefined || progress === undefined) return []
  const how =
    givenProgress === undefined
      ? `${doneTasks} of ${doneTasks + openTasks} tasks are done`
      : `its progress was set to ${givenProgress} %`
  return [
    {
      kind: 'project',
      id,
      said: `"${name}" is to be finished on ${targetDay}; ${how}`,
      at: targetDay,
    },
  ]
}

function overdueTask({ id, title, due_day }: Row): Evidence {
  return { kind: 'task', id: String(id), said: `"${String(title)}" was due`, at: String(due_day) }
}

function waitingTask({ id, title, waiting_for, waiting_since }: Row): Evidence {
  return {
    kind: 'task',
    id: String(id),
    said: `"${String(title)}" waits for ${String(waiting_for ?? 'an unnamed person')}`,
    at: String(waiting_since),
  }
}

export function logEvidence({ id, kind, text, severity, at }: LogEntry, zone: string): Evidence {
  const word = {
    risk: `risk (${severity ?? 'medium'})`,
    blocked: 'in the way',
    completed_work: 'done',
  }[kind]
  return { kind: 'project_log', id, said: `${word}: ${text}`, at: dayOf(at, zone) }
}
