import { expect, test } from 'vitest'
import { homeFolder } from './home-folder.ts'
import { readProfiles, writeProfiles } from './profiles.ts'

const NONE = { current: undefined, byName: new Map() }
const withoutLine = (): string => {
  throw new Error('uv_os_homedir returned ENOENT')
}

test('a user without a home folder has no profiles and is asked for a folder to store one', () => {
  expect(homeFolder({}, withoutLine)).toBeUndefined()
  expect(readProfiles({}, withoutLine)).toEqual(NONE)
  expect(() => writeProfiles({}, NONE, withoutLine)).toThrow(
    'Profiles cannot be stored: this user has no home folder.',
  )
})

test('HOME is the home folder, whatever the system says', () => {
  expect(homeFolder({ HOME: '/srv/agent' }, withoutLine)).toBe('/srv/agent')
  expect(readProfiles({ HOME: '/srv/agent' }, withoutLine)).toEqual(NONE)
})
