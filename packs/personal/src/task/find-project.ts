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

/** The name is for telling: one of somebody else's says whose it is. */
export type ProjectName = { readonly id: string; readonly name: string }

/** The project a task is put into: one's own, or one that one works on. */
export async function findProjectForTask(
  read: Reader,
  person: Person,
  query: string,
): Promise<ProjectName> {
  const projects = await readProjectNames(read, reachOf(person, 'accessible'))
  return toProjectName(findProjectToFile(query, projects, person), person)
}

/** The same for a word in passing: `+Garden_house` means "Garden house", and what is not clear is nobody's. */
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
