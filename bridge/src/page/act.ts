import { fill } from './fields.ts'
import { formOf, submitForm } from './forms.ts'
import type { Command } from './messages.ts'
import {
  attribute,
  closestOf,
  FIELD,
  type Field,
  fieldsOf,
  findAll,
  isMatch,
  isUnhandled,
  isVisible,
} from './natives.ts'
import { refuse } from './reply.ts'
import { findTarget, findTargets } from './targets.ts'

type Act = Extract<Command, { do: 'act' }>

/**
 * An action of the site: of the elements with this `data-action`, the one whose data attributes say
 * what the parameters say. Other parameters go into fields of the same name; then it is submitted,
 * pressed or followed.
 */
export function act({ action, selector, params }: Act): boolean {
  const all = findTargets(action, selector).filter(isVisible)
  const [target] = Object.entries(params).reduce((left, [name, value]) => {
    const named = left.filter((element) => dataOf(element, name) !== null)
    return named.length > 0
      ? named.filter((element) => dataOf(element, name) === String(value))
      : left
  }, all)
  if (!target) {
    if (all.length === 0) findTarget(selector ?? action)
    refuse('not_found', 'No such element.')
  }
  const rest = Object.entries(params).filter(([name]) => dataOf(target, name) === null)
  for (const [name, value] of rest) fill(fieldFor(target, name), String(value))
  return press(target)
}

/** `productId` is `data-product-id` on the element. */
const dataOf = (element: Element, name: string): string | null =>
  /^[\w-]+$/.test(name)
    ? attribute(element, `data-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`)
    : null

function fieldFor(target: HTMLElement, name: string): Field {
  const form = closestOf(target, 'form') ?? (target as HTMLButtonElement).form
  const fields = form ? fieldsOf(form as HTMLFormElement) : (findAll(FIELD, target) as Field[])
  const field = isMatch(target, FIELD) ? target : fields.find((one) => one.name === name)
  if (field) return field as Field
  refuse('not_found', `No field ${name}.`)
}

function press(target: HTMLElement): boolean {
  if (isMatch(target, FIELD)) return false
  const meant = formOf(target)
  if (meant) return submitForm(meant, true)
  const link = closestOf(target, 'a[href]') as HTMLAnchorElement | null
  if (link && link.origin !== location.origin) refuse('not_allowed', 'Another site.')
  const isFollowed = isUnhandled('click', () => HTMLElement.prototype.click.call(target))
  return (
    link !== null &&
    isFollowed &&
    !link.target &&
    link.pathname + link.search !== location.pathname + location.search
  )
}
