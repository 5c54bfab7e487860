import { setFlagsFromString } from 'node:v8'

/**
 * From now on, all of the memory is collected when what lives in it has grown by this percentage. 0
 * leaves that to V8, whose choice is a tenth where little is allocated for long.
 *
 * A server that does little for eight seconds collects its memory as well. V8 would also pack
 * it then, which stops everything for longer.
 */
export function setHeapGrowth(percent: number): void {
  if (percent === 0) return
  setFlags(percent, '--no-memory-reducer-favors-memory')
  process.off('exit', resetFlags)
  // V8 accepts compiled code only from a process with the same flags: the code cache is written at
  // the end, and read before this is called. First of all listeners, because one of them writes it.
  process.prependListener('exit', resetFlags)
}

function resetFlags(): void {
  setFlags(0, '--memory-reducer-favors-memory')
}

function setFlags(percent: number, packing: string): void {
  setFlagsFromString(`--heap-growing-percent=${percent}`)
  setFlagsFromString(packing)
}
