import { closeSync, fdatasyncSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'

/** One effect that an emulated vendor has really had. */
export type Effect = {
  readonly number: number
  readonly at: string
  readonly request: string
  readonly effect: unknown
}

/**
 * All effects of a vendor, in order. The log only grows, and survives the process that wrote it.
 */
export type EffectLog = { readonly effects: () => readonly Effect[] }

export type WritableEffectLog = EffectLog & {
  /** The entry is on disk when this returns. */
  readonly append: (request: string, effect: unknown) => Effect
  readonly close: () => void
}

/** Opens a log of JSON lines, or one in memory where no file is named. */
export function openEffectLog(file?: string): WritableEffectLog {
  const descriptor = file === undefined ? undefined : openSync(file, 'a+')
  const effects = descriptor === undefined ? [] : readEffects(descriptor)
  let isOpen = true
  return {
    effects: () => effects,
    append(request, effect) {
      // The descriptor of a closed file may already belong to another file.
      if (!isOpen) throw new Error('The log is closed.')
      const entry = { number: effects.length + 1, at: new Date().toISOString(), request, effect }
      if (descriptor !== undefined) {
        writeSync(descriptor, `${JSON.stringify(entry)}\n`)
        fdatasyncSync(descriptor)
      }
      effects.push(entry)
      return entry
    },
    close() {
      if (isOpen && descriptor !== undefined) closeSync(descriptor)
      isOpen = false
    },
  }
}

// An incomplete last line was being written when the process died, so its effect was not reported
// to any client.
function readEffects(descriptor: number): Effect[] {
  const bytes = readFileSync(descriptor)
  const whole = bytes.subarray(0, bytes.lastIndexOf('\n') + 1)
  if (whole.length < bytes.length) ftruncateSync(descriptor, whole.length)
  const lines = whole.toString('utf8').split('\n').slice(0, -1)
  return lines.map((line): Effect => JSON.parse(line))
}
