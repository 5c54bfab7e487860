import { globSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { codeOnly } from './code-only.ts'

export type Finding = { path: string; line: number; what: string; instead: string }

// Words that may not be part of an identifier, and what to write instead. The words are the
// project's former private vocabulary: a stranger would have to learn them.
const RETIRED_WORDS = new Map([
  ['house', 'app, or tenant'],
  ['door', 'surface'],
  ['doors', 'surfaces'],
  ['stranger', 'unauthenticated client'],
  ['strangers', 'AuthThrottle'],
  ['comer', 'RemoteClient'],
  ['desk', 'ApprovalsApi, AdminApi, QuestionsApi'],
  ['brought', 'tenant tools'],
  ['furnished', 'assembleApp'],
  ['zombie', 'onClaimLost'],
  ['told', 'what it is: reportedError, query, …'],
  ['tellable', 'toPublicError'],
  ['mend', 'fix'],
  ['mends', 'fixes'],
  ['nobody', 'name the actor'],
  ['somebody', 'name the actor'],
  ['whoever', 'name the actor'],
  ['gathering', 'GroupCommitQueue'],
])

// Functions are verbs with an object. These read as verbs or nouns although they end like
// participles.
const NOT_PARTICIPLES = new Set([
  'embed',
  'exceed',
  'feed',
  'need',
  'proceed',
  'red',
  'read',
  'seed',
  'shed',
  'speed',
  'succeed',
  'weed',
])
const IRREGULAR_PARTICIPLES = new Set(
  'begun bound broken brought chosen done driven fallen found given gone grown heard held kept known left lost made meant met said seen sent shown spoken spent sworn taken told thought walked withdrawn woken written'.split(
    ' ',
  ),
)

const RETIRED_PHRASES: readonly (readonly [RegExp, string])[] = [
  [/\bcan not\b/i, 'cannot'],
  [
    /\b(?:a|the|no|his|her|their|person's) yes\b|\b(?:says?|said|saying) yes\b/i,
    'approval, approves',
  ],
  [/\bstraight way\b/i, 'fast path'],
  [/(?<!')\bthe house\b|\bthis house\b|\bone house\b|\bhouses?'s?\b/i, 'the app, or the tenant'],
  [/\b(?:every|each|all|one|any|this|that|same|which) doors?\b|\bbehind the doors?\b/i, 'surface'],
  [/\bstrangers\b/i, 'unauthenticated clients'],
  [/\bwhoever\b/i, 'name the actor'],
  [/\bof pretence\b/i, 'demo'],
  [/\bthe way of a call\b|\bline of stages\b|\bwalks? the line\b/i, 'the pipeline'],
  [/\bmend(?:s|ed|ing)?\b/i, 'fix'],
  [/\bzombies?\b/i, 'a lost claim'],
]

// Fields of released wire formats keep their names (`mend` of a refused import and of a
// credential).
const WIRE_FIELD = /\bmend: |\.mend\b/g

// Wider than the gate: what a rewrite looks for. Many of these words are fine in a sentence.
const WIDE_PHRASES: readonly (readonly [RegExp, string])[] = [
  [/\b(?:no|some)body(?:'s| else)?\b/i, 'name the actor'],
  [/\bdoors?\b/i, 'surface'],
  [/\bhouses?\b/i, 'app, tenant'],
  [/\bdesks?\b/i, 'API'],
  [/\b(?:is|are|was|were|be) told\b/i, 'name what is returned or reported'],
  [/\b(?:tell|tells) (?:of|it|them)\b/i, 'report, return'],
  [/\bhears?\b/i, 'is notified, receives'],
  [/\blet(?:s|ting)? go\b/i, 'release'],
  [/\bt(?:ake|akes|aken|ook) back\b/i, 'compensate'],
  [/\bgive[sn]? up\b/i, 'mark unknown, stop'],
  [/\bwhat is\b/i, 'name the thing'],
  [/\bfloors?\b/i, 'layer'],
  [/\bchance\b/i, 'entropy, randomness'],
  [/\bstand(?:s|ing)? (?:in|on|at)\b/i, 'is in, is stored in'],
  [/\bfor good\b/i, 'permanently'],
  [/\bby hand\b/i, 'manually'],
]

// Fixtures hold other people's words; patterns and a pack's own vocabulary (an event's "doors
// open") stay.
const EXEMPT =
  /(?:^|\/)(?:fixtures|words|dist|node_modules)\/|^scripts\/language|^CHANGELOG|^docs\/runs\/|^packs\/events\/(?:testing|src\/extract)/
// An event's "doors open" is a time that a flyer states.
const PACK_VOCABULARY = /^(?:packs\/events|libraries\/dates)\//
const CODE = /\.[cm]?[jt]sx?$/

/**
 * Every retired word or phrase of these texts; `wide` adds words that are fine in some sentences.
 */
export function findRetiredWords(
  files: readonly { path: string; text: string }[],
  scope: 'gate' | 'wide' = 'gate',
): Finding[] {
  const phrases = scope === 'wide' ? [...RETIRED_PHRASES, ...WIDE_PHRASES] : RETIRED_PHRASES
  return files
    .filter(({ path }) => !EXEMPT.test(path))
    .map(({ path, text }) => ({ path, text: text.replace(WIRE_FIELD, '') }))
    .flatMap(({ path, text }) => [
      ...(CODE.test(path) ? findIdentifiers(path, codeOnly(text)) : []),
      ...findPhrases(path, text, phrases),
    ])
}

function findIdentifiers(path: string, code: string): Finding[] {
  const found = code.split('\n').flatMap((text, index) =>
    [...text.matchAll(/[A-Za-z_$][\w$]*/g)].flatMap(([name]) => {
      if (name === 'doors' && PACK_VOCABULARY.test(path)) return []
      const word = wordsOf(name).find((one) => RETIRED_WORDS.has(one))
      const instead = word && RETIRED_WORDS.get(word)
      return instead ? [{ path, line: index + 1, what: `identifier ${name}`, instead }] : []
    }),
  )
  const participles = code.split('\n').flatMap((text, index) => {
    const name =
      /(?:function\s+|const\s+)([a-z]+)(?:\s*[(<]|\s*=\s*(?:async\s*)?(?:\([^)]*\)|\w+)\s*(?::[^=]+)?=>)/.exec(
        text,
      )?.[1]
    if (!name || !isParticiple(name)) return []
    return [{ path, line: index + 1, what: `function ${name}`, instead: 'a verb with its object' }]
  })
  return [...found, ...participles]
}

function isParticiple(name: string): boolean {
  if (NOT_PARTICIPLES.has(name)) return false
  return (
    IRREGULAR_PARTICIPLES.has(name) || /[^aeiou]ed$|[aeiou]{2,}ted$|ied$|[aeiou][a-z]ed$/.test(name)
  )
}

function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[\s_$]+/)
}

function findPhrases(
  path: string,
  text: string,
  phrases: readonly (readonly [RegExp, string])[],
): Finding[] {
  return text.split('\n').flatMap((line, index) =>
    phrases.flatMap(([pattern, instead]) => {
      const match = pattern.exec(line)
      return match ? [{ path, line: index + 1, what: `"${match[0]}"`, instead }] : []
    }),
  )
}

function main(): void {
  process.chdir(posix.join(import.meta.dirname, '..'))
  const args = process.argv.slice(2)
  const scope = args.includes('--wide') ? 'wide' : 'gate'
  const places = args.filter((one) => !one.startsWith('--'))
  const exclude = ['**/node_modules', '**/dist', '**/coverage', '.git', '.bench', '.data']
  const paths = globSync('**/*.{ts,tsx,mjs,js,md,html,css}', { exclude })
    .filter((path) => places.length === 0 || places.some((place) => path.startsWith(place)))
    .toSorted()
  const found = findRetiredWords(
    paths.map((path) => ({ path, text: readFileSync(path, 'utf8') })),
    scope,
  )
  for (const { path, line, what, instead } of found)
    console.log(`${path}:${line}  ${what}  → ${instead}`)
  console.log(`language: ${paths.length} files, ${found.length} findings`)
  if (found.length > 0) process.exitCode = 1
}

if (import.meta.main) main()
