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
  // most ids of a busy moment share their millisecond
  let lastMs = -1
  let stem = ''

  return {
    newId(prefix, nowMs) {
      if (nowMs !== lastMs) {
        lastMs = nowMs
        stem = `_${timePart(nowMs)}${processPart}`
      }
      counter = (counter + 1) & 0x3fffffff
      return (
        prefix + stem + PAIRS[counter >> 20] + PAIRS[(counter >> 10) & 1023] + PAIRS[counter & 1023]
      )
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
