import { rmSync } from 'node:fs'
import { defineTransaction } from '@surehand/core'

/**
 * A file that exists once: the process that deletes it dies at that moment, and later ones pass.
 */
export type Trap = { readonly file: string; readonly side: 'before' | 'after' }
export type Entry = { readonly item: string; readonly trap?: Trap | undefined }

/** A local effect: a row that would exist twice if the call were executed twice. */
export const writeEntry = defineTransaction(
  'chaos.writeEntry',
  async (tx, { item, trap }: Entry) => {
    if (trap?.side === 'before') spring(trap)
    await tx.run('insert into chaos_entries (item) values (?)', item)
    if (trap?.side === 'after') spring(trap)
    const row = await tx.get('select max(number) as number from chaos_entries where item = ?', item)
    return { receipt: `entry-${row?.number}`, item }
  },
)

function spring({ file }: Trap): void {
  try {
    rmSync(file)
  } catch {
    return // it has been sprung before
  }
  process.kill(process.pid, 'SIGKILL')
}
