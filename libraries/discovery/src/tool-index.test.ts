import { setImmediate } from 'node:timers/promises'
import type { TextIndex } from '@surehand/core/ports'
import { expect, test } from 'vitest'
import type { Embeddings } from './local-embeddings.ts'
import { toolIndex } from './tool-index.ts'

const TOOLS: readonly (readonly [id: string, name: string, keywords?: string])[] = [
  ['git.pulls_create', 'Create a pull request', 'POST /repos/{repo}/pulls'],
  ['git.pulls_list', 'List pull requests', 'GET /repos/{repo}/pulls'],
  ['git.pulls_get', 'Get a pull request', 'GET /repos/{repo}/pulls/{number}'],
  [
    'git.pulls_list-commits',
    'List commits on a pull request',
    'GET /repos/{repo}/pulls/{number}/commits',
  ],
  ['git.issues_create', 'Create an issue', 'POST /repos/{repo}/issues'],
  ['git.issues_update', 'Update an issue', 'PATCH /repos/{repo}/issues/{number}'],
  ['git.issues_list-comments', 'List issue comments', 'GET /repos/{repo}/issues/{number}/comments'],
  [
    'git.issues_create-comment',
    'Create an issue comment',
    'POST /repos/{repo}/issues/{number}/comments',
  ],
  [
    'git.repos_delete-branch-protection',
    'Delete branch protection',
    'DELETE /repos/{repo}/branches/{branch}/protection',
  ],
  ['git.git_delete-branch', 'Delete a branch', 'DELETE /repos/{repo}/branches/{branch}'],
  [
    'git.repos_list-pulls-with-commit',
    'List pull requests with a commit',
    'GET /repos/{repo}/commits/{sha}/pulls',
  ],
  ['pay.PostRefunds', 'PostRefunds', 'POST /v1/refunds'],
  ['pay.GetRefunds', 'GetRefunds', 'GET /v1/refunds'],
]

function openIndex() {
  const index = toolIndex()
  for (const [id, name, keywords = ''] of TOOLS)
    index.put({ id, fields: { id, name, aliases: '', description: '', category: '', keywords } })
  return index
}

const best = (query: string) => openIndex().search(query, {})[0]?.id

test.each([
  ['open a pull request', 'git.pulls_create'],
  ['show the open pull requests', 'git.pulls_list'],
  ['close an issue', 'git.issues_update'],
  ['comment on an issue', 'git.issues_create-comment'],
  ['file a bug', 'git.issues_create'],
  ['delete the branch', 'git.git_delete-branch'],
  ['refund someone', 'pay.PostRefunds'],
  ['which refunds were made', 'pay.GetRefunds'],
  ['creat a pul request', 'git.pulls_create'],
  // Nouns and participles that are verbs elsewhere ask for a list.
  ['comments under an issue', 'git.issues_list-comments'],
  ['refunded orders', 'pay.GetRefunds'],
  // What is asked for is at the end of the path.
  ['which pull requests have this commit', 'git.repos_list-pulls-with-commit'],
  ['which commits has this pull request', 'git.pulls_list-commits'],
])('"%s" finds %s first', (query, id) => {
  expect(best(query)).toBe(id)
})

test.each([
  ['Which PRs are still open on the frontend?', 'git.pulls_list'],
  ['Could you please get rid of the branch fix/header', 'git.git_delete-branch'],
  ['I made a typo in issue 12, correct it', 'git.issues_update'],
  ["Tell Ana under the ticket that we're done: leave a comment", 'git.issues_create-comment'],
  ['what did people say on issue 7? show me the comments', 'git.issues_list-comments'],
  ['give the customer her 25 euros back', 'pay.PostRefunds'],
  ['We have to pay back the buyer', 'pay.PostRefunds'],
  ["Remove Ana's old branch", 'git.git_delete-branch'],
  ['Are there any comments on issue 7?', 'git.issues_list-comments'],
])('a whole sentence, "%s", finds %s first', (query, id) => {
  expect(best(query)).toBe(id)
})

test('what a request names beside words helps: a value, an argument, the service', () => {
  const index = toolIndex()
  const put = (id: string, name: string, keywords: string) =>
    index.put({ id, fields: { id, name, keywords } })
  put('talk.conversations_rename', 'Rename a conversation', 'POST /conversations.rename')
  put('code.files_rename', 'Rename a file', 'POST /files.rename')
  put('code.repos_update', 'Update a repository', 'PATCH /repos/{repo} name archived')
  put('code.repos_get', 'Get a repository', 'GET /repos/{repo}')
  put('one.notes_list', 'List notes', 'GET /notes')
  put('two.notes_list', 'List notes', 'GET /notes')
  const first = (query: string) => index.search(query, {})[0]?.id
  expect(first('rename #q3')).toBe('talk.conversations_rename')
  expect(first('make the repository archived')).toBe('code.repos_update')
  expect(first('which notes are in two')).toBe('two.notes_list')
})

test('a tool is found by how people ask for it, before tools with more words of the request', () => {
  const index = toolIndex()
  const put = (id: string, name: string, phrases = '') =>
    index.put({ id, fields: { id, name, phrases } })
  put('desk.ticket_escalations_create', 'Create an escalation')
  put('desk.house_list', 'List houses')
  put('desk.roof_list', 'List roofs on houses')
  const find = () => index.search('the house is on fire', {})[0]?.id
  expect(find()).toBe('desk.house_list')
  put(
    'desk.ticket_escalations_create',
    'Create an escalation',
    'raise the alarm\nour house is on fire',
  )
  expect(find()).toBe('desk.ticket_escalations_create')
  // Words that phrases share with a request are not enough.
  expect(index.search('list the houses', {})[0]?.id).toBe('desk.house_list')
})

test('the words of a request count together: a phrase that says it all beats one that says a part', () => {
  const index = toolIndex()
  const put = (id: string, phrases: string) =>
    index.put({ id, fields: { id, name: id.slice(5), phrases } })
  put('team.alpha', 'who is on holiday\nwho is away')
  put('team.beta', 'who is on holiday next week\nplanned absences')
  put('team.gamma', 'holiday')
  expect(index.search('who is on holiday', {})[0]?.id).toBe('team.alpha')
  expect(index.search('show planned absences', {})[0]?.id).toBe('team.beta')
})

test('tools after those that are ranked keep their order behind them', () => {
  const index = toolIndex()
  for (let at = 0; at < 200; at++)
    index.put({ id: `more.part${at}`, fields: { id: `more.part${at}`, name: `Refund part ${at}` } })
  const found = index.search('refund part', {})
  expect(found).toHaveLength(200)
  expect(found.map(({ score }) => score)).toEqual(
    found.map(({ score }) => score).toSorted((left, right) => right - left),
  )
})

test('a tool that was replaced or removed is found by its new words, or not at all', () => {
  const index = openIndex()
  const fields = { id: 'pay.PostRefunds', name: 'Give back money' }
  index.put({ id: 'pay.PostRefunds', fields })
  index.remove('pay.GetRefunds')
  expect(index.search('refunds', {}).map(({ id }) => id)).toEqual(['pay.PostRefunds'])
  index.remove('pay.PostRefunds')
  expect(index.search('refunds', {})).toEqual([])
})

test('tools that are replaced again and again leave nothing behind', () => {
  const index = openIndex()
  for (let round = 0; round < 3; round++) {
    for (let at = 0; at < 700; at++)
      index.put({ id: `more.${at}`, fields: { id: `more.${at}`, name: `Refund part ${round}` } })
    expect(index.search('refund part', {})).toHaveLength(702)
  }
  for (let at = 0; at < 700; at++) index.remove(`more.${at}`)
  expect(index.search('refund part', {})).toHaveLength(2)
})

test('a request without a single known word finds nothing', () => {
  expect(openIndex().search('xyzzy plugh', {})).toEqual([])
  expect(openIndex().search('', {})).toEqual([])
})

// Two axes instead of a model: what speaks of weather, and everything else.
const meaningOf = (text: string) => (/weather|umbrella/.test(text) ? [1, 0] : [0, 1])

function openLargeIndex(embed: Embeddings['embed'], filler = 200) {
  const index = toolIndex({ embeddings: { embed } })
  const put = (id: string, name: string, description = '') =>
    index.put({ id, fields: { id, name, description } })
  put('home.city_look', 'Look at a city')
  put('sky.city_look', 'Look at a city', 'Tells the weather.')
  put('sky.storms', 'Severe weather')
  for (let at = 0; at < filler; at++) put(`other.part${at}`, `Get part ${at}`)
  return index
}

const REQUEST = 'take an umbrella to the city'
const embedTexts: Embeddings['embed'] = async ({ texts }) => ({
  model: 'test',
  vectors: texts.map(meaningOf),
})

async function prepareSoon(index: TextIndex, request: string): Promise<void> {
  await index.prepare?.(request)
  await setImmediate()
}

test('among hundreds of tools a prepared search ranks by meaning as well, others do not', async () => {
  const index = openLargeIndex(embedTexts)
  const find = (request: string) => index.search(request, {}).map(({ id }) => id)
  expect(find(REQUEST)).toEqual(['home.city_look', 'sky.city_look'])
  // The vectors of tools are computed in the background, from the first request on.
  while (find(REQUEST).length < 3) await prepareSoon(index, REQUEST)
  expect(find(REQUEST).slice(0, 3)).toEqual(['sky.city_look', 'home.city_look', 'sky.storms'])
  expect(find('the city')[0]).toBe('home.city_look')
  // A tool that was added may be the best one, so meanings are forgotten.
  index.put({ id: 'home.more', fields: { id: 'home.more', name: 'More', keywords: '' } })
  expect(find(REQUEST)[0]).toBe('home.city_look')
})

test('the meaning of a tool is computed once, and again only when its words change', async () => {
  const seen: string[] = []
  const index = openLargeIndex(async ({ texts }, signal) => {
    seen.push(...texts)
    return embedTexts({ texts }, signal)
  })
  while (!seen.includes('Get part 199. ')) await prepareSoon(index, 'first')
  index.put({ id: 'sky.storms', fields: { id: 'sky.storms', name: 'Hail' } })
  index.put({ id: 'home.city_look', fields: { id: 'home.city_look', name: 'Look at a city' } })
  seen.length = 0
  while (!seen.includes('storms. ')) await prepareSoon(index, 'second')
  expect(seen.filter((text) => text !== 'second')).toEqual(['storms. '])
})

test.each<[string, Embeddings['embed'], number]>([
  ['the model fails', () => Promise.reject(new Error('no memory')), 200],
  ['the model is not installed', async () => null, 200],
  ['the registry is small', () => Promise.reject(new Error('must not be asked')), 10],
])('words alone rank where %s', async (_, embed, filler) => {
  const index = openLargeIndex(embed, filler)
  await index.prepare?.(REQUEST)
  expect(index.search(REQUEST, {})[0]?.id).toBe('home.city_look')
})

test('without embeddings there is nothing to prepare', () => {
  expect(toolIndex().prepare).toBeUndefined()
})
