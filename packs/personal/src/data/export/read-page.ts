import { ToolError } from '@surehand/core'
import type { Row, SqlValue } from '@surehand/core/internal'
import type { Person } from '../../person.ts'
import type { Reader } from '../../personal-data.ts'
import { FAMILIES, type Family, ownRowsOf, tableOf } from '../families.ts'

const AT_ONCE = 200
const MOST_CHARACTERS = 2_000_000

export type Page = {
  readonly rows: readonly { readonly family: Family; readonly row: Row }[]
  /** The first page is 1. */
  readonly number: number
  /** The family that an earlier page began and this page continues. */
  readonly continues: Family | undefined
  /** The position at which the next page begins; undefined after the last page. */
  readonly next: string | undefined
}

type Begin = { readonly number: number; readonly place: Place | undefined }
type Place = { readonly family: Family; readonly after: readonly SqlValue[] | undefined }

/** A person's rows, family by family, up to the requested number and the size limit of a page. */
export async function readPage(
  read: Reader,
  person: Person,
  {
    families,
    cursor,
    most,
  }: {
    readonly families: readonly Family[]
    readonly cursor: string | undefined
    readonly most: number
  },
): Promise<Page> {
  const rows: { family: Family; row: Row }[] = []
  const begin =
    cursor === undefined ? { number: 1, place: startOf(families) } : parseCursor(cursor, families)
  const page = {
    rows,
    number: begin.number,
    continues: begin.place?.after === undefined ? undefined : begin.place.family,
  }
  let place = begin.place
  let characters = 0
  while (place !== undefined) {
    const found = await readSome(read, person, place, Math.min(AT_ONCE, most - rows.length))
    for (const row of found) {
      const size = JSON.stringify(row).length
      // The first row is always included: an empty page would be requested again for ever.
      if (rows.length > 0 && (characters + size > MOST_CHARACTERS || rows.length >= most))
        return { ...page, next: writeCursor(begin.number + 1, place) }
      characters += size
      rows.push({ family: place.family, row })
      place = {
        family: place.family,
        after: tableOf(place.family).key.map((column) => row[column] ?? null),
      }
    }
    if (found.length === 0 || found.length < Math.min(AT_ONCE, most - rows.length + found.length))
      place = nextFamily(place.family, families)
    else if (rows.length >= most) return { ...page, next: writeCursor(begin.number + 1, place) }
  }
  return { ...page, next: undefined }
}

async function readSome(
  read: Reader,
  { tenant, owner }: Person,
  { family, after }: Place,
  most: number,
): Promise<readonly Row[]> {
  const { key } = tableOf(family)
  const columns = key.join(', ')
  const past = after === undefined ? '' : ` and (${columns}) > (${key.map(() => '?').join(', ')})`
  const sql = `select * from ${ownRowsOf(family)}${past} order by ${columns} limit ${Math.max(1, most)}`
  return (await read(sql, tenant, owner, ...(after ?? []))).map((row) => plainRow(family, row))
}

// PostgreSQL may return numbers as texts, which the export would then contain as texts.
function plainRow(family: Family, row: Row): Row {
  const numbers = tableOf(family).columns.filter(({ type }) => type !== 'text')
  return {
    ...row,
    ...Object.fromEntries(
      numbers.map(({ name }) => [name, row[name] == null ? null : Number(row[name])]),
    ),
  }
}

function startOf(families: readonly Family[]): Place | undefined {
  const [family] = families
  return family === undefined ? undefined : { family, after: undefined }
}

function nextFamily(family: Family, families: readonly Family[]): Place | undefined {
  return startOf(families.slice(families.indexOf(family) + 1))
}

function writeCursor(number: number, { family, after }: Place): string {
  return Buffer.from(JSON.stringify([number, family, ...(after ?? [])])).toString('base64url')
}

function parseCursor(cursor: string, families: readonly Family[]): Begin {
  const [number, family, ...after] = decodeCursor(cursor)
  const known = FAMILIES.find((one) => one === family)
  const isWhole =
    known !== undefined &&
    families.includes(known) &&
    (after.length === 0 || after.length === tableOf(known).key.length)
  if (!isWhole || !isPageNumber(number) || !after.every(isKey))
    throw new ToolError(
      'TOOL_INVALID_FIELD_VALUE',
      'The cursor is not valid for this list. Send next_cursor as it was returned, or leave it out to start at the first page.',
    )
  return { number, place: { family: known, after: after.length === 0 ? undefined : after } }
}

function isPageNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 1
}

// A database would refuse such a text with an error of its own.
function isKey(value: unknown): value is string {
  return typeof value === 'string' && value.isWellFormed() && !value.includes('\u0000')
}

function decodeCursor(cursor: string): readonly unknown[] {
  try {
    const read: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    return Array.isArray(read) ? read : []
  } catch {
    return [] // Not JSON, so not a cursor of this tool.
  }
}
