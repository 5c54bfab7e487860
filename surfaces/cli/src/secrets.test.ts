import { describe, expect, test } from 'vitest'
import { run } from './fixtures/run.ts'

const UNLOCK = ['call', 'door.unlock', '--door', 'front', '--loud']

describe('a secret is never an argument', () => {
  test.each<[string, readonly string[]]>([
    ['as a flag', [...UNLOCK, '--code', 's3cret']],
    ['as a flag with an equals sign', [...UNLOCK, '--code=s3cret']],
    ['as a flag with JSON', [...UNLOCK, '--code:="s3cret"']],
    ['by the long name', [...UNLOCK, '--field.code', 's3cret']],
    [
      'in --input',
      ['call', 'door.unlock', '--input', '{"code":"s3cret","door":"front","loud":true}'],
    ],
    [
      'in --input, under an escaped name',
      ['call', 'door.unlock', '--input', '{"\\u0063ode":"s3cret"}'],
    ],
    [
      'deep in --input',
      ['call', 'bank.transfer', '--input', '{"amount":"1","card":{"number":"s3cret"}}'],
    ],
    [
      'inside an object',
      ['call', 'bank.transfer', '--amount', '1', '--recipient', 'bob', '--card.number', 's3cret'],
    ],
    [
      'in an object whole',
      [
        'call',
        'bank.transfer',
        '--amount',
        '1',
        '--recipient',
        'bob',
        '--card',
        '{"number":"s3cret","holder":"ann"}',
      ],
    ],
  ])('%s', async (_, argv) => {
    const { code, out, err } = await run(argv)
    expect({ code, out }).toEqual({ code: 64, out: '' })
    expect(err).toMatch(/is secret/)
    expect(err).toContain('--field-from-env')
    expect(err).not.toContain('s3cret')
  })

  test('it comes from the environment', async () => {
    const { code, out } = await run([...UNLOCK, '--field-from-env', 'code=CODE'], {
      env: { CODE: '12345' },
    })
    expect({ code, out }).toEqual({ code: 0, out: 'opened: front 5 true\n' })
  })

  test('a variable that is not there, or holds nothing fitting, is refused without its value', async () => {
    const missing = await run([...UNLOCK, '--field-from-env', 'code=CODE'])
    expect({ code: missing.code, err: missing.err }).toEqual({
      code: 64,
      err: expect.stringContaining('The environment variable CODE is not set'),
    })
    const unfit = await run(['call', 'shop.search', '--field-from-env', 'limit=CODE'], {
      env: { CODE: 's3cret' },
    })
    expect(unfit.code).toBe(64)
    expect(unfit.err).not.toContain('s3cret')
  })

  test('it comes by standard input', async () => {
    const { code, out } = await run(['call', 'door.unlock', '--input', '-'], {
      stdin: '{"code":"123","door":"back","loud":false}',
    })
    expect({ code, out }).toEqual({ code: 0, out: 'opened: back 3 false\n' })
  })

  test('flags are laid over what came by standard input', async () => {
    const { out } = await run(['call', 'door.unlock', '--input=-', '--door', 'front', '--loud'], {
      stdin: '{"code":"123"}',
    })
    expect(out).toBe('opened: front 3 true\n')
  })

  test('an example to paste names a variable in its place', async () => {
    const { out } = await run(['show', 'bank.transfer'])
    expect(out).toContain(
      "surehand call bank.transfer --amount '800 EUR' --recipient landlord --field-from-env pin=PIN",
    )
    expect(out).not.toContain('1234')
  })
})
