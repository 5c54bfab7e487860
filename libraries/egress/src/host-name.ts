/**
 * A problem with a host name that is found before DNS. A `malformed` name is always refused; a
 * `local` one can be allowed by policy.
 */
export type NameProblem = { readonly kind: 'malformed' | 'local'; readonly what: string }

const MAX_NAME_LENGTH = 253
const LABEL = /^[a-z0-9_-]{1,63}$/

// These names are private to a local network. On the internet, an attacker could register or answer
// them.
const LOCAL_ENDINGS = new Set([
  'alt',
  'arpa',
  'corp',
  'home',
  'internal',
  'intranet',
  'invalid',
  'lan',
  'local',
  'localdomain',
  'localhost',
  'onion',
  'private',
])

/** Checks a host name as the URL parser returns it: lower case, with IDNA applied. */
export function checkHostName(name: string): NameProblem | undefined {
  const labels = name.split('.')
  if (name.length > MAX_NAME_LENGTH || !labels.every((label) => LABEL.test(label)))
    return { kind: 'malformed', what: 'it is not a valid host name' }
  const ending = labels.at(-1) ?? ''
  if (ending === 'localhost') return { kind: 'local', what: 'it is the name of this machine' }
  if (labels.length === 1)
    return { kind: 'local', what: 'a name without a dot belongs to the local network' }
  if (LOCAL_ENDINGS.has(ending))
    return { kind: 'local', what: `names under .${ending} belong to local networks` }
  return undefined
}
