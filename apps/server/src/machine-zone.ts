import { readlinkSync, statSync } from 'node:fs'

const ZONES = '/usr/share/zoneinfo/'
const NAME =
  /^(?:Africa|America|Antarctica|Asia|Atlantic|Australia|Europe|Indian|Pacific)(?:\/[A-Za-z0-9_+-]+)+$/

/** The machine's time zone by its IANA name, from `TZ` or the system. */
export function machineZone(variable: string | undefined, localtime = '/etc/localtime'): string {
  const name = variable === undefined || variable === '' ? linkedZone(localtime) : variable
  if (name === 'UTC' || name === 'Etc/UTC') return 'UTC'
  // Intl gives the same result, but loads calendar data first, which takes milliseconds.
  return NAME.test(name) && isFile(ZONES + name)
    ? name
    : new Intl.DateTimeFormat().resolvedOptions().timeZone
}

function linkedZone(path: string): string {
  try {
    return readlinkSync(path).split('/zoneinfo/').at(-1) ?? ''
  } catch {
    // A copy instead of a link, or a system that stores it elsewhere.
    return ''
  }
}

// A folder of zones is not a zone.
function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}
