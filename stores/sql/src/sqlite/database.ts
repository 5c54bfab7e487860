import type { Database } from '../database.ts'
import { localRequest } from '../local-effect.ts'
import type { SqliteOptions } from '../options.ts'
import { storageError } from '../storage-error.ts'
import { startWriter } from './group-commit/writer.ts'
import { migrateFile } from './migrate-file.ts'
import { createReader } from './reader.ts'
import { workJobs } from './work-jobs.ts'

/** For tests of the dialect itself. */
export type TestHooks = { readonly stepModules?: readonly string[] }

/**
 * Opens the file, creates its tables and starts the writer. Several processes may do so at once.
 */
export async function openSqliteDatabase(
  options: SqliteOptions,
  inside: TestHooks = {},
): Promise<Database> {
  const wakes = new Set<() => void>()
  const starting = startWriter({
    file: options.file,
    runsIn: options.writer ?? 'thread',
    groupCommit: options.groupCommit ?? 'on',
    time: options.time ?? 'database',
    transactionModules: (options.packs ?? []).flatMap(({ data }) =>
      data === undefined ? [] : [data.transactions],
    ),
    stepModules: inside.stepModules ?? [],
    onEnqueued: () => {
      for (const wake of wakes) wake()
    },
  })
  const [migrated, started] = await Promise.allSettled([migrateFile(options), starting])
  if (started.status === 'rejected') {
    if (migrated.status === 'fulfilled') migrated.value.close()
    throw started.reason
  }
  const writer = started.value
  if (migrated.status === 'rejected') {
    await writer.close()
    throw storageError(migrated.reason)
  }
  const reader = createReader(migrated.value)

  const step: Database['step'] = (asked, args) => {
    if (asked.mode === 'read') return reader.step(asked, args)
    // erased: the writer finds the same step by its name and returns its result
    return writer.step(asked.name, args, asked.mode === 'lazy' ? 'NORMAL' : 'FULL') as ReturnType<
      typeof asked.run
    >
  }
  function onEnqueued(wake: () => void): () => void {
    wakes.add(wake)
    return () => wakes.delete(wake)
  }
  const stops = new Set<() => Promise<void>>()
  let closing: Promise<void> | undefined

  async function close(): Promise<void> {
    await Promise.all([...stops].map((stop) => stop()))
    // The writer is closed last: the last connection removes the write-ahead log, which a reader
    // cannot do.
    reader.close()
    await writer.close()
  }

  return {
    dialect: 'sqlite',
    step,
    transact: (run) =>
      writer.local(
        localRequest(run, run.claim.call.isSecret ? (options.secretKeys ?? []) : []),
        run.timeoutMs,
      ),
    query: reader.query,
    work(worker) {
      const stopJobs = workJobs({ step, onEnqueued }, worker)
      const stop = () => stopJobs().finally(() => stops.delete(stop))
      stops.add(stop)
      return stop
    },
    close: () => (closing ??= close()),
  }
}
