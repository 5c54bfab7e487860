/** Sent for every commit of a write transaction, from any thread: whether it waited for the disk. */
export type CommitKind = 'durable' | 'lazy'

export const COMMITS_CHANNEL = 'surehand-bench-commits'
