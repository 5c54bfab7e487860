import type { ForeignCall } from '@surehand/core/host'
import type { SourceRequest } from '@surehand/vault'
import { own } from '../document/record.ts'
import type { Operation, ParameterPlan } from '../operation/operation.ts'
import { baseUrl, type ServerSettings } from './base-url.ts'
import { encodeBody } from './encode-body.ts'
import { invalidArgument } from './invalid-argument.ts'
import { percentLiteral } from './percent.ts'
import { joinWithin, refuseEscape } from './safe-path.ts'
import { cookieText, headerValue, pathValue, queryPairs } from './serialize-parameter.ts'

export type RequestSettings = ServerSettings & {
  /** How many bytes of an answer are read at most. */
  readonly maxBytes?: number
}

const MAX_BYTES = 5 * 1024 * 1024

/** Builds the request of a call, complete except for credentials. */
export function buildRequest(
  { plan, contract }: Operation,
  call: Pick<ForeignCall, 'input' | 'idempotencyKey'>,
  settings: RequestSettings,
): SourceRequest {
  const given = plan.parameters.flatMap((parameter) => {
    const value = own(call.input, parameter.argument)
    return value === undefined || value === null ? leaveOut(parameter) : [{ parameter, value }]
  })
  const of = (place: ParameterPlan['in']) => given.filter(({ parameter }) => parameter.in === place)
  const query = of('query').flatMap(({ parameter, value }) => queryPairs(parameter, value))
  const cookies = of('cookie')
    .map(({ parameter, value }) => cookieText(parameter, value))
    .filter((text) => text !== '')
  const body = own(call.input, 'body')
  const encoded = plan.body === null || body === undefined ? undefined : encodeBody(plan.body, body)
  const headers: Record<string, string> = { accept: plan.accept }
  for (const { parameter, value } of of('header'))
    headers[parameter.name.toLowerCase()] = headerValue(parameter, value)
  if (cookies.length > 0) headers.cookie = cookies.join('; ')
  if (encoded !== undefined) headers['content-type'] = encoded.contentType
  if (plan.idempotencyHeader !== null && contract.by === 'writeOnce')
    headers[plan.idempotencyHeader.toLowerCase()] = call.idempotencyKey
  const search = query.map((pair) => pair.join('=')).join('&')
  return {
    method: plan.method,
    url: joinWithin(
      baseUrl(plan.server, settings),
      fillPath(plan.path, of('path')),
      search === '' ? '' : `?${search}`,
    ),
    headers,
    ...(encoded === undefined ? {} : { body: encoded.body }),
    security: plan.security,
    maxBytes: settings.maxBytes ?? MAX_BYTES,
  }
}

type Given = { readonly parameter: ParameterPlan; readonly value: unknown }

function leaveOut({ argument, isRequired, in: place }: ParameterPlan): readonly Given[] {
  if (isRequired && place === 'path')
    throw invalidArgument(argument, 'is missing, and without it the path would lead elsewhere')
  return []
}

function fillPath(template: string, given: readonly Given[]): string {
  const values = new Map(
    given.map(({ parameter, value }) => [parameter.name, fillSegment(parameter, value)]),
  )
  const segments = template.split('/').map((segment) => {
    if (!segment.includes('{')) return percentLiteral(segment)
    // Every second part is the name of a parameter.
    const filled = segment
      .split(/\{([^{}]+)\}/)
      .map((part, index) => (index % 2 === 0 ? percentLiteral(part) : (values.get(part) ?? '')))
    // Two harmless arguments can form ".." together.
    refuseEscape(given[0]?.parameter.argument ?? '', filled.join(''))
    return filled.join('')
  })
  return segments.join('/')
}

function fillSegment(parameter: ParameterPlan, value: unknown): string {
  for (const text of listTexts(value)) refuseEscape(parameter.argument, text)
  return pathValue(parameter, value)
}

function listTexts(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [String(value)]
  return Object.values(value).flatMap(listTexts)
}
