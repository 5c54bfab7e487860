import { inChunks } from '../audit/in-chunks.ts'
import type { Sql } from '../step.ts'

/** Where runs write things down, by call. */
export const NOTES = ['journal', 'questions', 'progress'] as const

/** What a run was told and asked goes with its call, in the same transaction: later nobody would find it again. */
export async function forgetNotes(sql: Sql, callIds: readonly string[]): Promise<void> {
  for (const chunk of inChunks(callIds)) {
    const places = chunk.map(() => '?').join(', ')
    for (const table of NOTES)
      await sql.run(`delete from ${table} where call_id in (${places})`, ...chunk)
  }
}
