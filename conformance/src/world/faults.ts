import type { Stores } from '@surehand/core'

/** Which methods of the stores are out of reach, and for how many calls. */
export type Faults = {
  /** `limits.take`, for good or for so many calls. */
  readonly break: (method: string, times?: number) => void
  readonly mend: () => void
  readonly over: (stores: Stores) => Stores
}

/** Everything that writes an audit record: with the audit out of reach, none of it works. */
export const AUDIT_METHODS = ['audit.append', 'calls.startEffect', 'calls.finish', 'calls.transact', 'calls.resolve'] as const

export function createFaults(): Faults {
  const broken = new Map<string, number>()

  function isBroken(method: string): boolean {
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
          if (isBroken(`${name}.${String(method)}`)) return Promise.reject(new Error(`${name}.${String(method)} is out of reach`))
          return value.apply(target, args) as unknown
        }
      },
    })
  }

  return {
    break: (method, times = Number.POSITIVE_INFINITY) => void broken.set(method, times),
    mend: () => broken.clear(),
    over: (stores) => Object.fromEntries(Object.entries(stores).map(([name, store]) => [name, faulty(name, store)])) as Stores,
  }
}
