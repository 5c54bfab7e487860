/** What a text of each format looks like, for hints and for problems. */
export const FORMAT_EXAMPLES: Readonly<Record<string, string>> = {
  date: 'a date, such as 2026-11-15',
  time: 'a time, such as 09:30:00',
  'date-time': 'a date and time, such as 2026-11-15T09:30:00Z',
  email: 'an email address',
  uri: 'an address, such as https://example.com',
}
