/** Told for every commit of a write transaction, in whichever thread: was the disk waited for? */
export type Committed = 'durable' | 'lazy'

export const COMMITS_CHANNEL = 'surehand-bench-commits'
