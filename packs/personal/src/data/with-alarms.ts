/** The same calendar, with an alarm at the start of the events with these ids. Lines of a calendar are never cut inside `UID:`. */
export function withAlarms(text: string, uids: ReadonlySet<string>): string {
  return text
    .split(/(?<=END:VEVENT\r\n)/)
    .map((part) => {
      const [, uid = ''] = /\r\nUID:((?:[^\r]|\r\n[ \t])*)\r\n(?![ \t])/.exec(part) ?? []
      return uids.has(uid.replace(/\r\n[ \t]/g, ''))
        ? part.replace(/END:VEVENT\r\n$/, `${ALARM}END:VEVENT\r\n`)
        : part
    })
    .join('')
}

const ALARM = [
  'BEGIN:VALARM',
  'ACTION:DISPLAY',
  'DESCRIPTION:Reminder',
  'TRIGGER:PT0S',
  'END:VALARM',
  '',
].join('\r\n')
