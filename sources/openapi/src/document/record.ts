import { isRecord } from '@surehand/core/internal'
/** An object of a document, whose members are not yet checked. */
export type Fields = Readonly<Record<string, unknown>>

/** A member of the object itself, never one of Object.prototype. */
export function own(value: unknown, name: string): unknown {
  if (!isRecord(value)) return undefined
  const member = value[name]
  // Most members are absent; `hasOwn` is needed only for those that are present.
  return member !== undefined && Object.hasOwn(value, name) ? member : undefined
}

export function ownRecord(value: unknown, name: string): Fields | undefined {
  const member = own(value, name)
  return isRecord(member) ? member : undefined
}

export function ownText(value: unknown, name: string): string | undefined {
  const member = own(value, name)
  return typeof member === 'string' ? member : undefined
}

export function ownList(value: unknown, name: string): readonly unknown[] {
  const member = own(value, name)
  return Array.isArray(member) ? member : []
}

/** Sets a member even if it is called `__proto__`. */
export function setOwn(target: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') target[name] = value
  else
    Object.defineProperty(target, name, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    })
}
