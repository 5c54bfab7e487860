const COMPONENT = /^BEGIN:(V\w+)\r\n(?:.*\r\n)*?END:\1\r\n/gm
const END = 'END:VCALENDAR\r\n'

/**
 * One calendar with the events, to-dos and zones of several that `writeCalendar` wrote. Its name
 * and properties are those of the first; a zone that several have is in it once.
 */
export function joinCalendars([first = '', ...others]: readonly string[]): string {
  const zones = new Set(componentsOf(first).flatMap(zoneOf))
  const added = others.flatMap(componentsOf).filter((component) => {
    const [zone] = zoneOf(component)
    if (zone === undefined) return true
    if (zones.has(zone)) return false
    zones.add(zone)
    return true
  })
  const end = first.lastIndexOf(END)
  return end === -1 ? first : `${first.slice(0, end)}${added.join('')}${END}`
}

function componentsOf(calendar: string): readonly string[] {
  const inner = calendar.slice(calendar.indexOf('\r\n') + 2)
  return [...inner.matchAll(COMPONENT)].map(([component]) => component)
}

function zoneOf(component: string): readonly string[] {
  const [, zone] = /^BEGIN:VTIMEZONE\r\n(?:.*\r\n)*?TZID:(.*)\r\n/.exec(component) ?? []
  return zone === undefined ? [] : [zone]
}
