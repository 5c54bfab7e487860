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

test("one's own name is meant, though somebody's project has it as its id or its name", () => {
  for (const trap of [theirs('zzz', 'Garden'), theirs('Garden'), theirs('zzz', 'garden')])
    for (const find of [findProjectByName, findProjectToFile])
      expect(find('Garden', [trap, own('Garden')], ann).owner).toBe('ann')
})

test("one's own id is meant, though somebody's project is called so", () => {
  for (const find of [findProjectByName, findProjectToFile])
    expect(find('prj_6', [theirs('prj_6'), own('Garden', 'prj_6')], ann).owner).toBe('ann')
})

test("a word in passing means one's own in either spelling before somebody's id", () => {
  const among = [theirs('zzz', 'garden_house'), own('Garden house')]
  expect(matchProjectsToFile(['garden_house', 'garden house'], among, ann)).toEqual([
    own('Garden house'),
  ])
})

test("nothing is put into somebody else's project by a part of its name, a misspelling or an id that is free text", () => {
  for (const said of ['Tax', 'and', 'more taxes', 'Taxes and mroe', 'Free text'])
    expect(matchProjectsToFile([said], [theirs('Taxes and more', 'Free text')], ann)).toEqual([])
})

test("somebody else's project is said by its whole name, with its owner, or by its id", () => {
  for (const said of ['taxes', 'Taxes (of mallory)', 'prj_theirs'])
    expect(findProjectToFile(said, [theirs('Taxes')], ann)).toEqual(theirs('Taxes'))
})

test("where one's own comes near what somebody else's is called, it is asked, and told whose is whose", () => {
  expect(() => findProjectToFile('Tax', [theirs('Tax'), own('Tax return')], ann)).toThrow(
    '"Tax return", "Tax" (of mallory)',
  )
})
