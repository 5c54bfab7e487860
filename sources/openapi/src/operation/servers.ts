import { isRecord } from '@surehand/core/internal'
import { LeftOut } from '../document/left-out.ts'
import { type Fields, own, ownList, ownRecord, ownText } from '../document/record.ts'
import type { ServerPlan } from './operation.ts'

// Placeholder base, so that relative server URLs can be compared.
const NOWHERE = 'https://document.invalid/'

export type ServerChoice = {
  /** The document's own server. */
  readonly main: ServerPlan
  readonly address: string | undefined
  /** Further origins that operations may be sent to. */
  readonly origins: readonly string[]
}

/**
 * The server of an operation, its path or the document. An origin other than the document's must be
 * allowed.
 */
export function chooseServer(
  operation: Fields,
  item: Fields,
  { main, address, origins }: ServerChoice,
): ServerPlan {
  const nearest = firstServer(operation, address) ?? firstServer(item, address)
  if (nearest === undefined || nearest.url === main.url) return main
  const origin = originOf(nearest.url)
  if (origin !== originOf(main.url) && !origins.includes(origin))
    throw new LeftOut(
      `its server ${origin} is not the document's (${originOf(main.url)}); allow it with "origins"`,
    )
  return { ...nearest, isMain: false }
}

/** The document's own server, or the address that the document was fetched from. */
export function mainServer(root: Fields, address: string | undefined): ServerPlan {
  const first = firstServer(root, address) ?? {
    url: address === undefined ? '' : new URL('/', address).href,
    variables: {},
  }
  return { ...first, isMain: true }
}

function firstServer(holder: Fields, address: string | undefined): ServerPlan | undefined {
  const servers = ownList(holder, 'servers').filter(isRecord)
  const [server] = servers
  const written = ownText(server, 'url')
  // Credentials are never sent in the clear, so the same server with TLS is used where it is named.
  const secure = written?.replace(/^http:/i, 'https:')
  const url = servers.some((one) => ownText(one, 'url') === secure) ? secure : written
  if (server === undefined || url === undefined) return undefined
  return {
    url: toAbsolute(url, address),
    variables: readVariables(ownRecord(server, 'variables') ?? {}),
    isMain: false,
  }
}

// `URL` would encode the braces of variables, so they are restored. An empty URL means the root, as
// where no server is named; resolved as a reference, it would be the document itself.
function toAbsolute(written: string, address: string | undefined): string {
  const url = written === '' && address !== undefined ? '/' : written
  if (address === undefined || /^(?:https?:\/\/|\{)/i.test(url)) return url
  const braces = url.replaceAll('{', '%7B').replaceAll('}', '%7D')
  return URL.canParse(braces, address)
    ? new URL(braces, address).href.replaceAll(/%7B/gi, '{').replaceAll(/%7D/gi, '}')
    : url
}

function readVariables(variables: Fields): ServerPlan['variables'] {
  const entries = Object.keys(variables).map((name) => {
    const values = own(variables[name], 'enum')
    const usual = own(variables[name], 'default')
    return [
      name,
      {
        default: typeof usual === 'string' || typeof usual === 'number' ? String(usual) : '',
        values: Array.isArray(values) ? values.map(String) : null,
      },
    ] as const
  })
  return Object.fromEntries(entries.filter(([name]) => name !== '__proto__'))
}

// An origin with variables is compared as written.
function originOf(url: string): string {
  const written = /^(https?:\/\/[^/?#]*)/i.exec(url)?.[1]
  if (written?.includes('{')) return written.toLowerCase()
  return URL.canParse(url, NOWHERE) ? new URL(url, NOWHERE).origin : url
}
