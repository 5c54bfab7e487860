import { atMost } from './at-most.ts'

/**
 * One unpacked picture may be 150 MB: a handful at once would exhaust the process's memory. The
 * bound is per process, for all callers, and so is this value.
 */
export const decoding = atMost(2)
