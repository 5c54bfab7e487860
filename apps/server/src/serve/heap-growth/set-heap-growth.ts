import { setFlagsFromString } from 'node:v8'

const V8_DEFAULT_COUNT = 2

/** V8 collects at rest for the first time when a process is older than this. */
const FIRST_AT_REST_SECONDS = 8

/**
 * From now on, all of the memory is collected when what lives in it has grown by this percentage. 0
 * leaves that to V8, whose choice is a tenth where little is allocated for long.
 *
 * Nor is it collected and packed when little has been allocated for eight seconds: a hundred calls a
 * second allocate little, and would wait meanwhile. V8 ends the process if it is told that after it
 * has begun one of these collections, so a process in which it may have begun keeps them.
 */
export function setHeapGrowth(percent: number): void {
  if (percent === 0) return
  setFlagsFromString(`--heap-growing-percent=${percent}`)
  if (process.uptime() < FIRST_AT_REST_SECONDS) setCountAtRest(0)
  process.off('exit', resetFlags)
  // V8 accepts compiled code only from a process with the same flags: the code cache is written at
  // the end, and read before this is called. First of all listeners, because one of them writes it.
  process.prependListener('exit', resetFlags)
}

function resetFlags(): void {
  setFlagsFromString('--heap-growing-percent=0')
  setCountAtRest(V8_DEFAULT_COUNT)
}

function setCountAtRest(count: number): void {
  setFlagsFromString(`--memory-reducer-gc-count=${count}`)
}
