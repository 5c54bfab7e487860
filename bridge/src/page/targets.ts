import { findCandidates } from './candidates.ts'
import { findAll, isVisible } from './natives.ts'
import { refuse } from './reply.ts'

const ACTION = /^[A-Za-z][\w.-]*$/
// A selector that compares values would tell, by matching or not, what is in a hidden field; one
// with nested :has() can keep the page busy for seconds.
const HOSTILE = /\[\s*value\b|:has\(.*:has\(|(?:\*[^,]*){5}|(?:,[^,]*){20}/is

/** Every element that is meant: by its `data-action` first, then by selector. */
export function findTargets(selector: string, inside?: string): HTMLElement[] {
  if (HOSTILE.test(selector)) refuse('not_allowed', 'Selector refused.')
  const actions = ACTION.test(selector) ? findAll(`[data-action="${selector}"]`) : []
  try {
    const found = actions.length > 0 ? actions : findAll(selector)
    if (!inside) return found
    const within = new Set(findTargets(inside))
    return found.filter((element) => within.has(element))
  } catch (error) {
    if (!(error instanceof Error)) throw error
    refuse('not_found', 'Not a selector.')
  }
}

/** The first visible element that is meant, or a refusal that names what could be meant. */
export function findTarget(selector: string): HTMLElement {
  const found = findTargets(selector)
  const target = found.find(isVisible)
  if (target) return target
  if (found.length > 0) refuse('not_allowed', 'Not visible.')
  refuse('not_found', 'No such element.', {
    candidates: findCandidates(selector.replace(/[^\p{L}\p{N}]+/gu, ' ')),
  })
}
