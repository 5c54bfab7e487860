// Scripts are served under `…/console/assets/`. What stands before is known to the browser alone: a
// proxy may serve Surehand under a path of its own.
const { origin, pathname } = new URL(import.meta.url)
const ROOT = pathname.slice(0, pathname.lastIndexOf('/console/assets/') + 1)

/** The path of the console, as in `/tools/console`. */
export const CONSOLE_PATH = `${ROOT}console`

/** The address of a path of this server, as in `v1/inbox`. */
export function serverUrl(path: string): string {
  return `${origin}${ROOT}${path}`
}
