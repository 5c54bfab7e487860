import { execFile } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestServer, type TestServer } from './fixtures/open-test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await openTestServer()
})
afterAll(() => server.close())

const REDOCLY = join(import.meta.dirname, '../../mcp/clients/node_modules/@redocly/cli/bin/cli.js')

/** What Redocly's recommended rules find in a document. */
async function lint(
  document: object,
): Promise<{ readonly errors: number; readonly warnings: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'surehand-redocly-'))
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document))
  const args = [REDOCLY, 'lint', 'openapi.json', '--extends=recommended', '--format=json']
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder, env }).catch(
    (failed: { readonly stdout: string }) => failed,
  )
  return (JSON.parse(stdout) as { readonly totals: { errors: number; warnings: number } }).totals
}

test('Redocly finds nothing in the OpenAPI document, and something in a broken one', async () => {
  const document = (await (await server.get('/openapi.json', server.tokens.root)).json()) as {
    readonly paths: object
  }
  expect(await lint(document)).toMatchObject({ errors: 0, warnings: 0 })
  const paths = { ...document.paths, '/bad': { get: { responses: { 200: true } } } }
  expect((await lint({ ...document, paths })).errors).toBeGreaterThan(0)
})
