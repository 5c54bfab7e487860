import { ToolError } from '@surehand/core'
import type { PackMigration } from '@surehand/core/host'
import { MIGRATIONS } from './migrations.ts'
import type { SqlOptions } from './options.ts'
import type { Dialect } from './portable.ts'

export type AppliedMigration = { readonly owner: string; readonly name: string }
export type OwnedMigration = AppliedMigration & { readonly statements: readonly string[] }

const OURS = 'surehand'

export const CREATE_MIGRATIONS =
  'create table if not exists surehand_migrations (owner text not null, name text not null, applied_at bigint not null, primary key (owner, name))'
export const SELECT_MIGRATIONS = 'select owner, name from surehand_migrations'
export const INSERT_MIGRATION =
  'insert into surehand_migrations (owner, name, applied_at) values (?, ?, {now})'

/**
 * Every migration this code knows, the stores' own first, with the statements of one dialect in
 * portable text.
 */
export function knownMigrations(
  packs: SqlOptions['packs'],
  dialect: Dialect,
): readonly OwnedMigration[] {
  const owners = [
    { name: OURS, migrations: MIGRATIONS },
    ...(packs ?? []).map(({ name, data }) => ({ name, migrations: data?.migrations ?? [] })),
  ]
  const known = owners.flatMap(({ name: owner, migrations }) =>
    migrations.map((migration) => ({
      owner,
      name: migration.name,
      statements: statementsFor(migration, dialect),
    })),
  )
  refuseRepeated(known)
  return known
}

/** The migrations that have not been applied yet, in order. */
export function missingMigrations(
  known: readonly OwnedMigration[],
  applied: readonly AppliedMigration[],
): readonly OwnedMigration[] {
  const knownIds = new Set(known.map(idOf))
  const owners = new Set(known.map(({ owner }) => owner))
  // Tables of a pack that is not loaded here are ignored.
  const newer = applied.find((one) => owners.has(one.owner) && !knownIds.has(idOf(one)))
  if (newer !== undefined) {
    throw new ToolError(
      'TOOL_CONFIGURATION_ERROR',
      `A newer version wrote this database: it holds "${newer.name}" of ${newer.owner}, which this version does not know. Start the newer version.`,
    )
  }
  const appliedIds = new Set(applied.map(idOf))
  return known.filter((migration) => !appliedIds.has(idOf(migration)))
}

function statementsFor({ statements }: PackMigration, dialect: Dialect): readonly string[] {
  return 'sqlite' in statements ? statements[dialect] : statements
}

// The second of two migrations with one name would be taken for applied and never run.
function refuseRepeated(known: readonly OwnedMigration[]): void {
  const seen = new Set<string>()
  for (const migration of known) {
    const id = idOf(migration)
    if (seen.has(id))
      throw new ToolError(
        'TOOL_CONFIGURATION_ERROR',
        `${migration.owner} lists the migration "${migration.name}" twice.`,
      )
    seen.add(id)
  }
}

function idOf({ owner, name }: AppliedMigration): string {
  return JSON.stringify([owner, name])
}
