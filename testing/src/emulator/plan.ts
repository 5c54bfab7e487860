import type { Fault } from './fault.ts'

/** Which requests a planned fault is for; what is left out is any. */
export type Target = { readonly method?: string; readonly path?: string }

export type Planned = { readonly fault: Fault; readonly times: number; readonly target: Target }

/** Faults that wait for their requests, first in, first out. */
export type Plan = {
  readonly add: (planned: Planned) => void
  readonly list: () => readonly Planned[]
  readonly clear: () => void
  /** The fault for this request, used up once. */
  readonly take: (method: string, path: string) => Fault | undefined
}

export function createPlan(): Plan {
  let waiting: readonly Planned[] = []
  return {
    add(planned) {
      waiting = [...waiting, planned]
    },
    list: () => waiting,
    clear() {
      waiting = []
    },
    take(method, path) {
      const found = waiting.find(({ target }) => isFor(target, method, path))
      if (found === undefined) return undefined
      waiting = waiting.flatMap((one) =>
        one !== found ? [one] : one.times > 1 ? [{ ...one, times: one.times - 1 }] : [],
      )
      return found.fault
    },
  }
}

function isFor(target: Target, method: string, path: string): boolean {
  return (
    (target.method === undefined || target.method === method) &&
    (target.path === undefined || path.startsWith(target.path))
  )
}
