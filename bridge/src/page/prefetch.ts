import { insert } from './natives.ts'

/** Asks the browser to load pages of this site beforehand. It ignores what it has loaded already. */
export function prefetch(
  paths: readonly string[],
  mode: 'prefetch' | 'prerender',
  nonce: string,
): void {
  const urls = paths
    .map((path) => new URL(path, location.origin))
    .filter(({ origin }) => origin === location.origin)
    .map(({ href }) => href)
  if (HTMLScriptElement.supports?.('speculationrules'))
    insert('script', {
      type: 'speculationrules',
      nonce,
      textContent: JSON.stringify({ [mode]: [{ source: 'list', urls, eagerness: 'immediate' }] }),
    })
  else for (const href of urls) insert('link', { rel: 'prefetch', href })
}
