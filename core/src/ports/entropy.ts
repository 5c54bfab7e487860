import { randomBytes } from 'node:crypto'

/** Chance, handed in: ids that never repeat, and numbers for jitter. */
export type Entropy = {
  /** A fresh id that sorts by time. */
  readonly newId: (prefix: string, nowMs: number) => string
  /** 0 ≤ x < 1. */
  readonly random: () => number
}

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const PAIRS = Array.from(
  { length: 1024 },
  (_, pair) => `${ALPHABET[pair >> 5]}${ALPHABET[pair & 31]}`,
)

/**
 * Ids of ten characters of time, ten of this process's chance (50 bits) and six that count: unique
 * over processes and within one, in order within a millisecond. They name things; they are no
 * secrets.
 */
export function systemEntropy(): Entropy {
  const processPart = Array.from(randomBytes(10), (byte) => ALPHABET[byte & 31]).join('')
  let counter = 0
  // Most ids of a busy moment share their millisecond and all but the end of their count.
  let stemMs = -1
  let stemCount = -1
  let stem = ''

  return {
    newId(prefix, nowMs) {
      counter = (counter + 1) & 0x3fffffff
      const count = counter >> 10
      if (nowMs !== stemMs || count !== stemCount) {
        stemMs = nowMs
        stemCount = count
        // Joined, because V8 keeps what is added up as a tree of its parts, here one for each id.
        stem = ['_', timePart(nowMs), processPart, PAIRS[count >> 10], PAIRS[count & 1023]].join('')
      }
      return prefix + stem + PAIRS[counter & 1023]
    },
    random: () => randomBytes(4).readUInt32BE() / 2 ** 32,
  }
}

function timePart(nowMs: number): string {
  let rest = Math.floor(nowMs)
  let part = ''
  for (let index = 0; index < 10; index++) {
    part = ALPHABET[rest % 32] + part
    rest = Math.floor(rest / 32)
  }
  return part
}
