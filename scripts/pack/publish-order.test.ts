import { expect, test } from 'vitest'
import { orderByDependencies } from './publish-order.ts'

const version = '1.0.0'
const namesOf = (manifests: Parameters<typeof orderByDependencies>[0]): string[] =>
  orderByDependencies(manifests).map(({ name }) => name)

test('a package is published after those that it depends on', () => {
  const command = { name: 'surehand', version, dependencies: { zod: '4', '@surehand/http': '1' } }
  const http = { name: '@surehand/http', version, dependencies: { '@surehand/core': '1' } }
  const core = { name: '@surehand/core', version, dependencies: { zod: '4' } }
  const expected = ['@surehand/core', '@surehand/http', 'surehand']
  expect(namesOf([command, http, core])).toEqual(expected)
  expect(namesOf([http, command, core])).toEqual(expected)
})

test('packages that depend on each other are published once each', () => {
  const left = { name: 'left', version, dependencies: { right: '1' } }
  const right = { name: 'right', version, dependencies: { left: '1' } }
  expect(namesOf([left, right])).toEqual(['right', 'left'])
})
