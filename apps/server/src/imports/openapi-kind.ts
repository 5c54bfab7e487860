import type { SourceKind } from '@surehand/imports'
import {
  CACHE_FORMAT,
  fromCache,
  GENERATOR_VERSION,
  openApiSource,
  openApiTools,
} from '@surehand/openapi'
import { z } from 'zod'
import { createSend, fetchDocument, importCall, type OutboundContext } from './create-send.ts'
import { prepareInTime } from './prepare-document.ts'
import { PREPARED, throwUnreadable } from './prepared.ts'
import { isWithoutName, readForm } from './read-form.ts'

const Address = z
  .url({ protocol: /^https?$/ })
  .refine(isWithoutName, 'contains a user name or password: store those as a credential')
/** Where the document is published; absent where the importer sends it. */
const From = z.strictObject({ url: Address })
const Settings = z.strictObject({
  /** operationIds or "METHOD /path", `all`, or `reads`. */
  allow: z
    .union([z.array(z.string().min(1)).max(10_000), z.enum(['all', 'reads'])])
    .exactOptional(),
  sidecar: z.record(z.string(), z.record(z.string(), z.json())).exactOptional(),
  overlay: z.union([z.string().min(1), z.record(z.string(), z.json())]).exactOptional(),
  /** The document's own address, if it differs from where it is fetched. */
  address: Address.exactOptional(),
  /** Replaces the server that the document names. */
  server: Address.exactOptional(),
  variables: z.record(z.string(), z.string()).exactOptional(),
  origins: z.array(Address).max(50).exactOptional(),
  /** Authentication where the document names none; the scheme is then called `server`. */
  auth: z.enum(['bearer', 'basic']).exactOptional(),
  /** The credential for each security scheme of the document. */
  credentials: z.record(z.string(), z.string().min(1).max(96)).exactOptional(),
})
type Settings = z.infer<typeof Settings>
export type OpenApiSettings = Settings

/** Tools from OpenAPI documents. */
export function openApiKind(parts: OutboundContext): SourceKind {
  return {
    kind: 'openapi',
    generator: GENERATOR_VERSION,
    format: CACHE_FORMAT,
    readFrom: (from) => readForm(From, from, 'the place of an OpenAPI document'),
    readSettings: (written, from) =>
      withAddress(readForm(Settings, written ?? {}, "an OpenAPI import's settings"), from),
    prepare: (document, { name, settings }) =>
      prepareInTime({ document, name, settings: settings as Settings }),
    open(prepared, { settings, port, schemas }) {
      const operations = fromCache(prepared, PREPARED)?.operations ?? throwUnreadable()
      const { credentials = {}, server, variables } = settings as Settings
      const source = openApiSource(operations, createSend(parts, credentials), {
        ...(server === undefined ? {} : { baseUrl: server }),
        ...(variables === undefined ? {} : { variables }),
        keep: parts.keep,
      })
      return { tools: openApiTools(operations, { port, schemas }), source }
    },
    fetch(from, { name, by, signal }) {
      const { url } = from as z.infer<typeof From>
      return fetchDocument(createSend(parts, {}), url, importCall(name, by), signal)
    },
  }
}

// Relative servers refer to where the document was published. Its query may hold a token.
function withAddress(settings: Settings, from: unknown): Settings {
  const { success, data } = From.safeParse(from)
  if (!success || settings.address !== undefined) return settings
  const { origin, pathname } = new URL(data.url)
  return { ...settings, address: `${origin}${pathname}` }
}
