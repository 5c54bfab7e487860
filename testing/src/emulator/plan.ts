import type { Fault } from './fault.ts'

/** The requests that a planned fault applies to. A field that is left out matches any request. */
export type Target = { readonly method?: string; readonly path?: string }

export type PlannedFault = {
  readonly fault: Fault
  readonly times: number
  readonly target: Target
}

/** Faults for future requests, first in, first out. */
export type Plan = {
  readonly add: (planned: PlannedFault) => void
  readonly list: () => readonly PlannedFault[]
  readonly clear: () => void
  /** Removes and returns the fault for this request. */
  readonly take: (method: string, path: string) => Fault | undefined
}

export function createPlan(): Plan {
  let waiting: readonly PlannedFault[] = []
  return {
    add(planned) {
      waiting = [...waiting, planned]
    },
    list: () => waiting,
    clear() {
      waiting = []
    },
    take(method, path) {
      const found = waiting.find(({ target }) => isTarget(target, method, path))
      if (found === undefined) return undefined
      waiting = waiting.flatMap((one) =>
        one !== found ? [one] : one.times > 1 ? [{ ...one, times: one.times - 1 }] : [],
      )
      return found.fault
    },
  }
}

function isTarget(target: Target, method: string, path: string): boolean {
  return (
    (target.method === undefined || target.method === method) &&
    (target.path === undefined || path.startsWith(target.path))
  )
}
