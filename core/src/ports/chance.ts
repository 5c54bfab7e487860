import { randomFillSync } from 'node:crypto'

/** Chance, handed in: ids that never repeat, and numbers for jitter. */
export type Chance = {
  /** A fresh id that sorts by time. */
  readonly newId: (prefix: string, nowMs: number) => string
  /** 0 ≤ x < 1. */
  readonly random: () => number
}

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const POOL_BYTES = 4096

/** Ids of 10 characters of time and 16 of chance (80 bits), drawn from the system's source in one go for many. */
export function systemChance(): Chance {
  const pool = new Uint8Array(POOL_BYTES)
  let used = POOL_BYTES
  // most ids of a busy moment share their millisecond
  let lastMs = -1
  let lastPart = ''

  function draw(count: number): number {
    if (used + count > POOL_BYTES) {
      randomFillSync(pool)
      used = 0
    }
    used += count
    return used - count
  }

  return {
    newId(prefix, nowMs) {
      if (nowMs !== lastMs) {
        lastMs = nowMs
        lastPart = timePart(nowMs)
      }
      let id = `${prefix}_${lastPart}`
      const from = draw(16)
      for (let index = from; index < from + 16; index++) id += ALPHABET[(pool[index] as number) & 31]
      return id
    },
    random() {
      const from = draw(4)
      return new DataView(pool.buffer, from, 4).getUint32(0) / 2 ** 32
    },
  }
}

function timePart(nowMs: number): string {
  let rest = nowMs
  let part = ''
  for (let index = 0; index < 10; index++) {
    part = ALPHABET[rest % 32] + part
    rest = Math.floor(rest / 32)
  }
  return part
}
