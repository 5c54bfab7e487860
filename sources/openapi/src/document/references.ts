import { isRecord } from '@surehand/core/internal'
import { LeftOut } from './left-out.ts'
import { LIMITS } from './limits.ts'
import { type Fields, ownText } from './record.ts'

/** What a `$ref` of this document leads to. Nothing is ever fetched. */
export function resolveReference(root: Fields, reference: string): unknown {
  if (!reference.startsWith('#'))
    throw new LeftOut(`it refers to "${reference.slice(0, 200)}", which is outside of the document`)
  if (reference !== '#' && !reference.startsWith('#/'))
    throw new LeftOut(`it refers to the anchor "${reference.slice(0, 200)}"`)
  let current: unknown = root
  for (const step of reference.slice(2).split('/')) {
    const name = unescaped(step)
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, name))
      throw new LeftOut(`it refers to "${reference.slice(0, 200)}", which is not in the document`)
    current = (current as Fields)[name]
  }
  return current
}

/** Who remembers what a reference leads to. */
export type Targets = { readonly target: (reference: string) => unknown }

/** An object of the document itself, or the one it refers to. */
export function followed(targets: Targets, value: unknown, what: string): Fields {
  let current = value
  for (let step = 0; step < LIMITS.referenceChain; step++) {
    if (!isRecord(current)) throw new LeftOut(`${what} is no object`)
    const reference = ownText(current, '$ref')
    if (reference === undefined) return current
    current = targets.target(reference)
  }
  throw new LeftOut(`${what} refers to another for more than ${LIMITS.referenceChain} times`)
}

function unescaped(step: string): string {
  const plain = step.includes('%') ? decoded(step) : step
  return plain.includes('~') ? plain.replaceAll('~1', '/').replaceAll('~0', '~') : plain
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step)
  } catch {
    return step
  }
}
