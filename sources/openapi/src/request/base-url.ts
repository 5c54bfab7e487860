import { ToolError } from '@surehand/core'
import type { ServerPlan } from '../operation/operation.ts'

/** Set by the tenant, never by a model. */
export type ServerSettings = {
  /** Replaces the document's own server. */
  readonly baseUrl?: string
  /** Replace servers of single operations, by their URL as written in the document. */
  readonly bases?: Readonly<Record<string, string>>
  readonly variables?: Readonly<Record<string, string>>
}

/** The base URL of an operation's requests. No argument can leave its origin and path. */
export function baseUrl(server: ServerPlan, settings: ServerSettings): URL {
  const given = server.isMain ? settings.baseUrl : undefined
  const text =
    given ?? own(settings.bases, server.url) ?? fillVariables(server, settings.variables ?? {})
  if (!URL.canParse(text))
    throw serverError(`"${text.slice(0, 200)}" is no address; set the server's base URL`)
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw serverError(`${url.protocol} is neither http nor https`)
  if (url.username !== '' || url.password !== '')
    throw serverError('it holds a user name or a password')
  if (url.search !== '' || url.hash !== '') throw serverError('it has a query or a fragment')
  return url
}

function fillVariables(
  { url, variables }: ServerPlan,
  values: Readonly<Record<string, string>>,
): string {
  return url.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => {
    const variable = own(variables, name)
    const value = own(values, name) ?? variable?.default ?? ''
    if (value === '') throw serverError(`its variable "${name}" has no value`)
    if (variable?.values && !variable.values.includes(value))
      throw serverError(`its variable "${name}" must be one of ${variable.values.join(', ')}`)
    // A variable may be a port, a host or a path with slashes, but it must not add a user name or a
    // query.
    if (/[@?#\\\s]/.test(value))
      throw serverError(
        `its variable "${name}" contains a character that would change the meaning of the address`,
      )
    return value
  })
}

function own<T>(record: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined
}

function serverError(why: string): ToolError {
  return new ToolError(
    'TOOL_CONFIGURATION_ERROR',
    `The server of this tool can't be used: ${why}.`,
    { effect: 'none' },
  )
}
