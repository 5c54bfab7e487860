import { ToolError } from '@surehand/core'
import { hasId, isCalled, matchesOf } from '../match-name.ts'
import { nameKey } from '../name-key.ts'
import type { Person } from '../person.ts'
import type { Reader } from '../personal-data.ts'
import { PROJECT_COLUMNS, type Project, projectOf } from './project.ts'
import type { Reach } from './reach.ts'

const MOST_TOLD = 20
const COLUMNS = PROJECT_COLUMNS.map((column) => `p.${column}`).join(', ')

export type NamedProject = { readonly id: string; readonly name: string; readonly owner: string }

/** The project that is meant, of those within reach. */
export async function findProject(
  said: string,
  { read, person, reach }: Finding,
): Promise<Project> {
  const named = await namedProjects(read, reach)
  const meant = theProjectMeant(said, named, person)
  const [row] = await read(
    `select ${COLUMNS} from pm_projects p where p.tenant = ? and p.id = ?`,
    person.tenant,
    meant.id,
  )
  if (row === undefined) throw noProject(said, named)
  return projectOf(row)
}

const SELECT_NAMES =
  'select p.id, p.name, p.owner from reached r join pm_projects p on p.tenant = r.tenant and p.id = r.id order by p.name_key, p.id'

/** The names of all projects within reach. */
export async function namedProjects(read: Reader, reach: Reach): Promise<readonly NamedProject[]> {
  const rows = await read(`${reach.sql} ${SELECT_NAMES}`, ...reach.values)
  return rows.map(({ id, name, owner }) => ({
    id: String(id),
    name: String(name),
    owner: String(owner),
  }))
}

export type Finding = { readonly read: Reader; readonly person: Person; readonly reach: Reach }

/** What is one's own comes first, by its very name or its id: nobody can hide it by sharing one that is called so. */
export function theProjectMeant<P extends NamedProject>(
  said: string,
  among: readonly P[],
  person: Person,
): P {
  return ownMeant([said], among, person) ?? theOnly(matchesOf(said, among), { said, among, person })
}

/** The same for something that is put into it, and that all who are in the project then see. */
export function theProjectToPutInto<P extends NamedProject>(
  said: string,
  among: readonly P[],
  person: Person,
): P {
  return theOnly(projectsToPutInto([said], among, person), { said, among, person })
}

/**
 * Where something may be put, by any of these spellings. A project of somebody else's has to be said in full: what was meant for
 * one's own would be shown to them. Where one's own comes near as well, it is both.
 */
export function projectsToPutInto<P extends NamedProject>(
  spellings: readonly string[],
  among: readonly P[],
  person: Person,
): readonly P[] {
  const meant = ownMeant(spellings, among, person)
  if (meant !== undefined) return [meant]
  const own = among.filter((one) => one.owner === person.owner)
  const near = spellings.map((said) => matchesOf(said, own)).find((found) => found.length > 0) ?? []
  const others = among.filter(
    (one) =>
      one.owner !== person.owner && spellings.some((said) => isSaidInFull(one, said, person)),
  )
  return [...near, ...others]
}

/** The name as it is told: whose it is belongs to it where it is somebody else's. */
export function toldName({ name, owner }: NamedProject, person: Person): string {
  return owner === person.owner ? name : `${name} (of ${owner})`
}

function isSaidInFull(project: NamedProject, said: string, person: Person): boolean {
  return (
    isCalled(project, said) ||
    hasId(project, said) ||
    nameKey(toldName(project, person)) === nameKey(said)
  )
}

function ownMeant<P extends NamedProject>(
  spellings: readonly string[],
  among: readonly P[],
  person: Person,
): P | undefined {
  const own = among.filter((one) => one.owner === person.owner)
  return (
    own.find((one) => spellings.some((said) => isCalled(one, said))) ??
    own.find((one) => spellings.some((said) => hasId(one, said)))
  )
}

type Asked<P> = { readonly said: string; readonly among: readonly P[]; readonly person: Person }

function theOnly<P extends NamedProject>(
  found: readonly P[],
  { said, among, person }: Asked<P>,
): P {
  const [first, second] = found
  if (first === undefined) throw noProject(said, among)
  if (second === undefined) return first
  const names = found
    .slice(0, 10)
    .map((one) => `"${one.name}"${one.owner === person.owner ? '' : ` (of ${one.owner})`}`)
  throw new ToolError(
    'TOOL_INVALID_FIELD_VALUE',
    `"${said}" may be any of ${names.join(', ')}: say which project is meant, by its whole name or id.`,
    {
      details: {
        searched_name: said,
        matches: found.slice(0, 10).map(({ id, name, owner }) => ({ id, name, owner })),
      },
    },
  )
}

export function noProject(said: string, among: readonly { readonly name: string }[]): ToolError {
  const names = [...new Set(among.map(({ name }) => name))].slice(0, MOST_TOLD)
  const hint =
    names.length === 0
      ? 'You have none yet; project.create makes one.'
      : `There are ${names.map((name) => `"${name}"`).join(', ')}.`
  return new ToolError('TOOL_RESOURCE_NOT_FOUND', `There is no project called "${said}". ${hint}`, {
    details: { searched_name: said, available_projects: names },
  })
}
