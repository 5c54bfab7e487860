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
])('"%s" finds %s first', (query, id) => {
  expect(best(query)).toBe(id)
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

test('a request without a single known word finds nothing', () => {
  expect(openIndex().search('xyzzy plugh', {})).toEqual([])
  expect(openIndex().search('', {})).toEqual([])
})

// Two axes instead of a model: what speaks of weather, and everything else.
const meaningOf = (text: string) => (/weather|umbrella/.test(text) ? [1, 0] : [0, 1])

function openLargeIndex(embed: Embeddings['embed'], filler = 200) {
  const index = toolIndex({ embeddings: { embed } })
  const put = (id: string, name: string) => index.put({ id, fields: { id, name, keywords: '' } })
  put('home.city_list', 'List the plans of a city')
  put('sky.city_forecast', 'Forecast the weather of a city')
  for (let at = 0; at < filler; at++) put(`other.part${at}`, `Get part ${at}`)
  return index
}

test('among hundreds of tools a prepared search ranks by meaning as well, others do not', async () => {
  const index = openLargeIndex(async ({ texts }) => ({
    model: 'test',
    vectors: texts.map(meaningOf),
  }))
  const request = 'list whether a city needs an umbrella'
  const before = index.search(request, {})
  expect(before[0]?.id).toBe('home.city_list')
  await index.prepare?.(request)
  const after = index.search(request, {})
  expect(after[0]?.id).toBe('sky.city_forecast')
  expect(after.map(({ score }) => score)).toEqual(before.map(({ score }) => score))
  expect(index.search('list the plans of a city', {})[0]?.id).toBe('home.city_list')
  // A tool that was added may be the best one, so meanings are forgotten.
  index.put({ id: 'home.more', fields: { id: 'home.more', name: 'More', keywords: '' } })
  expect(index.search(request, {})[0]?.id).toBe('home.city_list')
})

test.each<[string, Embeddings['embed'], number]>([
  ['the model fails', () => Promise.reject(new Error('no memory')), 200],
  ['the model is not installed', async () => null, 200],
  ['the registry is small', () => Promise.reject(new Error('must not be asked')), 10],
])('words alone rank where %s', async (_, embed, filler) => {
  const index = openLargeIndex(embed, filler)
  await index.prepare?.('list whether a city needs an umbrella')
  expect(index.search('list whether a city needs an umbrella', {})[0]?.id).toBe('home.city_list')
})

test('without embeddings there is nothing to prepare', () => {
  expect(toolIndex().prepare).toBeUndefined()
})
