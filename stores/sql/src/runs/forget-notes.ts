import { inChunks } from '../audit/in-chunks.ts'
import type { Sql } from '../step.ts'

/** The tables in which runs write, by call. */
export const NOTES = ['journal', 'questions', 'progress'] as const

/**
 * Deletes a run's notes with its call, in the same transaction; later they could not be found any
 * more.
 */
export async function forgetNotes(sql: Sql, callIds: readonly string[]): Promise<void> {
  for (const chunk of inChunks(callIds)) {
    const places = chunk.map(() => '?').join(', ')
    for (const table of NOTES)
      await sql.run(`delete from ${table} where call_id in (${places})`, ...chunk)
  }
}
