import { ToolError } from '@surehand/core'
import { findMatches, hasId, hasName } from '../match-name.ts'
import { nameKey } from '../name-key.ts'
import type { Person } from '../person.ts'
import type { Reader } from '../personal-data.ts'
import { PROJECT_COLUMNS, type Project, toProject } from './project.ts'
import type { Reach } from './reach.ts'

const MOST_NAMES = 20
const COLUMNS = PROJECT_COLUMNS.map((column) => `p.${column}`).join(', ')

export type NamedProject = { readonly id: string; readonly name: string; readonly owner: string }

/** Finds a project by name or id among those within reach. */
export async function findProject(
  query: string,
  { read, person, reach }: FindOptions,
): Promise<Project> {
  const named = await readProjectNames(read, reach)
  const match = findProjectByName(query, named, person)
  const [row] = await read(
    `select ${COLUMNS} from pm_projects p where p.tenant = ? and p.id = ?`,
    person.tenant,
    match.id,
  )
  if (row === undefined) throw projectNotFoundError(query, named)
  return toProject(row)
}

const SELECT_NAMES =
  'select p.id, p.name, p.owner from reached r join pm_projects p on p.tenant = r.tenant and p.id = r.id order by p.name_key, p.id'

/** The names of all projects within reach. */
export async function readProjectNames(
  read: Reader,
  reach: Reach,
): Promise<readonly NamedProject[]> {
  const rows = await read(`${reach.sql} ${SELECT_NAMES}`, ...reach.values)
  return rows.map(({ id, name, owner }) => ({
    id: String(id),
    name: String(name),
    owner: String(owner),
  }))
}

type FindOptions = { readonly read: Reader; readonly person: Person; readonly reach: Reach }

/**
 * Finds a project by name or id. The person's own project comes first when the name is exact or the
 * id matches: otherwise another person could hide it by sharing one of the same name.
 */
export function findProjectByName<P extends NamedProject>(
  query: string,
  among: readonly P[],
  person: Person,
): P {
  return (
    findOwn([query], among, person) ??
    requireOne(findMatches(query, among), { query, among, person })
  )
}

/** Finds the project to file something under, which all its members will then see. */
export function findProjectToFile<P extends NamedProject>(
  query: string,
  among: readonly P[],
  person: Person,
): P {
  return requireOne(matchProjectsToFile([query], among, person), { query, among, person })
}

/**
 * The projects that something may be filed under, by any of these spellings. A project of another
 * person has to be named in full: otherwise data meant for the person's own project could be shown
 * to others. When an own project is similar as well, both are returned.
 */
export function matchProjectsToFile<P extends NamedProject>(
  spellings: readonly string[],
  among: readonly P[],
  person: Person,
): readonly P[] {
  const match = findOwn(spellings, among, person)
  if (match !== undefined) return [match]
  const own = among.filter((one) => one.owner === person.owner)
  const near =
    spellings.map((query) => findMatches(query, own)).find((found) => found.length > 0) ?? []
  const others = among.filter(
    (one) =>
      one.owner !== person.owner && spellings.some((query) => isNamedInFull(one, query, person)),
  )
  return [...near, ...others]
}

/** The name for display; a project of another person is shown with its owner. */
export function displayName({ name, owner }: NamedProject, person: Person): string {
  return owner === person.owner ? name : `${name} (of ${owner})`
}

function isNamedInFull(project: NamedProject, query: string, person: Person): boolean {
  return (
    hasName(project, query) ||
    hasId(project, query) ||
    nameKey(displayName(project, person)) === nameKey(query)
  )
}

function findOwn<P extends NamedProject>(
  spellings: readonly string[],
  among: readonly P[],
  person: Person,
): P | undefined {
  const own = among.filter((one) => one.owner === person.owner)
  return (
    own.find((one) => spellings.some((query) => hasName(one, query))) ??
    own.find((one) => spellings.some((query) => hasId(one, query)))
  )
}

type NameQuery<P> = {
  readonly query: string
  readonly among: readonly P[]
  readonly person: Person
}

function requireOne<P extends NamedProject>(
  found: readonly P[],
  { query, among, person }: NameQuery<P>,
): P {
  const [first, second] = found
  if (first === undefined) throw projectNotFoundError(query, among)
  if (second === undefined) return first
  const names = found
    .slice(0, 10)
    .map((one) => `"${one.name}"${one.owner === person.owner ? '' : ` (of ${one.owner})`}`)
  throw new ToolError(
    'TOOL_INVALID_FIELD_VALUE',
    `"${query}" matches ${names.join(', ')}. Name one project in full, or use its id.`,
    {
      details: {
        searched_name: query,
        matches: found.slice(0, 10).map(({ id, name, owner }) => ({ id, name, owner })),
      },
    },
  )
}

export function projectNotFoundError(
  query: string,
  among: readonly { readonly name: string }[],
): ToolError {
  const names = [...new Set(among.map(({ name }) => name))].slice(0, MOST_NAMES)
  const hint =
    names.length === 0
      ? 'You have no projects yet. Create one with project.create.'
      : `Your projects are ${names.map((name) => `"${name}"`).join(', ')}.`
  return new ToolError(
    'TOOL_RESOURCE_NOT_FOUND',
    `There is no project called "${query}". ${hint}`,
    {
      details: { searched_name: query, available_projects: names },
    },
  )
}
