import { matchesOf } from '../match-name.ts'
import type { Person } from '../person.ts'
import type { Reader } from '../personal-data.ts'
import { findProject } from '../project/find-project.ts'
import { reachOf } from '../project/reach.ts'

export type ProjectName = { readonly id: string; readonly name: string }

/** The project a task is put into: one's own, or one that one works on. */
export async function projectFor(read: Reader, person: Person, said: string): Promise<ProjectName> {
  const { id, name } = await findProject(said, { read, person, reach: reachOf(person, 'accessible') })
  return { id, name }
}

/** The same for a word in passing: `+Garden_house` means "Garden house", and what is not clear is nobody's. */
export async function guessProject(read: Reader, person: Person, said: string): Promise<ProjectName | undefined> {
  const reach = reachOf(person, 'accessible')
  const rows = await read(
    `${reach.sql} select p.id, p.name from reached r join pm_projects p on p.tenant = r.tenant and p.id = r.id`,
    ...reach.values,
  )
  const projects = rows.map(({ id, name }) => ({ id: String(id), name: String(name) }))
  for (const name of [said, said.replaceAll('_', ' ')]) {
    const found = matchesOf(name, projects)
    if (found.length === 1) return found[0]
  }
  return undefined
}
