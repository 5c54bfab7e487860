import { ToolError } from '@surehand/core'
import { canonicalJson } from '@surehand/core/internal'
import type { Database } from '../database.ts'
import { leafText, payloadText, type SequencedRecord } from './leaf.ts'
import { cursorBehind, FROM_THE_BEGINNING, type Page, readPage, readSummary } from './pages.ts'
import type { SignedHead } from './signed-head.ts'

export const EXPORT_FORMAT = 'surehand-audit-1'

/**
 * A tenant's whole audit as JSON lines, one page in memory at a time: a header, the records in
 * their order, each head behind the last record it covers, and an end that tells a whole export
 * from half of one.
 */
export async function* exportAudit(
  database: Pick<Database, 'step'>,
  tenant: string,
): AsyncGenerator<string> {
  const before = await database.step(readSummary, { tenant })
  yield canonicalJson({
    format: EXPORT_FORMAT,
    tenant,
    key_ids: before.keyIds,
    head: before.head ?? null,
  })
  let size = 0
  for await (const page of pagesOf(database, tenant)) {
    size += page.records.length
    yield* linesOf(page)
  }
  const after = await database.step(readSummary, { tenant })
  if (after.erasures !== before.erasures)
    throw new ToolError(
      'TOOL_STORAGE_ERROR',
      'Somebody was erased while the audit was exported; export it again.',
    )
  yield canonicalJson({ end: { size } })
}

/** A tenant's records in order, page by page. */
export async function* pagesOf(
  database: Pick<Database, 'step'>,
  tenant: string,
): AsyncGenerator<Page> {
  let after = FROM_THE_BEGINNING
  while (true) {
    const page = await database.step(readPage, { tenant, after })
    const last = page.records.at(-1)
    if (last === undefined) return
    yield page
    after = cursorBehind(last)
  }
}

/** The records and heads of a page in the order in which they are verified. */
export function* inOrder<T>(
  { records, heads }: Page,
  shown: {
    readonly record: (record: SequencedRecord) => T
    readonly head: (head: Page['heads'][number]) => T
  },
): Generator<T> {
  let next = 0
  for (const record of records) {
    yield shown.record(record)
    for (
      let head = heads[next];
      head !== undefined && head.size <= record.position + 1;
      head = heads[++next]
    )
      yield shown.head(head)
  }
}

function linesOf(page: Page): Generator<string> {
  return inOrder(page, {
    record: (record) =>
      `{"leaf":"${record.leaf}","payload":${payloadText(record)},"record":${leafText(record, record)}}`,
    head: (head) => canonicalJson({ head }),
  })
}

/** The latest head that was signed over a tenant's records; undefined when there is none. */
export async function latestHead(
  database: Pick<Database, 'step'>,
  tenant: string,
): Promise<SignedHead | undefined> {
  return (await database.step(readSummary, { tenant })).head
}
