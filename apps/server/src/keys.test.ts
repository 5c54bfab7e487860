import { chmodSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeKeys, openKeys, rotateKeys } from './keys.ts'

function folder(): string {
  return mkdtempSync(join(tmpdir(), 'surehand-keys-'))
}

describe('keys', () => {
  test('are made at the first start, readable by their owner alone, and are the same afterwards', () => {
    const data = folder()
    const first = openKeys({ data })
    expect(statSync(join(data, 'keys.json')).mode & 0o777).toBe(0o600)
    const second = openKeys({ data })
    expect(second.sessions).toEqual(first.sessions)
    expect(second.audit.id).toBe(first.audit.id)
  })

  test('every purpose has its own', () => {
    const { sessions, requestState, secretKeys } = openKeys({ data: folder() })
    const texts = [sessions, ...secretKeys].map((key) => Buffer.from(key).toString('base64url'))
    expect(new Set([...texts, requestState]).size).toBe(3)
  })

  test('rotated, the new ones seal and the old ones still open', () => {
    const data = folder()
    const before = openKeys({ data })
    const { auditKeyId } = rotateKeys(join(data, 'keys.json'))
    const after = openKeys({ data })
    expect(after.secretKeys[1]).toEqual(before.secretKeys[0])
    expect(after.secretKeys[0]).not.toEqual(before.secretKeys[0])
    expect(after.sessions).not.toEqual(before.sessions)
    expect(after.audit.id).toBe(auditKeyId)
    expect(after.auditPublic.map(({ id }) => id)).toEqual([auditKeyId, before.audit.id])
    expect(after.installation).toBe(before.installation)
  })

  test('a file from before installations had a secret keeps one through every rotation', () => {
    const file = join(folder(), 'keys.json')
    makeKeys(file)
    const { installation, ...old } = JSON.parse(readFileSync(file, 'utf8'))
    writeFileSync(file, JSON.stringify(old))
    const before = openKeys({ data: '', keys: file })
    expect([before.installation.length, before.installation === installation]).toEqual([64, false])
    rotateKeys(file)
    rotateKeys(file)
    expect(openKeys({ data: '', keys: file }).installation).toBe(before.installation)
  })

  test('nodes of one PostgreSQL do not each make their own', () => {
    expect(() => openKeys({ data: folder(), databaseUrl: 'postgres://localhost/x' })).toThrow(
      'surehand keys new',
    )
  })

  test('a file that others may read, or that is none, is refused without quoting it', () => {
    const file = join(folder(), 'keys.json')
    makeKeys(file)
    expect(() => makeKeys(file)).toThrow('There are keys at')
    chmodSync(file, 0o644)
    expect(() => openKeys({ data: '', keys: file })).toThrow('chmod 600')
    chmodSync(file, 0o600)
    const secret = /"secret": "([^"]+)"/.exec(readFileSync(file, 'utf8'))?.[1] ?? ''
    writeFileSync(file, readFileSync(file, 'utf8').replace('auditKey', 'audit'))
    expect(() => openKeys({ data: '', keys: file })).toThrow(/is not a key file/)
    try {
      openKeys({ data: '', keys: file })
    } catch (thrown) {
      expect(
        `${thrown} ${JSON.stringify(thrown)} ${String((thrown as Error).cause)}`,
      ).not.toContain(secret)
    }
  })
})
