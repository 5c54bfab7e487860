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
