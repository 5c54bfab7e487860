import type { Reader } from '../personal-data.ts'
import { PROJECT_COLUMNS, type Project, toProject } from './project.ts'
import type { Reach } from './reach.ts'
import type { ProjectState } from './shapes.ts'

// Lists show no description, which may be long.
const COLUMNS = PROJECT_COLUMNS.filter((column) => column !== 'description')
  .map((column) => `p.${column}`)
  .join(', ')

type Wanted = { readonly states: readonly ProjectState[] }

/** The projects within reach, by name, without their descriptions. */
export async function accessibleProjects(
  read: Reader,
  reach: Reach,
  { states }: Wanted,
): Promise<readonly Project[]> {
  const rows = await read(
    `${reach.sql} select ${COLUMNS} from reached r join pm_projects p on p.tenant = r.tenant and p.id = r.id
      where p.state in (${states.map(() => '?').join(', ')}) order by p.name_key, p.id`,
    ...reach.values,
    ...states,
  )
  return rows.map(toProject)
}
