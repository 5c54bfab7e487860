import { isToolError, ToolError } from '@surehand/core'
import {
  fromCache,
  GENERATOR_VERSION,
  graphqlSource,
  graphqlTools,
  INTROSPECTION_QUERY,
  ONE_OF_QUERY,
  PLAIN_INTROSPECTION_QUERY,
  readIntrospectionAnswer,
} from '@surehand/graphql'
import type { SourceKind } from '@surehand/imports'
import type { SecurityNeed, SourceAnswer } from '@surehand/vault'
import { z } from 'zod'
import { createSend, fetchDocument, importCall, type OutboundContext } from './create-send.ts'
import { prepareGraphqlInTime } from './prepare-document.ts'
import { PREPARED, throwUnreadable } from './prepared.ts'
import { isWithoutName, readForm } from './read-form.ts'

const Endpoint = z
  .url({ protocol: /^https?$/ })
  .refine(isWithoutName, 'contains a user name or password: store those as a credential')
/** `endpoint` alone is introspected; `schema` is the address of a published schema document. */
const From = z.strictObject({ endpoint: Endpoint, schema: Endpoint.exactOptional() })
const Settings = z.strictObject({
  endpoint: Endpoint,
  /** `mutation.createIssue`, `mutation.*`, `query.repository.issues`. */
  allow: z.array(z.string().min(1)).max(5_000).exactOptional(),
  overlay: z.record(z.string(), z.record(z.string(), z.json())).exactOptional(),
  /** How the server authenticates requests: a schema does not say it. */
  auth: z.enum(['none', 'bearer', 'basic']).default('none'),
  credential: z.string().min(1).max(96).exactOptional(),
  maxDepth: z.int().min(1).max(8).exactOptional(),
  maxCost: z.int().min(1).max(10_000).exactOptional(),
})
type Settings = z.infer<typeof Settings>
export type GraphqlSettings = Settings

const SCHEME = 'server'
const MOST_SCHEMA_BYTES = 32 * 1_048_576

/** Tools from GraphQL schemas. */
export function graphqlKind(parts: OutboundContext): SourceKind {
  return {
    kind: 'graphql',
    generator: GENERATOR_VERSION,
    readFrom: (from) => readForm(From, from, 'the place of a GraphQL schema'),
    readSettings: (written) => readForm(Settings, written, "a GraphQL import's settings"),
    prepare: (document, { name, settings }) =>
      prepareGraphqlInTime({ document, name, settings: settings as Settings }),
    open(prepared, { settings, port, schemas }) {
      const operations = fromCache(prepared, PREPARED)?.operations ?? throwUnreadable()
      const { auth, credential } = settings as Settings
      const send = createSend(parts, credential === undefined ? {} : { [SCHEME]: credential })
      return {
        tools: graphqlTools(operations, { port, schemas }),
        source: graphqlSource(operations, send, {
          security: securityOf(auth),
          keep: parts.keep,
        }),
      }
    },
    async fetch(from, fetching) {
      const { endpoint, schema } = from as z.infer<typeof From>
      const { auth, credential } = fetching.settings as Settings
      const send = createSend(parts, credential === undefined ? {} : { [SCHEME]: credential })
      const call = importCall(fetching.name, fetching.by)
      if (schema !== undefined) return fetchDocument(send, schema, call, fetching.signal)
      const ask = (query: string): Promise<SourceAnswer> =>
        send(
          {
            method: 'POST',
            url: endpoint,
            headers: {
              'content-type': 'application/json',
              accept: 'application/graphql-response+json, application/json',
            },
            body: JSON.stringify({ query }),
            security: securityOf(auth),
            maxBytes: MOST_SCHEMA_BYTES,
          },
          call,
          fetching.signal,
        )
      return introspect(ask, new URL(endpoint).host)
    },
  }
}

function securityOf(auth: Settings['auth']): readonly (readonly SecurityNeed[])[] {
  return auth === 'none' ? [] : [[{ scheme: SCHEME, scopes: [], type: 'http', http: auth }]]
}

async function introspect(
  ask: (query: string) => Promise<SourceAnswer>,
  host: string,
): Promise<string> {
  const first = await ask(INTROSPECTION_QUERY)
  // An older server refuses newer introspection fields: it gets the older query.
  const answer = isRefused(first) ? await ask(PLAIN_INTROSPECTION_QUERY) : first
  try {
    return JSON.stringify(readIntrospectionAnswer(answer, await ask(ONE_OF_QUERY)))
  } catch (thrown) {
    // The address is the mistake, unless the server has failed.
    if (!isToolError(thrown) || answer.status >= 500) throw thrown
    throw new ToolError(
      'TOOL_INVALID_FIELD_VALUE',
      `${host} cannot be introspected. ${thrown.message}`,
      {
        suggestions: [
          'Check the endpoint, and whether it needs --auth and a credential. Where introspection is switched off, give the published schema with --schema.',
        ],
        cause: thrown,
      },
    )
  }
}

function isRefused({ status, body }: SourceAnswer): boolean {
  return (
    status === 400 ||
    (status === 200 && !new TextDecoder().decode(body.subarray(0, 200_000)).includes('"__schema"'))
  )
}
