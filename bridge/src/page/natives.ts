// A page can hide members of `document` and of forms behind elements of the same name, as in
// <img name="querySelector"> or <input name="action">. What the bridge relies on is therefore read
// from the prototypes.

/** Throws a SyntaxError where the selector is none. */
export const findAll = (selector: string, inside?: Element): HTMLElement[] =>
  [
    ...(inside
      ? Element.prototype.querySelectorAll.call(inside, selector)
      : Document.prototype.querySelectorAll.call(document, selector)),
  ] as HTMLElement[]

const own =
  <T>(name: 'getAttribute' | 'closest' | 'matches') =>
  (element: Element, text: string): T =>
    (Element.prototype[name] as (text: string) => unknown).call(element, text) as T
export const attribute = own<string | null>('getAttribute')
export const closestOf = own<Element | null>('closest')
export const isMatch = own<boolean>('matches')

const membersOf = (form: HTMLFormElement, selector: string): Element[] =>
  [...Reflect.get(HTMLFormElement.prototype, 'elements', form)].filter((element) =>
    isMatch(element, selector),
  )
export const fieldsOf = (form: HTMLFormElement): Field[] => membersOf(form, FIELD) as Field[]
export const buttonsOf = (form: HTMLFormElement): HTMLButtonElement[] =>
  membersOf(form, SUBMITTER) as HTMLButtonElement[]

/** How to scroll: `auto` where the visitor asked their system for less motion. */
export const behaviour = (): 'auto' | 'smooth' =>
  matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth'

export type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement
export const FIELD =
  'input:not([type=submit],[type=image],[type=button],[type=reset]),select,textarea'
export const SUBMITTER =
  'button:not([type=button],[type=reset]),input[type=submit],input[type=image]'

/** The page's address without its fragment, which may hold what concerns the page alone. */
export const pageUrl = (): string => (location.href.split('#')[0] as string).slice(0, 2_048)

/** Where the visitor is. */
export const readPlace = (): { readonly url: string; readonly title: string } => ({
  url: pageUrl(),
  title: String(document.title).slice(0, 1_000),
})

/** Invisible fields are traps for robots, or hold what concerns the page alone. */
export const isVisible = (element: Element): boolean =>
  element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
  element.getBoundingClientRect().width > 1

/** Adds an element outside of the page's own content. */
export function insert<T extends keyof HTMLElementTagNameMap>(
  tag: T,
  properties: object,
): HTMLElementTagNameMap[T] {
  const element = Object.assign(document.createElement(tag), properties)
  document.documentElement.append(element)
  return element
}

/** Loads a script from where the bridge came from. It waits for an event of its name. */
export const loadScript = (
  { src, nonce }: HTMLScriptElement,
  name: string,
  detail: unknown,
): HTMLScriptElement =>
  insert('script', {
    src: src.replace(/[^/]*$/, `${name}.js`),
    nonce,
    onload: () => dispatchEvent(new CustomEvent(`surehand:${name}`, { detail })),
  })

/** Whether the page left an event that `cause` fires to the browser. */
export function isUnhandled(type: string, cause: () => void): boolean {
  let fired: Event | undefined
  const notice = (event: Event): void => {
    fired = event
  }
  addEventListener(type, notice, true)
  cause()
  removeEventListener(type, notice, true)
  return fired?.defaultPrevented === false
}
