import { TABLES } from '../tables.ts'

type ColumnType = 'text' | 'whole' | 'real'
export type Column = {
  readonly name: string
  readonly type: ColumnType
  readonly isRequired: boolean
}

/** A table as declared by its create statement. */
export type Table = {
  readonly name: string
  /** The name in an export. */
  readonly family: string
  readonly columns: readonly Column[]
  readonly key: readonly string[]
}

const CREATE = /^create table (pm_\w+) \(([\s\S]*)\)$/
const TYPES: Readonly<Record<string, ColumnType>> = {
  text: 'text',
  bigint: 'whole',
  double: 'real',
}

function readTable(statement: string): readonly Table[] {
  const [, name, inside] = CREATE.exec(statement.trim()) ?? []
  if (name === undefined || inside === undefined) return []
  const [declared = '', key = ''] = inside.split(/primary key/)
  const columns = declared.split(',').flatMap((text): readonly Column[] => {
    const [column, type] = text.trim().split(/\s+/)
    if (column === undefined || column === '' || type === undefined) return []
    const known = TYPES[type]
    // A column that is not understood here would be missing in every export.
    if (known === undefined)
      throw new TypeError(
        `${name}.${column} has the type "${type}", which data/owned-tables.ts does not handle. Add it there.`,
      )
    return [
      {
        name: column,
        type: known,
        isRequired: text.includes('not null') && !text.includes(' default '),
      },
    ]
  })
  return [
    {
      name,
      family: name.slice('pm_'.length),
      columns,
      key: (key.match(/\w+/g) ?? []).filter((column) => column !== 'tenant'),
    },
  ]
}

const ADD = /^alter table (pm_\w+) add column (\w+) (\w+)$/

/** A column that a later migration adds to the table; it may be empty. */
function readColumn(statement: string, table: Table): readonly Column[] {
  const [, name, column = '', type = ''] = ADD.exec(statement.trim()) ?? []
  const known = TYPES[type]
  return name !== table.name || known === undefined
    ? []
    : [{ name: column, type: known, isRequired: false }]
}

const STATEMENTS: readonly string[] = TABLES.flatMap(({ statements }) =>
  'sqlite' in statements ? statements.sqlite : statements,
)

/**
 * Every table of the personal manager, read from the create statements, so that a new one cannot be
 * forgotten.
 */
export const ALL_TABLES: readonly Table[] = STATEMENTS.flatMap(readTable).map((table) => ({
  ...table,
  columns: [...table.columns, ...STATEMENTS.flatMap((statement) => readColumn(statement, table))],
}))

/** The tables whose rows belong to a person. */
export const OWNED_TABLES: readonly Table[] = ALL_TABLES.filter(({ columns }) =>
  columns.some(({ name }) => name === 'owner'),
)
