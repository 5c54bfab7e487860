import type { Person } from '../person.ts'
import type { Reader } from '../personal-data.ts'
import {
  displayName,
  findProjectToFile,
  matchProjectsToFile,
  type NamedProject,
  readProjectNames,
} from '../project/find-project.ts'
import { reachOf } from '../project/reach.ts'

/** The name is for display: a project of another person is shown with its owner. */
type ProjectName = { readonly id: string; readonly name: string }

/**
 * Finds the project that a task is filed under: one of the person's own, or one of which they are a
 * member.
 */
export async function findProjectForTask(
  read: Reader,
  person: Person,
  query: string,
): Promise<ProjectName> {
  const projects = await readProjectNames(read, reachOf(person, 'accessible'))
  return toProjectName(findProjectToFile(query, projects, person), person)
}

/**
 * The same for a hint in a line of text: `+Garden_house` finds "Garden house". Undefined when no
 * single project matches.
 */
export async function guessProject(
  read: Reader,
  person: Person,
  query: string,
): Promise<ProjectName | undefined> {
  const projects = await readProjectNames(read, reachOf(person, 'accessible'))
  const [first, second] = matchProjectsToFile([query, query.replaceAll('_', ' ')], projects, person)
  return first === undefined || second !== undefined ? undefined : toProjectName(first, person)
}

function toProjectName(project: NamedProject, person: Person): ProjectName {
  return { id: project.id, name: displayName(project, person) }
}
