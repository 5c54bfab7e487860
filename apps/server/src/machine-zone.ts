import { readlinkSync, statSync } from 'node:fs'

const ZONES = '/usr/share/zoneinfo/'
const NAME =
  /^(?:Africa|America|Antarctica|Asia|Atlantic|Australia|Europe|Indian|Pacific)(?:\/[A-Za-z0-9_+-]+)+$/

/** The zone of this machine's clock, by its IANA name, as the environment's `TZ` or the system says it. */
export function machineZone(said: string | undefined, localtime = '/etc/localtime'): string {
  const name = said === undefined || said === '' ? linkedZone(localtime) : said
  if (name === 'UTC' || name === 'Etc/UTC') return 'UTC'
  // Intl says the same, but reads half the calendars of the world first
  return NAME.test(name) && isFile(ZONES + name)
    ? name
    : new Intl.DateTimeFormat().resolvedOptions().timeZone
}

function linkedZone(path: string): string {
  try {
    return readlinkSync(path).split('/zoneinfo/').at(-1) ?? ''
  } catch {
    // a copy instead of a link, or a system that keeps it elsewhere
    return ''
  }
}

// a folder of zones is none
function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}
