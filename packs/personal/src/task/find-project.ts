import type { Person } from '../person.ts'
import type { Reader } from '../personal-data.ts'
import {
  type NamedProject,
  namedProjects,
  projectsToPutInto,
  theProjectToPutInto,
  toldName,
} from '../project/find-project.ts'
import { reachOf } from '../project/reach.ts'

/** The name is for telling: one of somebody else's says whose it is. */
export type ProjectName = { readonly id: string; readonly name: string }

/** The project a task is put into: one's own, or one that one works on. */
export async function projectFor(read: Reader, person: Person, said: string): Promise<ProjectName> {
  const projects = await namedProjects(read, reachOf(person, 'accessible'))
  return told(theProjectToPutInto(said, projects, person), person)
}

/** The same for a word in passing: `+Garden_house` means "Garden house", and what is not clear is nobody's. */
export async function guessProject(
  read: Reader,
  person: Person,
  said: string,
): Promise<ProjectName | undefined> {
  const projects = await namedProjects(read, reachOf(person, 'accessible'))
  const [first, second] = projectsToPutInto([said, said.replaceAll('_', ' ')], projects, person)
  return first === undefined || second !== undefined ? undefined : told(first, person)
}

function told(project: NamedProject, person: Person): ProjectName {
  return { id: project.id, name: toldName(project, person) }
}
