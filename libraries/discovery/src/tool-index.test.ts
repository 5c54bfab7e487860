import { expect, test } from 'vitest'
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
