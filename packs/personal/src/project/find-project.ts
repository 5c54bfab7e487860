import { ToolError } from '@surehand/core'
import { matchesOf } from '../match-name.ts'
import { nameKey } from '../name-key.ts'
import type { Person } from '../person.ts'
import type { Reader } from '../personal-data.ts'
import { PROJECT_COLUMNS, type Project, projectOf } from './project.ts'
import type { Reach } from './reach.ts'

const MOST_TOLD = 20
const COLUMNS = PROJECT_COLUMNS.map((column) => `p.${column}`).join(', ')

export type NamedProject = { readonly id: string; readonly name: string; readonly owner: string }

/** The project that is meant, of those within reach. */
export async function findProject(said: string, { read, person, reach }: Finding): Promise<Project> {
  const named = await namedProjects(read, reach)
  const meant = theProjectMeant(said, named, person)
  const [row] = await read(`select ${COLUMNS} from pm_projects p where p.tenant = ? and p.id = ?`, person.tenant, meant.id)
  if (row === undefined) throw noProject(said, named)
  return projectOf(row)
}

const SELECT_NAMES =
  'select p.id, p.name, p.owner from reached r join pm_projects p on p.tenant = r.tenant and p.id = r.id order by p.name_key, p.id'

/** The names of all projects within reach. */
export async function namedProjects(read: Reader, reach: Reach): Promise<readonly NamedProject[]> {
  const rows = await read(`${reach.sql} ${SELECT_NAMES}`, ...reach.values)
  return rows.map(({ id, name, owner }) => ({ id: String(id), name: String(name), owner: String(owner) }))
}

export type Finding = { readonly read: Reader; readonly person: Person; readonly reach: Reach }

/** Of several that fit, one's own of exactly that name is meant: nobody can hide it by sharing one that is called the same. */
export function theProjectMeant<P extends NamedProject>(said: string, among: readonly P[], { owner }: Person): P {
  const found = matchesOf(said, among)
  const own = found.find((one) => one.owner === owner && nameKey(one.name) === nameKey(said))
  const [first, second] = found
  if (own !== undefined) return own
  if (first === undefined) throw noProject(said, among)
  if (second === undefined) return first
  const names = found.slice(0, 10).map((one) => `"${one.name}"${one.owner === owner ? '' : ` (of ${one.owner})`}`)
  throw new ToolError(
    'TOOL_INVALID_FIELD_VALUE',
    `"${said}" may be any of ${names.join(', ')}: say which project is meant, by its whole name or id.`,
    {
      details: { searched_name: said, matches: found.slice(0, 10).map(({ id, name, owner: of }) => ({ id, name, owner: of })) },
    },
  )
}

export function noProject(said: string, among: readonly { readonly name: string }[]): ToolError {
  const names = [...new Set(among.map(({ name }) => name))].slice(0, MOST_TOLD)
  const hint =
    names.length === 0 ? 'You have none yet; project.create makes one.' : `There are ${names.map((name) => `"${name}"`).join(', ')}.`
  return new ToolError('TOOL_RESOURCE_NOT_FOUND', `There is no project called "${said}". ${hint}`, {
    details: { searched_name: said, available_projects: names },
  })
}
