import { setFlagsFromString } from 'node:v8'

/**
 * From now on, all of the memory is collected when what lives in it has grown by this percentage. 0
 * leaves that to V8, whose choice is a tenth where little is allocated for long.
 */
export function setHeapGrowth(percent: number): void {
  if (percent === 0) return
  setFlag(percent)
  process.off('exit', resetFlag)
  // V8 accepts compiled code only from a process with the same flags: the code cache is written at
  // the end, and read before this is called. First of all listeners, because one of them writes it.
  process.prependListener('exit', resetFlag)
}

function resetFlag(): void {
  setFlag(0)
}

function setFlag(percent: number): void {
  setFlagsFromString(`--heap-growing-percent=${percent}`)
}
