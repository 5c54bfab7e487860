import type { IndexedText } from '@surehand/core/ports'
import { STOP_WORDS, splitWords, toSingular } from './text-index.ts'
import { type Action, actionsOf, isGenericVerb, isNoise, isThing, stemOf } from './tool-words.ts'

/**
 * How much it counts where a word of the request is found: `head` is the last part of an imported
 * operation's path, `parents` what stands before it, `fields` the names of its arguments, `phrases`
 * how people ask for it.
 */
const PLACES = {
  name: 1,
  head: 0.85,
  phrases: 0.75,
  parents: 0.7,
  summary: 0.6,
  fields: 0.3,
  description: 0.25,
} as const
type Place = keyof typeof PLACES

/** What a description says later is detail, and reading it takes longer than all the rest. */
const MAX_DESCRIPTION = 1_000

/** A tool as requests are compared with it. */
export type IndexedTool = {
  readonly id: string
  /** What the request may name to mean only these tools: `slack` of `slack.chat_delete`. */
  readonly namespace: string
  /** Whether its name says that it searches. */
  readonly searches: boolean
  /** The words that name it, for which a request should ask, and how much each counts. */
  readonly named: ReadonlyMap<string, number>
  /** What an imported operation is about: the words at the end of its path. */
  readonly head: ReadonlySet<string>
  /** What it does: by its name first, then by its method. */
  readonly actions: readonly Action[]
  /** Its title, or its name in words, and its first sentence: the text whose meaning is compared. */
  readonly brief: string
  /** Words of its name that tell a variant few mean who do not say so: `admin`, `all`. */
  readonly variants: readonly string[]
  readonly isDeprecated: boolean
  /** How many parts its path has beside parameters: few for what an interface is about. */
  readonly depth: number
  /** How people ask for it, each phrase as the stems of its words. */
  readonly phrases: readonly (readonly string[])[]
}

/** How much each word of a tool counts, by its stem and the best place that holds it. */
export type PlacedWords = ReadonlyMap<string, number>

/** Reads what a tool does, and to what, from its texts. */
export function analyzeTool({ id, fields }: IndexedText): {
  readonly tool: IndexedTool
  readonly words: PlacedWords
} {
  const toolId = fields.id ?? id
  const [namespace = '', ...rest] = toolId.split('.')
  // A name that was too long ends with a hash.
  const own = (rest.join('.') || namespace).replace(/_[0-9a-f]{8}$/, '')
  const description = (fields.description ?? '')
    .slice(0, MAX_DESCRIPTION)
    .replaceAll(/<[^>]*>/g, ' ')
  const summary = /^[^.\n]{0,300}/.exec(description)?.[0] ?? ''
  const title = fields.name ?? ''
  const hasTitle = title.includes(' ')
  const short = hasTitle || summary.length > 80 ? '' : summary
  const operation = readOperation(fields.keywords ?? '')
  const words = placeWords({
    name: `${own} ${title} ${short} ${fields.aliases ?? ''}`,
    head: `${operation.head} ${namespace} ${fields.category ?? ''}`,
    phrases: fields.phrases ?? '',
    parents: operation.parents,
    summary,
    fields: operation.fields,
    description,
  })
  const ownWords = splitWords(own).map(toSingular)
  const tool = {
    id,
    namespace: rest.length === 0 ? '' : namespace.toLowerCase(),
    searches: ownWords.includes('search'),
    brief: `${hasTitle ? title : splitName(own)}. ${summary.slice(0, 160)}`,
    head: new Set(headWords(operation.head, ownWords)),
    named: nameWords(own, hasTitle ? title : '', short),
    actions: readActions(own, hasTitle ? title : summary, operation),
    variants: ownWords.filter((word) => VARIANTS.has(word)),
    depth: operation.path.split('/').filter((part) => part !== '' && !part.startsWith('{')).length,
    phrases: readPhrases(fields.phrases ?? ''),
    isDeprecated: /\bdeprecated\b|\bclosing down\b/i.test(description.slice(0, 400)),
  }
  return { tool, words }
}

function readPhrases(text: string): readonly (readonly string[])[] {
  return text.split('\n').flatMap((phrase) => {
    const words = splitWords(phrase).filter((word) => !isNoise(word))
    return words.length === 0 ? [] : [[...new Set(words.map(stemOf))]]
  })
}

function placeWords(places: Readonly<Record<Place, string>>): PlacedWords {
  const words = new Map<string, number>()
  for (const place of Object.keys(PLACES) as Place[])
    for (const word of new Set(splitWords(places[place]))) {
      const stem = stemOf(word)
      words.set(stem, Math.max(words.get(stem) ?? 0, PLACES[place]))
    }
  return words
}

type ToolOperation = {
  readonly method: string
  readonly path: string
  readonly head: string
  readonly parents: string
  readonly fields: string
}

// `POST /repos/{repo}/issues title body`: it is about issues; repositories are where they are.
function readOperation(keywords: string): ToolOperation {
  const [whole = '', method = '', path = ''] =
    /\b(GET|HEAD|POST|PUT|PATCH|DELETE) (\S+)/.exec(keywords) ?? []
  const parts = path.split('/').filter((part) => part !== '')
  const at = parts.findLastIndex((part) => !part.startsWith('{'))
  const others = keywords.replace(whole, '')
  return path === ''
    ? { method, path, head: keywords, parents: '', fields: '' }
    : {
        method,
        path,
        head: parts[at] ?? '',
        parents: parts.filter((_, index) => index !== at).join(' '),
        fields: others,
      }
}

// `cronjobs` are the cron jobs of `listNamespacedCronJob`.
function headWords(head: string, ownWords: readonly string[]): readonly string[] {
  const lower = head.toLowerCase()
  const parts = ownWords.filter((word) => word.length > 2 && lower.includes(word))
  return [...splitWords(head), ...parts].map(stemOf)
}

function splitName(name: string): string {
  return name
    .replaceAll(/[_/.-]+/g, ' ')
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
}

const FAMILY = 0.5
const SUMMARY = 0.25

// `issues/add-labels`: the family before the action says less than the words after it, and the words
// of a summary less than those of a name.
function nameWords(own: string, title: string, summary: string): ReadonlyMap<string, number> {
  const [family = '', ...rest] = own.split(/[/_.]/)
  const shares = new Map<string, number>()
  const note = (text: string, share: number): void => {
    for (const word of listNouns(text)) shares.set(word, Math.max(shares.get(word) ?? 0, share))
  }
  note(family, rest.length === 0 ? 1 : FAMILY)
  note(rest.join(' '), 1)
  note(title, 1)
  note(summary, SUMMARY)
  return shares
}

function listNouns(text: string): readonly string[] {
  const words = splitWords(text).map(toSingular)
  return words
    .filter(
      (word) =>
        /^[a-z]{2,}$/.test(word) &&
        !STOP_WORDS.has(word) &&
        !isGenericVerb(word) &&
        // `bookSlot` is also indexed as "bookslot", which a request need not contain.
        !words.some((other) => other !== word && word.startsWith(other)),
    )
    .map(stemOf)
}

const VARIANTS = new Set(
  'admin test watch beta alpha enterprise collection all legacy proxy'.split(' '),
)

// By the verbs of the name, then by the method and path of an imported operation.
function readActions(
  own: string,
  summary: string,
  { method, path }: ToolOperation,
): readonly Action[] {
  const byMethod = actionOfMethod(method, path)
  const ownVerbs = splitWords(own.replaceAll(/^(?:Get|Post|Put|Patch|Delete)(?=[A-Z])/g, ''))
  const [leading = ''] = splitWords(summary)
  if (/\b(?:list|all)\b/i.test(summary.slice(0, 40)) && byMethod[0] === 'list') return ['list']
  const verb = [...ownVerbs, toSingular(leading), leading].find((word) => isGenericVerb(word))
  const named = verb === undefined ? actsOf(own, method) : actionsOf(verb).slice(0, 1)
  return [...new Set([...named, ...byMethod])]
}

// `conversations_archive`, `PostInvoicesInvoiceVoid`: the last word of the name says what is done.
function actsOf(own: string, method: string): readonly Action[] {
  const last = splitWords(own).at(-1) ?? ''
  return method === 'GET' || isThing(last) ? [] : actionsOf(last)
}

function actionOfMethod(method: string, path: string): readonly Action[] {
  const isItem = /\}(?:\.\w+)?$/.test(path)
  const last = /([\w-]+)(?:\.json)?\/?$/.exec(path)?.[1] ?? ''
  switch (method) {
    case 'GET':
    case 'HEAD':
      // `/v1/balance` is one thing, `/v1/charges` are several.
      return [isItem || toSingular(last) === last ? 'get' : 'list']
    case 'POST':
      return [isItem ? 'update' : 'create']
    case 'PUT':
    case 'PATCH':
      return ['update']
    case 'DELETE':
      return ['delete']
    default:
      return []
  }
}
