import { atMost } from './at-most.ts'

/**
 * One unpacked picture may be 150 MB: a handful at once would be the end of the process. The bound is the process's, whoever asks,
 * and so is this value.
 */
export const decoding = atMost(2)
