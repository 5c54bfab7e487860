const asked = new Set<string>()

/** Asks the browser to load pages of this site beforehand, once each. */
export function prefetch(
  paths: readonly string[],
  mode: 'prefetch' | 'prerender',
  nonce: string,
): void {
  const urls = paths
    .map((path) => new URL(path, location.origin))
    .filter(({ origin, href }) => origin === location.origin && !asked.has(href))
    .map(({ href }) => href)
  if (urls.length === 0) return
  for (const url of urls) asked.add(url)
  if (HTMLScriptElement.supports?.('speculationrules')) {
    const script = document.createElement('script')
    script.type = 'speculationrules'
    script.nonce = nonce
    script.textContent = JSON.stringify({
      [mode]: [{ source: 'list', urls, eagerness: 'immediate' }],
    })
    document.documentElement.append(script)
    return
  }
  for (const href of urls)
    document.documentElement.append(
      Object.assign(document.createElement('link'), { rel: 'prefetch', href }),
    )
}
