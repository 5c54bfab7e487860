/** What is wrong with a name, before anybody looks it up. `malformed` is never reached; `local` may be opened by name. */
export type NameFault = { readonly kind: 'malformed' | 'local'; readonly what: string }

const MAX_NAME = 253
const LABEL = /^[a-z0-9_-]{1,63}$/

// they mean something in a network of one's own only; outside, whoever registers or answers them first owns them
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

/** A host as the URL parser left it: lower case, IDNA applied. */
export function nameFault(name: string): NameFault | undefined {
  const labels = name.split('.')
  if (name.length > MAX_NAME || !labels.every((label) => LABEL.test(label)))
    return { kind: 'malformed', what: 'it is no host name' }
  const ending = labels.at(-1) ?? ''
  if (ending === 'localhost') return { kind: 'local', what: 'it means this machine' }
  if (labels.length === 1)
    return { kind: 'local', what: 'a name without a dot means a machine of a network of our own' }
  if (LOCAL_ENDINGS.has(ending))
    return { kind: 'local', what: `names under .${ending} mean machines of a network of our own` }
  return undefined
}
