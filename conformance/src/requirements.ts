import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** A requirement of a document, the file that meets it, and the test that shows it. */
export type Requirement = {
  /** As the document says it. */
  readonly says: string
  /** Paths from the root of the repository. */
  readonly where: string
  readonly test: { readonly file: string; readonly title: string }
}

const ROOT = new URL('../../', import.meta.url)

/** The requirements as a table of a page in docs. */
export function requirementTable(rows: readonly Requirement[]): string {
  const link = (path: string): string => `[${path}](../${path})`
  return [
    '| requirement | where | test |',
    '| --- | --- | --- |',
    ...rows.map(
      ({ says, where, test }) =>
        `| ${says.replaceAll('|', '\\|')} | ${link(where)} | "${test.title.replaceAll('|', '\\|')}" in ${link(test.file)} |`,
    ),
  ].join('\n')
}

/** The rows whose file is gone, or whose test no longer has its title. */
export function findBrokenRows(rows: readonly Requirement[]): readonly string[] {
  const texts = new Map<string, string>()
  const read = (path: string): string => {
    const known = texts.get(path)
    if (known !== undefined) return known
    const file = fileURLToPath(new URL(path, ROOT))
    const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
    texts.set(path, text)
    return text
  }
  return rows.flatMap(({ says, where, test }) => [
    ...(existsSync(fileURLToPath(new URL(where, ROOT))) ? [] : [`${says}: there is no ${where}`]),
    ...(read(test.file).includes(test.title)
      ? []
      : [`${says}: ${test.file} has no test "${test.title}"`]),
  ])
}
