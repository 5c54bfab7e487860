import { expect, test } from 'vitest'
import {
  findProjectByName,
  findProjectToFile,
  matchProjectsToFile,
  type NamedProject,
} from './find-project.ts'

const ann = { tenant: 'home', owner: 'ann' }
const own = (name: string, id = `prj_${name.length}`): NamedProject => ({ id, name, owner: 'ann' })
const theirs = (name: string, id = 'prj_theirs'): NamedProject => ({ id, name, owner: 'mallory' })

test('an own name wins over a shared project with that id or name', () => {
  for (const trap of [theirs('zzz', 'Garden'), theirs('Garden'), theirs('zzz', 'garden')])
    for (const find of [findProjectByName, findProjectToFile])
      expect(find('Garden', [trap, own('Garden')], ann).owner).toBe('ann')
})

test('an own id wins over a shared project of that name', () => {
  for (const find of [findProjectByName, findProjectToFile])
    expect(find('prj_6', [theirs('prj_6'), own('Garden', 'prj_6')], ann).owner).toBe('ann')
})

test('a hint matches an own project in either spelling before the id of a shared one', () => {
  const among = [theirs('zzz', 'garden_house'), own('Garden house')]
  expect(matchProjectsToFile(['garden_house', 'garden house'], among, ann)).toEqual([
    own('Garden house'),
  ])
})

test("nothing is filed under another person's project by a part of its name, a misspelling or a free-text id", () => {
  for (const said of ['Tax', 'and', 'more taxes', 'Taxes and mroe', 'Free text'])
    expect(matchProjectsToFile([said], [theirs('Taxes and more', 'Free text')], ann)).toEqual([])
})

test("another person's project is matched by its full name, with its owner, or by its id", () => {
  for (const said of ['taxes', 'Taxes (of mallory)', 'prj_theirs'])
    expect(findProjectToFile(said, [theirs('Taxes')], ann)).toEqual(theirs('Taxes'))
})

test('when an own project is similar to a shared one, both are listed with their owners', () => {
  expect(() => findProjectToFile('Tax', [theirs('Tax'), own('Tax return')], ann)).toThrow(
    '"Tax return", "Tax" (of mallory)',
  )
})
