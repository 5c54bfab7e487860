import { ToolError } from '@surehand/core'
import type { ServerPlan } from '../operation/operation.ts'

/** What a tenant sets for a document: never what a model says. */
export type ServerSettings = {
  /** Stands in for the document's own server. */
  readonly baseUrl?: string
  /** Stand in for servers of single operations, by their url as the document writes it. */
  readonly bases?: Readonly<Record<string, string>>
  readonly variables?: Readonly<Record<string, string>>
}

/** Where requests of an operation go: an origin and a path prefix that no argument can leave. */
export function baseUrl(server: ServerPlan, settings: ServerSettings): URL {
  const given = server.isMain ? settings.baseUrl : undefined
  const text = given ?? own(settings.bases, server.url) ?? filled(server, settings.variables ?? {})
  if (!URL.canParse(text))
    throw unusable(`"${text.slice(0, 200)}" is no address; set the server's base URL`)
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw unusable(`${url.protocol} is neither http nor https`)
  if (url.username !== '' || url.password !== '')
    throw unusable('it holds a user name or a password')
  if (url.search !== '' || url.hash !== '') throw unusable('it has a query or a fragment')
  return url
}

function filled({ url, variables }: ServerPlan, values: Readonly<Record<string, string>>): string {
  return url.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => {
    const variable = own(variables, name)
    const value = own(values, name) ?? variable?.default ?? ''
    if (value === '') throw unusable(`its variable "${name}" has no value`)
    if (variable?.values && !variable.values.includes(value))
      throw unusable(`its variable "${name}" must be one of ${variable.values.join(', ')}`)
    // a variable may be a port, a host, or a path with slashes: it is the tenant's word, but it can't smuggle in a user or a query
    if (/[@?#\\\s]/.test(value))
      throw unusable(
        `its variable "${name}" holds a character that would change what the address means`,
      )
    return value
  })
}

function own<T>(record: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined
}

function unusable(why: string): ToolError {
  return new ToolError(
    'TOOL_CONFIGURATION_ERROR',
    `The server of this tool can't be used: ${why}.`,
    { effect: 'none' },
  )
}
