import { isRecord } from '@surehand/core/internal'
import { LeftOut } from './left-out.ts'
import { LIMITS } from './limits.ts'
import { type Fields, ownText } from './record.ts'

/** Resolves a `$ref` within this document. Nothing is ever fetched. */
export function resolveReference(root: Fields, reference: string): unknown {
  if (!reference.startsWith('#'))
    throw new LeftOut(`it refers to "${reference.slice(0, 200)}", which is outside the document`)
  if (reference !== '#' && !reference.startsWith('#/'))
    throw new LeftOut(
      `it refers to the anchor "${reference.slice(0, 200)}", and anchors are not supported`,
    )
  let current: unknown = root
  for (const step of reference.slice(2).split('/')) {
    const name = unescapeStep(step)
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, name))
      throw new LeftOut(`it refers to "${reference.slice(0, 200)}", which is not in the document`)
    current = (current as Fields)[name]
  }
  return current
}

export type Targets = { readonly target: (reference: string) => unknown }

/** The object itself or, if it is a reference, the object that it leads to. */
export function followReference(targets: Targets, value: unknown, what: string): Fields {
  let current = value
  for (let step = 0; step < LIMITS.referenceChain; step++) {
    if (!isRecord(current)) throw new LeftOut(`${what} is not an object`)
    const reference = ownText(current, '$ref')
    if (reference === undefined) return current
    current = targets.target(reference)
  }
  throw new LeftOut(`${what} is a chain of more than ${LIMITS.referenceChain} references`)
}

function unescapeStep(step: string): string {
  const plain = step.includes('%') ? decodeStep(step) : step
  return plain.includes('~') ? plain.replaceAll('~1', '/').replaceAll('~0', '~') : plain
}

function decodeStep(step: string): string {
  try {
    return decodeURIComponent(step)
  } catch {
    return step
  }
}
