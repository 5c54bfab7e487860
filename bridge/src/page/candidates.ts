import { attribute, closestOf, FIELD, type Field, findAll, isMatch, isVisible } from './natives.ts'
import type { Candidate } from './reply.ts'

const MAX = 20
const LANDMARK =
  'nav,main,search,section,form,aside,header,footer,[role=navigation],[role=main],[role=search],[role=region]'
const INTERACTIVE = `a[href],button,[data-action],[role=button],${FIELD}`

// biome-ignore lint/performance/useDomNodeTextContent: textContent has what the page hides, too
const textOf = (element: HTMLElement | undefined): string => element?.innerText ?? ''

/** What a person or a screen reader calls the element. */
export function nameOf(element: HTMLElement): string {
  const name =
    attribute(element, 'aria-label') ||
    textOf((element as Field).labels?.[0]) ||
    (isMatch(element, `form,${FIELD}`) ? '' : textOf(element)) ||
    ['alt', 'title', 'placeholder'].map((one) => attribute(element, one)).find(Boolean) ||
    ''
  return name.replace(/\s+/g, ' ').trim().slice(0, 120)
}

const roleOf = (element: Element): string => attribute(element, 'role') ?? element.localName

/** The landmark that the element is in. The widget turns the names of elements into roles. */
function landmarkOf(element: Element): Candidate['landmark'] {
  const landmark = closestOf(element, LANDMARK)
  const name = landmark && attribute(landmark, 'aria-label')
  return landmark ? { role: roleOf(landmark), ...(name && { name }) } : undefined
}

/** The shortest selector that finds this element again, and nothing before it. */
function selectorOf(element: Element): string {
  const { localName, parentElement } = element
  const short = ['id', 'data-action']
    .map((name) => [name, attribute(element, name)] as const)
    .map(([name, value]) => (value ? `[${name}="${CSS.escape(value)}"]` : ''))
    .find((one) => one && findAll(one).length === 1)
  if (short || !parentElement) return short || localName
  const same = [...parentElement.children].filter((one) => one.localName === localName)
  return `${selectorOf(parentElement)}>${localName}:nth-of-type(${same.indexOf(element) + 1})`
}

/** Elements that could be meant by these words, the best first, with the landmarks they are in. */
export function findCandidates(words: string): Candidate[] {
  const wanted = words.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? []
  return findAll(INTERACTIVE)
    .slice(0, 2_000)
    .map((element) => {
      const action = attribute(element, 'data-action')
      const name = nameOf(element)
      const spoken = `${name} ${action}`.toLowerCase()
      const hits = wanted.filter((word) => spoken.includes(word)).length
      return { element, action, name, hits }
    })
    .filter(({ element, hits }) => hits > 0 && isVisible(element))
    .sort((one, other) => other.hits - one.hits)
    .slice(0, MAX)
    .map(({ element, action, name }) => {
      const landmark = landmarkOf(element)
      return {
        selector: selectorOf(element),
        name,
        role: roleOf(element),
        ...(action && { action }),
        ...(landmark && { landmark }),
      }
    })
}
