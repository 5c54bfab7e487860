import { setFlagsFromString } from 'node:v8'

const DEFAULT_AT_REST = 2

/**
 * From now on, all of the memory is collected when what lives in it has grown by this percentage. 0
 * leaves that to V8, whose choice is a tenth where little is allocated for long.
 *
 * Nor is it collected and packed when little has been allocated for eight seconds: a hundred calls a
 * second allocate little, and would wait meanwhile.
 */
export function setHeapGrowth(percent: number): void {
  if (percent === 0) return
  setFlags(percent, 0)
  process.off('exit', resetFlags)
  // V8 accepts compiled code only from a process with the same flags: the code cache is written at
  // the end, and read before this is called. First of all listeners, because one of them writes it.
  process.prependListener('exit', resetFlags)
}

function resetFlags(): void {
  setFlags(0, DEFAULT_AT_REST)
}

function setFlags(percent: number, atRest: number): void {
  setFlagsFromString(`--heap-growing-percent=${percent}`)
  setFlagsFromString(`--memory-reducer-gc-count=${atRest}`)
}
