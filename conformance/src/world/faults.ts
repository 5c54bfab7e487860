import type { Stores } from '@surehand/core'

/** Which methods of the stores are out of reach, and for how many calls. */
export type Faults = {
  /** `limits.take` fails permanently, or for so many calls. */
  readonly break: (method: string, times?: number) => void
  /** Everything that would write an audit record, whichever store writes it. */
  readonly breakAudit: () => void
  readonly clear: () => void
  /** Nothing is answered any more: what a test left behind stands still instead of computing on. */
  readonly stop: () => void
  readonly over: (stores: Stores) => Stores
}

export function createFaults(): Faults {
  const broken = new Map<string, number>()
  const audit = { isBroken: false }
  let isStopped = false

  function isBroken(method: string, args: readonly unknown[]): boolean {
    if (audit.isBroken && args.some(holdsRecord)) return true
    const left = broken.get(method) ?? 0
    if (left <= 0) return false
    broken.set(method, left - 1)
    return true
  }

  function faulty<S extends object>(name: string, store: S): S {
    return new Proxy(store, {
      get(target, method, receiver) {
        const value: unknown = Reflect.get(target, method, receiver)
        if (typeof value !== 'function') return value
        return (...args: readonly unknown[]) => {
          if (isStopped) return new Promise(() => undefined)
          const called = `${name}.${String(method)}`
          if (isBroken(called, args)) return Promise.reject(new Error(`${called} is out of reach`))
          return value.apply(target, args) as unknown
        }
      },
    })
  }

  return {
    break: (method, times = Number.POSITIVE_INFINITY) => void broken.set(method, times),
    breakAudit() {
      audit.isBroken = true
    },
    clear() {
      broken.clear()
      audit.isBroken = false
    },
    stop() {
      isStopped = true
    },
    over: (stores) =>
      Object.fromEntries(
        Object.entries(stores).map(([name, store]) => [name, faulty(name, store)]),
      ) as Stores,
  }
}

/** Is this an audit entry, or something that brings one along? */
function holdsRecord(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return (
    ('phase' in value && 'tool_name' in value) || ('audit' in value && holdsRecord(value.audit))
  )
}
