export function element<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`The widget's page has no element "${id}".`)
  return found as T
}

/** Text only: nothing that the server, the site or the visitor says is ever markup. */
export function create(tag: string, className: string, text = ''): HTMLElement {
  const created = document.createElement(tag)
  if (className !== '') created.className = className
  created.textContent = text
  return created
}

/** Sets the name that screen readers say, and the tooltip. */
export function label(id: string, text: string): void {
  element(id).setAttribute('aria-label', text)
  element(id).title = text
}
