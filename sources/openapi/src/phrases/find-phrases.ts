import { once } from '@surehand/core/internal'
import { type Fields, ownList, ownRecord, ownText } from '../document/record.ts'
import { ASKED_PHRASES } from './asked-phrases.ts'
import { GITHUB_PHRASES } from './github.ts'
import { KUBERNETES_PHRASES } from './kubernetes.ts'
import { SLACK_PHRASES } from './slack.ts'
import { STRIPE_PHRASES } from './stripe.ts'
import { TWILIO_PHRASES } from './twilio.ts'

/** How people ask for an operation, by its id or its method and path. */
export type FindPhrases = (operationId: string | null, key: string) => readonly string[]

/** An API is recognised by its server, or by its title where everybody has an own server. */
type PublishedApi = { readonly host?: string; readonly title?: string; readonly read: () => Table }
type Table = ReadonlyMap<string, readonly string[]>

const APIS: readonly PublishedApi[] = [
  { host: 'api.github.com', read: once(() => readTable('github', GITHUB_PHRASES)) },
  { host: 'api.stripe.com', read: once(() => readTable('stripe', STRIPE_PHRASES)) },
  { host: 'slack.com', read: once(() => readTable('slack', SLACK_PHRASES)) },
  { host: 'api.twilio.com', read: once(() => readTable('twilio', TWILIO_PHRASES)) },
  { title: 'Kubernetes', read: once(() => readTable('kubernetes', KUBERNETES_PHRASES)) },
]
const NONE: readonly string[] = []

/** The phrases that are known for the operations of a document; none for most documents. */
export function findPhrases(root: Fields): FindPhrases {
  const title = ownText(ownRecord(root, 'info'), 'title')
  const hosts = new Set(
    ownList(root, 'servers').flatMap(
      (server) => URL.parse(ownText(server, 'url') ?? '')?.host ?? [],
    ),
  )
  const api = APIS.find((one) =>
    one.host === undefined ? one.title === title : hosts.has(one.host),
  )
  if (api === undefined) return () => NONE
  return (operationId, key) => {
    const table = api.read()
    return table.get(operationId ?? '') ?? table.get(anonymizePath(key)) ?? NONE
  }
}

function readTable(api: string, written: string): Table {
  const table = new Map(parseLines(written))
  const prefix = `${api} `
  for (const [key, phrases] of parseLines(ASKED_PHRASES))
    if (key.startsWith(prefix)) {
      const own = key.slice(prefix.length)
      table.set(own, [...(table.get(own) ?? NONE), ...phrases])
    }
  return table
}

function parseLines(text: string): readonly (readonly [key: string, phrases: readonly string[]])[] {
  return text
    .trim()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const at = line.indexOf(': ')
      return [line.slice(0, at), line.slice(at + 2).split('; ')]
    })
}

// Vendors rename the parameters of a path from version to version.
function anonymizePath(key: string): string {
  return key.replaceAll(/\{[^}]*\}/g, '{}')
}
